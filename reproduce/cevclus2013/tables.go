package cevclus2013

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// compiler makes tables, claims and pictures of runs.
type compiler struct {
	*bench
	runs *frame.Runs
}

// tables makes the paper's tables of the runs, and counts what the paper says of its figures.
func tables(p frame.Plan, runs *frame.Runs) (all []frame.Table, claims []frame.Claim) {
	c := compiler{newBench(p), runs}
	if p.Has(partWeights) {
		t, more := c.byWeight()
		all, claims = append(all, t...), append(claims, more...)
	}
	if p.Has(partSamples) && p.Set(allLetters) != nil {
		all = append(all, c.bySample()...)
	}
	if p.Has(partCurves) {
		t, more := c.alongCurves()
		all, claims = append(all, t...), append(claims, more...)
	}
	if p.Has(partWords) {
		all = append(all, c.byWord()...)
	}
	if p.Has(partAsking) {
		t, more := c.byQuestion()
		all, claims = append(all, t...), append(claims, more...)
	}
	return all, claims
}

// mean sums a measure up over the draws, of the given start.
func (c compiler) mean(part, set, setting, method, measure string, start int) frame.Figure {
	var values []float64
	for draw := 1; draw <= c.Trials; draw++ {
		if v := c.runs.Of(frame.Key{Part: part, Set: set, Setting: setting, Draw: draw}, method,
			measure); start <= len(v) {
			values = append(values, v[start-1])
		}
	}
	return frame.Mean(values)
}

func (c compiler) cell(paper frame.Figure, part, set, setting, method, measure string) frame.Cell {
	return frame.Cell{Paper: paper, Mean: c.mean(part, set, setting, method, measure, 1),
		Best: frame.None}
}

// with returns the sets of a part that are there.
func (c compiler) with(part string) []*frame.Set {
	var sets []*frame.Set
	for _, s := range c.Sets {
		for _, p := range s.Parts {
			if p == part {
				sets = append(sets, s)
			}
		}
	}
	return sets
}

// byWeight are tables 5 and 6.
func (c compiler) byWeight() (all []frame.Table, claims []frame.Claim) {
	sets := c.with(partWeights)
	if len(sets) == 0 {
		return nil, nil
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
	var near, of, theirs int
	for _, n := range c.weightedNumbers() {
		t := &five
		if n > 50 {
			t = &six
		}
		key := strconv.Itoa(n)
		for _, xi := range c.weightsTried() {
			row := frame.Row{Keys: []string{key, fmt.Sprint(xi)}}
			for _, s := range sets {
				row.Cells = append(row.Cells,
					c.cell(paperRand[s.Name][n][at(xi)].told(), partWeights, s.Name, setting(n),
						atWeight(xi), "rand"))
			}
			t.Rows = append(t.Rows, row)
			key = ""
		}
		for _, s := range sets {
			of++
			us, them := math.Inf(-1), math.Inf(-1)
			for _, xi := range c.weightsTried() {
				us = max(us, c.mean(partWeights, s.Name, setting(n), atWeight(xi), "rand", 1).Value)
				them = max(them, paperRand[s.Name][n][at(xi)].mean)
			}
			if us-c.mean(partWeights, s.Name, setting(n), atWeight(usual), "rand",
				1).Value <= .02+1e-9 {
				near++
			}
			if them-paperRand[s.Name][n][at(usual)].mean <= .02+1e-9 {
				theirs++
			}
		}
	}
	for _, s := range sets {
		name := s.Title
		for _, n := range c.weightedNumbers() {
			own.Rows = append(own.Rows,
				frame.Row{Keys: []string{name, strconv.Itoa(n)}, Cells: []frame.Cell{
					c.cell(frame.None, partWeights, s.Name, setting(n), atWeight(usual), "rand"),
					c.cell(frame.None, partWeights, s.Name, setting(n), ours, "rand"),
				}})
			name = ""
		}
	}
	return []frame.Table{five, six, own}, []frame.Claim{{
		Says:  "ξ = 1 is close to the best of the weights: within .02, by set and number of links",
		Paper: share(theirs, of), Mean: share(near, of),
	}, c.randomWins()}
}

// at returns the place of a weight in tables 5 and 6.
func at(xi float64) int {
	for i, w := range weighed {
		if w == xi {
			return i
		}
	}
	return -1
}

// randomWins counts fits under links that a random start won.
func (c compiler) randomWins() frame.Claim {
	at := len(measures)
	for i, m := range measures {
		if m == "random" {
			at = i
		}
	}
	var won, of int
	for _, r := range c.runs.All() {
		if v := r.Values[at]; !math.IsNaN(v) {
			of++
			won += int(v)
		}
	}
	return frame.Claim{
		Says:  "A random start has a lower criterion than that from EVCLUS' partition",
		Paper: "not stated", Mean: share(won, of)}
}

func share(n, of int) string {
	if of == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d", n, of)
}

// byWord is table 7.
func (c compiler) byWord() []frame.Table {
	set := c.Set(news)
	if set == nil {
		return nil
	}
	t := frame.Table{
		Name: "table7", Title: "Table 7. Rand index on 20 Newsgroups under links by words",
		Keys: []string{"dissimilarity", "links"}, Groups: worded, Digits: 2,
		Notes: []string{"The groups of words are ours, since those of the paper are in a picture " +
			"alone: " + strings.Join(sayGroups(), "; ") + "."},
	}
	for i, metric := range readings {
		name := string(metric)
		for column, linked := range []bool{false, true} {
			in := wordSetting(metric, linked)
			links := c.mean(partWords, news, in, sscard, "links", 1)
			row := frame.Row{Keys: []string{name, fmt.Sprintf("%.0f", links.Value)}}
			for _, m := range worded {
				paper := frame.None
				if v, told := paperWords[m]; told {
					paper = frame.Printed(v[column])
				}
				row.Cells = append(row.Cells, c.cell(paper, partWords, news, in, m, "rand"))
			}
			t.Rows = append(t.Rows, row)
			name = ""
			if i == 0 && linked {
				t.Notes = append(t.Notes, fmt.Sprintf("In each trial %.0f links are drawn from "+
					"the %.0f that they make, of which %.1f %% are wrong; in the paper %d, %.1f "+
					"%% of them wrong.",
					links.Value, c.mean(partWords, news, in, sscard, "made", 1).Value,
					100*c.mean(partWords, news, in, sscard, "wrong", 1).Value/links.Value,
					paperWordLinks, 100*paperWordWrong))
			}
		}
	}
	return []frame.Table{t}
}

// sayGroups returns the groups of words, one a text.
func sayGroups() []string {
	var all []string
	for line := range strings.Lines(groups) {
		if name, words, isGroup := strings.Cut(strings.TrimSpace(line), ":"); isGroup {
			all = append(all, name+":"+words)
		}
	}
	return all
}

// byQuestion is table 9, on ChickenPieces where that is there, and on other matrices.
func (c compiler) byQuestion() (all []frame.Table, claims []frame.Claim) {
	var better, of int
	for _, set := range c.with(partAsking) {
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
		for i, paper := range paperAsking {
			links := c.mean(partAsking, set.Name, "expert", asked, "links", i+1)
			row := frame.Row{Keys: []string{strconv.Itoa(i + 1), fmt.Sprintf("%.0f", links.Value)}}
			for _, m := range askers {
				cell := frame.Cell{Paper: frame.None,
					Mean: c.mean(partAsking, set.Name, "expert", m, "rand", i+1), Best: frame.None}
				if set.Name == chickens && m == asked {
					cell.Paper = frame.Printed(paper.rand)
				}
				row.Cells = append(row.Cells, cell)
			}
			t.Rows = append(t.Rows, row)
			if i > 0 {
				of++
				if row.Cells[0].Mean.Value > row.Cells[1].Mean.Value {
					better++
				}
			}
		}
		all = append(all, t)
	}
	if len(all) == 0 {
		return nil, nil
	}
	return all, []frame.Claim{{
		Says: "Links that are asked for make a better partition than as many at random, by " +
			"question",
		Paper: "all, on ChickenPieces", Mean: share(better, of)}}
}
