package cobra2017

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/plot"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// pictures draws the paper's figures 2 to 4.
func pictures(_ context.Context, all *frame.Results) error {
	r := results{all}
	r.figure2()
	r.figure3()
	r.figure4()
	return nil
}

// farAbove is how many times the bound questions are for a dot of figure 2 to be named.
const farAbove = 1.5

func (r results) figure2() {
	cfg := plot.ChartConfig{X: "estimated lower bound", Y: "questions of COBRA", Width: 9,
		Height: 3.6}
	for _, s := range superCounts {
		bounds, questions, names := r.dots(s)
		if len(bounds) == 0 {
			return
		}
		for i, b := range bounds {
			if questions[i] < farAbove*b {
				names[i] = ""
			}
		}
		all := slices.Concat(bounds, questions)
		low, high := .95*slices.Min(all), 1.05*slices.Max(all)
		cfg.Panels = append(cfg.Panels, plot.ChartConfig{
			Title: fmt.Sprintf("%d super-instances", s), LogX: true, LogY: true, XMin: &low,
			XMax: &high, YMin: &low, YMax: &high,
			Series: []plot.Series{
				{Name: "as many as the bound", Kind: plot.Line, X: []float64{low, high},
					Y: []float64{low, high}, Dashed: true},
				{Name: "a task", Kind: plot.Points, X: bounds, Y: questions, Labels: names},
			},
		})
	}
	cfg.Across = len(cfg.Panels)
	r.Chart("figure2", "Figure 2. The estimated lower bound on the number of questions, and the "+
		"questions that COBRA took", cfg, fmt.Sprintf(
		"A dot a task, means over folds. Tasks with more than %g times the bound are named.",
		farAbove))
}

// curve returns the questions and scores of a method on a set of figure 3.
func (r results) curve(set, method string) (x, y []float64) {
	for _, n := range wide(r.Plan) {
		name := named(method, n)
		questions, ari := r.mean(curves, set, method, name, "questions"),
			r.mean(curves, set, method, name, "ari")
		if !ari.There() || len(x) > 0 && questions.Value <= x[len(x)-1] {
			continue
		}
		x, y = append(x, questions.Value), append(y, ari.Value)
	}
	return x, y
}

// curveMethods are the methods of figure 3; the last two are not in the paper.
var curveMethods = []string{ours, mpckMinMax, coscMinMax, splits, spread}

func (r results) figure3() {
	cfg := plot.ChartConfig{X: "questions", Y: "adjusted Rand index", Across: 2, Width: 9,
		Height: 7.5}
	for _, set := range r.Sets {
		panel := plot.ChartConfig{Title: set.Title}
		for _, m := range curveMethods {
			if x, y := r.curve(set.Name, m); len(x) > 0 {
				panel.Series = append(panel.Series,
					plot.Series{Name: m, X: x, Y: y, Dashed: m == splits || m == spread})
			}
		}
		if len(panel.Series) > 0 {
			cfg.Panels = append(cfg.Panels, panel)
		}
	}
	if len(cfg.Panels) == 0 {
		return
	}
	r.Chart("figure3", "Figure 3. Quality against the number of questions", cfg,
		"Means over folds. COBRA at 25, 50, 100 … super-instances, the others after as many "+
			"questions. The paper does not name its four sets in the text; these are ours, and "+
			"COBRAS and kin are not in the paper.")
}

func (r results) figure4() {
	cfg := plot.ChartConfig{Y: "seconds", LogY: true, Ticks: timedMethods(), Width: 8}
	var x, y []float64
	for i, m := range timedMethods() {
		for _, set := range r.Sets {
			if f := r.time(set.Name, m); f.There() {
				x, y = append(x, float64(i)), append(y, max(f.Value, 1e-4))
			}
		}
	}
	if len(x) == 0 {
		return
	}
	cfg.Series = []plot.Series{{Kind: plot.Points, X: x, Y: y}}
	r.Chart("figure4", "Figure 4. Run times", cfg, fmt.Sprintf("A dot a task, the mean over folds "+
		"at %d super-instances, on one thread. COBRAS is not in the paper.", beside))
}

// between returns the score of a curve after so many questions, on the line between its points; NaN
// beyond its ends.
func between(x, y []float64, at float64) float64 {
	i, exact := slices.BinarySearch(x, at)
	switch {
	case exact:
		return y[i]
	case i == 0 || i == len(x):
		return math.NaN()
	}
	share := (at - x[i-1]) / (x[i] - x[i-1])
	return y[i-1] + float64(share*(y[i]-y[i-1]))
}

const many = 100 // questions that the rest of the paper goes up to, about

// stillAhead counts the sets and competitors of figure 3 of which COBRA is ahead on average up to
// many questions, and those of them where it is beyond, too.
func (r results) stillAhead() (still frame.Share) {
	for _, set := range r.Sets {
		x, y := r.curve(set.Name, ours)
		for _, m := range []string{mpckMinMax, coscMinMax} {
			var few, more []float64
			cx, cy := r.curve(set.Name, m)
			for i, q := range cx {
				switch d := between(x, y, q) - cy[i]; {
				case math.IsNaN(d):
				case q <= many:
					few = append(few, d)
				default:
					more = append(more, d)
				}
			}
			if len(few) > 0 && len(more) > 0 && sum(few) > 0 {
				still.Count(sum(more) > 0)
			}
		}
	}
	return still
}

// flat counts the sets of figure 3 on which a method gains less than .05 after many questions.
func (r results) flat(method string) (flat frame.Share) {
	for _, set := range r.Sets {
		x, y := r.curve(set.Name, method)
		if from := between(x, y, many); !math.IsNaN(from) {
			flat.Count(y[len(y)-1]-from < .05)
		}
	}
	return flat
}
