package cevclus2013

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// pictures draws figures 3 to 15.
func pictures(ctx context.Context, r *frame.Results) error {
	c := compiler{r, newBench(r.Plan)}
	if r.Has(partShape) && r.Set(toys) != nil {
		if err := c.shapes(ctx); err != nil {
			return err
		}
	}
	if r.Has(partCurves) {
		c.charts()
	}
	return nil
}

// shapes are figures 3 to 5: of the first draw, fitted from one start.
func (c compiler) shapes(ctx context.Context) error {
	g := c.ground(c.Set(toys))
	g.effort.free = 1
	free, err := g.free(ctx, 1)
	if err != nil {
		return err
	}
	links, err := g.links(20, 1)
	if err != nil {
		return err
	}
	bound, _, err := g.bound(ctx, 1, links, usual, 1)
	if err != nil {
		return err
	}
	var rand [2]float64
	for i, labels := range [][]int{free.ArgMax(belief.MaxPignistic),
		bound.ArgMax(belief.MaxPignistic)} {
		r, err := eval.Compare(labels, g.truth)
		if err != nil {
			return err
		}
		rand[i] = r.Rand
	}
	classes := make([]int, len(g.truth))
	for i, t := range g.truth {
		classes[i] = t - 1
	}
	names := []string{"class 1", "class 2"}
	hard := make([]int, len(g.truth))
	for i, s := range free.HardCredal() {
		if hard[i] = int(s); s == 0 { // {ω1} is 1, {ω2} 2 and Ω 3; fonts may lack ∅
			hard[i] = 4
		}
	}
	three, err := plot.Scatter(plot.ScatterConfig{
		Cloud: plot.Cloud{Points: g.X, ClusterNames: []string{"{ω1}", "{ω2}", "Ω", "empty set"},
			Classes: classes, ClassNames: names}, Clusters: hard,
		Page: plot.Page{Title: "EVCLUS on Toys2c: the set of greatest mass"},
	})
	c.Draw("figure3", fmt.Sprintf("Figure 3. Hard credal partition of Toys2c by EVCLUS. Rand "+
		"index %.2f, in the paper %.2f", rand[0], paperShape[0]), three, err,
		"Marks are the true classes. From one start.")
	for cluster := range 2 {
		f, err := plot.FocalSet(plot.FocalSetConfig{
			Cloud:  plot.Cloud{Points: g.X, Classes: classes, ClassNames: names, Links: links},
			Credal: bound, Set: belief.Singleton(cluster),
			Page: plot.Page{Title: fmt.Sprintf("CEVCLUS on Toys2c, 20 links: mass of {ω%d}",
				cluster+1)},
		})
		c.Draw(fmt.Sprintf("figure%d", 4+cluster),
			fmt.Sprintf("Figure %d. Mass of ω%d by CEVCLUS under 20 links. Rand index %.2f, in "+
				"the paper %.2f", 4+cluster, cluster+1, rand[1], paperShape[20]), f, err,
			fmt.Sprintf("Must-links are solid, cannot-links dashed; %d of them are broken. Marks "+
				"are the true classes.",
				len(link.Violated(bound.ArgMax(belief.MaxPignistic), links))))
	}
	return nil
}

// chart is a picture of a set.
type chart struct {
	figure int
	set    string
	lines  []line
}

// line is a curve: a measure of a method.
type line struct{ name, method, measure string }

var (
	gained = []line{
		{"CEVCLUS, all objects", cevclus, "rand"},
		{"CEVCLUS, unlinked objects", cevclus, "untouched"},
		{"kindred's EVCLUS, all objects", ours, "rand"},
		{"kindred's EVCLUS, unlinked objects", ours, "untouched"},
	}
	rivals = []line{{cevclus, cevclus, "rand"}, {sscard, sscard, "rand"}, {ccl, ccl, "rand"},
		{ours, ours, "rand"}}
	drawn = []chart{
		{6, toys, gained}, {7, wine, gained}, {8, letters, gained}, {9, ecoli, gained},
		{10, toys, rivals}, {11, wine, rivals}, {12, letters, rivals}, {13, ecoli, rivals},
		{14, news, rivals}, {15, chickens, rivals},
		{15, proteins, rivals},
	}
)

// charts are figures 6 to 15.
func (c compiler) charts() {
	for _, d := range drawn {
		set := c.Set(d.set)
		if set == nil {
			continue
		}
		cfg := plot.ChartConfig{Title: set.Title, X: "random links", Y: "Rand index"}
		for _, l := range d.lines {
			cfg.Series = append(cfg.Series, c.curve(set.Name, c.numbers(set), l))
		}
		least, most := foot(cfg.Series), 1.0
		cfg.YMin, cfg.YMax = &least, &most
		note := "Of one trial."
		if c.bench.draws(c.ground(set)) > 1 {
			note = "Means over the trials with 95 % intervals of the mean."
		}
		name, title := fmt.Sprintf("figure%d", d.figure), fmt.Sprintf(
			"Figure %d. Rand index by the number of random links, %s", d.figure, set.Title)
		if d.set == proteins {
			name += "-protein"
			title = fmt.Sprintf("As figure %d, on Protein, which the paper does not have", d.figure)
		}
		c.Chart(name, title, cfg, note)
	}
}

// curve sums a measure up along the numbers of links. Without links no object is linked, so that
// the index is over all.
func (c compiler) curve(set string, numbers []int, l line) plot.Series {
	s := plot.Series{Name: l.name}
	for _, n := range numbers {
		f := c.Mean(linked(partCurves, set, n), 1, l.method, l.measure)
		half := f.Interval()
		s.X, s.Y = append(s.X, float64(n)), append(s.Y, f.Value)
		s.Low, s.High = append(s.Low, f.Value-half), append(s.High, f.Value+half)
	}
	return s
}

// foot is where the vertical axis begins: a twentieth below the lowest mean, and at most .9. Of few
// trials the intervals would need much more than that.
func foot(lines []plot.Series) float64 {
	least := .95
	for _, s := range lines {
		for _, y := range s.Y {
			if y < least { // not where nothing was measured
				least = y
			}
		}
	}
	return math.Floor(20*least-1) / 20
}
