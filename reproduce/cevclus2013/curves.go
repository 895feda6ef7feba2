package cevclus2013

import (
	"fmt"
	"strconv"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// alongCurves returns the figures behind figures 6 to 15, and counts what the paper says of these.
func (c compiler) alongCurves() (all []frame.Table, claims []frame.Claim) {
	sets := c.with(partCurves)
	if len(sets) == 0 {
		return nil, nil
	}
	t := frame.Table{
		Name: "curves", Title: "Figures 6 to 15 in numbers: Rand index under random links",
		Digits: 3, Long: true,
		Keys:   []string{"data set", "links"},
		Groups: []string{cevclus, cevclus + ", unlinked", ours, ours + ", unlinked", sscard, ccl},
		Notes:  []string{"Unlinked: over the objects that no link touches alone."},
	}
	for _, s := range sets {
		name := s.Title
		for _, n := range c.numbers(c.ground(s, metricOf(s.Need))) {
			row := frame.Row{Keys: []string{name, strconv.Itoa(n)}}
			for _, g := range []struct{ method, measure string }{
				{cevclus, "rand"}, {cevclus, "untouched"}, {ours, "rand"}, {ours, "untouched"},
				{sscard, "rand"}, {ccl, "rand"},
			} {
				row.Cells = append(row.Cells,
					c.cell(frame.None, partCurves, s.Name, setting(n), g.method, g.measure))
			}
			t.Rows = append(t.Rows, row)
			name = ""
		}
	}
	if shape := c.shape(); len(shape.Rows) > 0 {
		all = append(all, shape)
	}
	return append(all, t), c.curveClaims(sets)
}

// shape sets the two figures of §4.2.1 beside ours.
func (c compiler) shape() frame.Table {
	t := frame.Table{
		Name: "figure3-rand", Title: "Section 4.2.1. Rand index on Toys2c", Digits: 2,
		Keys: []string{"links"}, Groups: []string{cevclus, ours},
		Notes: []string{"The paper's points were never published, and its figure with links is " +
			"of one draw of these."},
	}
	s := c.Set(toys)
	if s == nil {
		return t
	}
	for _, n := range []int{0, 20} {
		cell := c.cell(frame.Printed(paperShape[n]), partCurves, toys, setting(n), cevclus, "rand")
		if !cell.Mean.There() {
			continue
		}
		t.Rows = append(t.Rows,
			frame.Row{Keys: []string{strconv.Itoa(n)},
				Cells: []frame.Cell{cell,
					c.cell(frame.None, partCurves, toys, setting(n), ours, "rand")}})
	}
	return t
}

// tie is how far apart two mean Rand indices may be that count as equal: half of the last figure
// that the paper's tables have.
const tie = .005

// curveClaims counts the paper's sentences on figures 6 to 15 (§4.2).
func (c compiler) curveClaims(sets []*frame.Set) []frame.Claim {
	var whole, rest, four, level, cells, wide, spreads, many, manyOf, better int
	for _, s := range sets {
		numbers := c.numbers(c.ground(s, metricOf(s.Need)))
		get := func(n int, method, measure string) frame.Figure {
			return c.mean(partCurves, s.Name, setting(n), method, measure, 1)
		}
		last := numbers[len(numbers)-1]
		switch s.Name {
		case toys, wine, letters, ecoli:
			four++
			if get(last, cevclus, "rand").Value > get(0, cevclus, "rand").Value {
				whole++
			}
			if get(last, cevclus, "untouched").Value > get(0, cevclus, "rand").Value {
				rest++
			}
		}
		for _, n := range numbers[1:] {
			us, fuzzy, complete, own := get(n, cevclus, "rand"), get(n, sscard, "rand"),
				get(n, ccl, "rand"), get(n, ours, "rand")
			cells++
			if us.Value >= fuzzy.Value-tie && us.Value >= complete.Value-tie {
				level++
			}
			if own.Value >= us.Value-tie {
				better++
			}
			if us.N > 1 {
				spreads++
				if complete.Spread > us.Spread && complete.Spread > fuzzy.Spread {
					wide++
				}
			}
			if s.Name == wine && n > 30 {
				manyOf++
				if fuzzy.Value > us.Value {
					many++
				}
			}
		}
	}
	claims := []frame.Claim{
		{Says: "The Rand index over all objects is higher under the most links than without " +
			"(Toys2c, Wine, Letters, Ecoli)", Paper: "4 of 4", Mean: share(whole, four)},
		{Says: "So is that over the objects without links", Paper: "3 of 4",
			Mean: share(rest, four)},
		{Says: fmt.Sprintf("CEVCLUS is as good as SSCARD and CCL or better, to %.3f, by set and "+
			"number of links", tie), Paper: "most", Mean: share(level, cells)},
		{Says: "CCL depends on the choice of links more than CEVCLUS and SSCARD", Paper: "most",
			Mean: share(wide, spreads)},
		{Says: "Not in the paper: kindred's EVCLUS is as good as CEVCLUS or better", Paper: "–",
			Mean: share(better, cells)},
	}
	if manyOf > 0 {
		claims = append(claims,
			frame.Claim{Says: "Wine, more than 30 links: SSCARD is better than CEVCLUS",
				Paper: "all", Mean: share(many, manyOf)})
	}
	return claims
}
