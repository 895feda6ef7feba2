package competitive2013

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// pictures makes figure 1: its trial is fitted again, on the features that the search found.
func pictures(ctx context.Context, r *frame.Results) error {
	c := compiler{r}
	draw, start, ok := c.furthest()
	set := r.Set(figure1Set)
	if !ok || set == nil || !r.Has("figure1") {
		return nil
	}
	first, second := r.Of(searchKey, allPairs, "first"), r.Of(searchKey, allPairs, "second")
	d := drawn{set: set, seed: r.Seed, draw: draw}
	features := pick{first: int(first[0]) - 1, second: int(second[0]) - 1}
	x := columns(set.X, features.first, features.second)
	fits := map[string]matched{}
	for _, m := range methods {
		f, err := d.onTwo(ctx, x, m, start)
		if err != nil {
			return err
		}
		fits[m] = f
	}
	d.plane(r, x, features, fits)
	d.pens(r, fits)
	return nil
}

// plane draws figure 1 (a).
func (d drawn) plane(r *frame.Results, x dataset.Matrix, features pick,
	fits map[string]matched) {
	rows := ask.ClassRows(d.set.Truth, figure1Labelled,
		frame.Derive(d.seed, "links", d.set.Name, d.draw, 0))
	classes := make([]int, x.Rows)
	for i, c := range d.set.Truth {
		classes[i] = int(c)
	}
	labelled := make([]int, len(rows))
	for i, row := range rows {
		labelled[i] = classes[row]
	}
	f, err := plot.Contour(plot.ContourConfig{
		Points: x, Classes: classes, ClassNames: digits, Marks: []plot.ContourMarks{
			{Name: "labelled", Points: x.Subset(rows), Classes: labelled},
			{Name: crpcl, Points: fits[crpcl].centres},
			{Name: lcvqe, Points: fits[lcvqe].centres},
			{Name: olcvqe, Points: fits[olcvqe].centres},
			{Name: "mean of the class", Points: means(x, d.set.Truth, d.set.Classes)},
		}, Page: plot.Page{Title: "Pendigits: classes and prototypes on two features",
			XLabel: fmt.Sprintf("feature %d", features.first+1),
			YLabel: fmt.Sprintf("feature %d", features.second+1)},
	})
	r.Draw("figure1a", "Figure 1 (a). Centroids, labelled objects and class densities on the two "+
		"features of least naive-Bayes error", f, err,
		fmt.Sprintf("The trial with the largest difference of NMI between C-RPCL "+
			"and LCVQE: %.0f objects of class 8 are in other clusters with C-RPCL, %.0f with "+
			"LCVQE and %.0f with O-LCVQE.",
			fits[crpcl].missed(d.set.Truth, eights), fits[lcvqe].missed(d.set.Truth, eights),
			fits[olcvqe].missed(d.set.Truth, eights)))
}

// pens draws figure 1 (b): three eights that C-RPCL alone puts right, the one closest to the mean
// of its class in all features, the middle one, and the one furthest from it, unless there is none.
func (d drawn) pens(r *frame.Results, fits map[string]matched) {
	rows := d.onlyByCRPCL(fits)
	if len(rows) == 0 {
		return
	}
	shown := []int{rows[0], rows[len(rows)/2], rows[len(rows)-1]}
	captions := []string{"closest to the mean eight", "in the middle", "furthest from it"}
	if n := len(rows); n < 3 {
		shown, captions = rows, []string{captions[0], captions[2]}[:n]
	}
	var panels []plot.Stroke
	for i, row := range shown {
		points := make([]float64, d.set.X.Cols)
		for j := range points {
			points[j] = d.set.X.At(row, j)
		}
		panels = append(panels,
			plot.Stroke{Caption: captions[i],
				Points: dataset.Matrix{Rows: len(points) / 2, Cols: 2, F64: points}})
	}
	f, err := plot.Strokes(plot.StrokesConfig{Panels: panels, Across: len(panels),
		Page: plot.Page{Title: "Eights that C-RPCL alone puts right"}})
	r.Draw("figure1b", "Figure 1 (b). Objects of class 8 that only C-RPCL puts into their cluster",
		f, err, fmt.Sprintf("There are %d such objects in this trial, in the order of their "+
			"distance from the mean of the class in all 16 features.", len(rows)))
}

// onlyByCRPCL returns the eights that C-RPCL alone puts into the cluster of their class, those
// closest to the mean eight first.
func (d drawn) onlyByCRPCL(fits map[string]matched) []int {
	truth := d.set.Truth
	var rows []int
	for i, c := range truth {
		if c == eights && fits[crpcl].right(truth, i) && !fits[olcvqe].right(truth, i) &&
			!fits[lcvqe].right(truth, i) {
			rows = append(rows, i)
		}
	}
	mean := means(d.set.X, truth, d.set.Classes)
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Compare(squared(d.set.X, a, mean, eights), squared(d.set.X, b, mean, eights))
	})
	return rows
}
