package cevclus2013

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// compiler makes tables, claims and pictures of runs.
type compiler struct {
	*frame.Results
	bench *bench
}

// tables makes the paper's tables of the runs, and counts what the paper states of its figures.
func tables(r *frame.Results) {
	c := compiler{r, newBench(r.Plan)}
	if r.Has(partWeights) {
		c.byWeight()
	}
	if r.Has(partSamples) && r.Set(allLetters) != nil {
		c.bySample()
	}
	if r.Has(partCurves) {
		c.alongCurves()
	}
	if r.Has(partWords) && r.Set(news) != nil {
		c.byWord()
	}
	if r.Has(partAsking) {
		c.byQuestion()
	}
}

// ground returns a data set as the paper compares its objects.
func (c compiler) ground(set *frame.Set) *ground { return c.bench.ground(set, metricOf(set.Need)) }

// numbers are the links along the curves of a set.
func (c compiler) numbers(set *frame.Set) []int { return c.bench.numbers(c.ground(set)) }

// cell is the mean of a measure over the draws beside a figure of the paper.
func (c compiler) cell(paper frame.Figure, key frame.Key, method, measure string) frame.Cell {
	return frame.Cell{Paper: paper, Mean: c.Mean(key, 1, method, measure)}
}

// byWeight are tables 5 and 6.
func (c compiler) byWeight() {
	sets := c.Using(partWeights)
	if len(sets) == 0 {
		return
	}
	var groups []string
	for _, s := range sets {
		groups = append(groups, s.Title)
	}
	five := frame.Table{
		Name: "table5", Title: "Table 5. Rand index by the weight ξ of 20 and 50 random links",
		Keys: []string{"links", "ξ"}, Groups: groups, Digits: 2,
		Notes: []string{"Of several starts, the first from EVCLUS' partition, that of the lowest " +
			"criterion counts. ξ = 0 is EVCLUS, afresh in each trial."},
	}
	six := five
	six.Name, six.Title = "table6",
		"Table 6. Rand index by the weight ξ of 100 and 200 random links"
	own := frame.Table{
		Name:  "table6-ours",
		Title: "Beside tables 5 and 6: kindred's EVCLUS by default on the same links", Digits: 2,
		Keys: []string{"data set", "links"}, Groups: []string{atWeight(usual), ours},
	}
	var near, theirs frame.Share
	for _, n := range weightedNumbers {
		t := &five
		if n > 50 {
			t = &six
		}
		us, them := slices.Repeat([]float64{math.Inf(-1)}, len(sets)),
			slices.Repeat([]float64{math.Inf(-1)}, len(sets))
		links := strconv.Itoa(n)
		for _, xi := range weighed {
			row := frame.Row{Keys: []string{links, fmt.Sprint(xi)}}
			for i, s := range sets {
				paper := paperRand[s.Name][n][at(xi)]
				cell := c.cell(paper.figure(), linked(partWeights, s.Name, n), atWeight(xi), "rand")
				us[i], them[i] = max(us[i], cell.Mean.Value), max(them[i], paper.mean)
				row.Cells = append(row.Cells, cell)
			}
			t.Rows = append(t.Rows, row)
			links = ""
		}
		for i, s := range sets {
			own := c.Mean(linked(partWeights, s.Name, n), 1, atWeight(usual), "rand").Value
			near.Count(us[i]-own <= .02+1e-9)
			theirs.Count(them[i]-paperRand[s.Name][n][at(usual)].mean <= .02+1e-9)
		}
	}
	for _, s := range sets {
		name := s.Title
		for _, n := range weightedNumbers {
			own.Add([]string{name, strconv.Itoa(n)}, func(method string) frame.Cell {
				return c.cell(frame.None, linked(partWeights, s.Name, n), method, "rand")
			})
			name = ""
		}
	}
	c.Add(five, six, own)
	c.claim("ξ = 1 is close to the best of the weights: within .02, by set and number of links",
		theirs.String(), near)
	c.randomWins()
}

// at returns the place of a weight in tables 5 and 6.
func at(xi float64) int { return slices.Index(weighed, xi) }

// randomWins counts fits under links that a random start won.
func (c compiler) randomWins() {
	at := slices.Index(measures, "random")
	var won frame.Share
	for _, r := range c.All() {
		if v := r.Values[at]; !math.IsNaN(v) {
			won.Count(v > 0)
		}
	}
	c.claim("A random start has a lower criterion than that from EVCLUS' partition", "not stated",
		won)
}

// claim adds a claim on a share.
func (c compiler) claim(text, paper string, of frame.Share) {
	share := of.String()
	if of.Of == 0 {
		share = "none"
	}
	c.Claim(text, paper, "%s", share)
}

// byWord is table 7.
func (c compiler) byWord() {
	t := frame.Table{
		Name: "table7", Title: "Table 7. Rand index on 20 Newsgroups under links by words",
		Keys: []string{"dissimilarity", "links"}, Groups: worded, Digits: 2,
		Notes: []string{"The groups of words are ours, since those of the paper are in a picture " +
			"alone: " + strings.Join(groups, "; ") + "."},
	}
	for i, metric := range readings {
		name := string(metric)
		for column, linked := range []bool{false, true} {
			key := wordKey(metric, linked)
			links := c.Mean(key, 1, sscard, "links")
			t.Add([]string{name, fmt.Sprintf("%.0f", links.Value)}, func(m string) frame.Cell {
				paper := frame.None
				if v, printed := paperWords[m]; printed {
					paper = frame.Printed(v[column])
				}
				return c.cell(paper, key, m, "rand")
			})
			name = ""
			if i == 0 && linked {
				t.Notes = append(t.Notes, fmt.Sprintf("In each trial %.0f links are drawn from "+
					"the %.0f that they make, of which %.1f %% are wrong; in the paper %d, %.1f "+
					"%% of them wrong.",
					links.Value, c.Mean(key, 1, sscard, "made").Value,
					100*c.Mean(key, 1, sscard, "wrong").Value/links.Value,
					paperWordLinks, 100*paperWordWrong))
			}
		}
	}
	c.Add(t)
}

// byQuestion is table 9, on ChickenPieces where that is there, and on other matrices.
func (c compiler) byQuestion() {
	var better frame.Share
	for _, set := range c.Using(partAsking) {
		t := frame.Table{
			Name:  "table9-" + set.Name,
			Title: "Table 9. Rand index on " + set.Title + " by question to an expert",
			Keys:  []string{"question", "links"}, Groups: askers, Digits: 2,
		}
		if set.Name != chickens {
			t.Title = "Table 9, its protocol on " + set.Title +
				". Rand index by question to an expert"
			t.Notes = []string{"The paper has ChickenPieces alone; this set shows how the " +
				"protocol goes elsewhere."}
		}
		key := frame.Key{Part: partAsking, Set: set.Name, Setting: "expert"}
		for i, paper := range paperAsking {
			links := c.Mean(key, i+1, asked, "links")
			t.Add([]string{strconv.Itoa(i + 1), fmt.Sprintf("%.0f", links.Value)},
				func(m string) frame.Cell {
					cell := frame.Cell{Mean: c.Mean(key, i+1, m, "rand")}
					if set.Name == chickens && m == asked {
						cell.Paper = frame.Printed(paper.rand)
					}
					return cell
				})
			if cells := t.Rows[i].Cells; i > 0 {
				better.Count(cells[0].Mean.Value > cells[1].Mean.Value)
			}
		}
		c.Add(t)
	}
	if better.Of > 0 {
		c.claim("Links that are asked for make a better partition than as many at random, by "+
			"question", "all, on ChickenPieces", better)
	}
}
