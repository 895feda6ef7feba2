package cevclus2013

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// alongCurves adds the figures behind figures 6 to 15, and counts what the paper states of these.
func (c compiler) alongCurves() {
	sets := c.Using(partCurves)
	if len(sets) == 0 {
		return
	}
	t := frame.Table{
		Name: "curves", Title: "Figures 6 to 15 in numbers: Rand index under random links",
		Digits: 3, Long: true,
		Keys:   []string{"data set", "links"},
		Groups: []string{cevclus, cevclus + unlinked, ours, ours + unlinked, sscard, ccl},
		Notes:  []string{"Unlinked: over the objects that no link touches alone."},
	}
	for _, s := range sets {
		name := s.Title
		for _, n := range c.numbers(s) {
			t.Add([]string{name, strconv.Itoa(n)}, func(group string) frame.Cell {
				method, rest := strings.CutSuffix(group, unlinked)
				measure := "rand"
				if rest {
					measure = "untouched"
				}
				return c.cell(frame.None, linked(partCurves, s.Name, n), method, measure)
			})
			name = ""
		}
	}
	c.Add(c.shape(), t)
	c.curveClaims(sets)
}

// unlinked marks columns over the objects that no link touches.
const unlinked = ", unlinked"

// shape sets the two figures of §4.2.1 beside ours.
func (c compiler) shape() frame.Table {
	t := frame.Table{
		Name: "figure3-rand", Title: "Section 4.2.1. Rand index on Toys2c", Digits: 2,
		Keys: []string{"links"}, Groups: []string{cevclus, ours},
		Notes: []string{"The paper's points were never published, and its figure with links is " +
			"of one draw of these."},
	}
	if c.Set(toys) == nil {
		return t
	}
	for _, n := range []int{0, 20} {
		key := linked(partCurves, toys, n)
		cell := c.cell(frame.Printed(paperShape[n]), key, cevclus, "rand")
		if cell.Mean.There() {
			t.AddCells([]string{strconv.Itoa(n)}, cell, c.cell(frame.None, key, ours, "rand"))
		}
	}
	return t
}

// tie is how far apart two mean Rand indices may be that count as equal: half of the last figure
// that the paper's tables have.
const tie = .005

// curveClaims counts the paper's sentences on figures 6 to 15 (§4.2).
func (c compiler) curveClaims(sets []*frame.Set) {
	var whole, rest, level, wide, better, many frame.Share
	for _, s := range sets {
		numbers := c.numbers(s)
		get := func(n int, method, measure string) frame.Figure {
			return c.Mean(linked(partCurves, s.Name, n), 1, method, measure)
		}
		last := numbers[len(numbers)-1]
		switch s.Name {
		case toys, wine, letters, ecoli:
			free := get(0, cevclus, "rand").Value
			whole.Count(get(last, cevclus, "rand").Value > free)
			rest.Count(get(last, cevclus, "untouched").Value > free)
		}
		for _, n := range numbers[1:] {
			us, fuzzy, complete, own := get(n, cevclus, "rand"), get(n, sscard, "rand"),
				get(n, ccl, "rand"), get(n, ours, "rand")
			level.Count(us.Value >= fuzzy.Value-tie && us.Value >= complete.Value-tie)
			better.Count(own.Value >= us.Value-tie)
			if us.N > 1 {
				wide.Count(complete.Spread > us.Spread && complete.Spread > fuzzy.Spread)
			}
			if s.Name == wine && n > 30 {
				many.Count(fuzzy.Value > us.Value)
			}
		}
	}
	c.claim("The Rand index over all objects is higher under the most links than without "+
		"(Toys2c, Wine, Letters, Ecoli)", "4 of 4", whole)
	c.claim("So is that over the objects without links", "3 of 4", rest)
	c.claim(fmt.Sprintf("CEVCLUS is as good as SSCARD and CCL or better, to %.3f, by set and "+
		"number of links", tie), "most", level)
	c.claim("CCL depends on the choice of links more than CEVCLUS and SSCARD", "most", wide)
	c.claim("Not in the paper: kindred's EVCLUS is as good as CEVCLUS or better", "–", better)
	if many.Of > 0 {
		c.claim("Wine, more than 30 links: SSCARD is better than CEVCLUS", "all", many)
	}
}
