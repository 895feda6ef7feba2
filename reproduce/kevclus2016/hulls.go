package kevclus2016

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/plot/mds"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// butterfly draws Figures 1 to 4.
func (c compiler) butterfly(ctx context.Context) {
	r, err := spread(ctx, fitSeed(c.Plan, massKey))
	if c.Fail(err) {
		return
	}
	o, err := between(butterfly, nil, 2, 0)
	if c.Fail(err) {
		return
	}
	var x, y []float64
	var names []string
	for i := range butterfly.Rows {
		x, y, names = append(x, butterfly.At(i, 0)), append(y, butterfly.At(i, 1)),
			append(names, fmt.Sprint(i+1))
	}
	c.Chart("figure1", "Figure 1. The butterfly, with an outlier",
		plot.ChartConfig{X: "x1", Y: "x2",
			Series: []plot.Series{{Kind: plot.Points, X: x, Y: y, Labels: names}}})
	masses, err := plot.Masses(plot.MassesConfig{Credal: r.Credal,
		ClusterNames: []string{"ω1", "ω2"}})
	c.Draw("figure2", "Figure 2. Credal partition of the butterfly", masses, err)

	var far, delta, kappa []float64
	row := make([]float32, butterfly.Rows)
	for i := range butterfly.Rows {
		o.Row(row, i, nil)
		for j := range i {
			v := float64(row[j])
			far, delta = append(far, v), append(delta, 1-elementary.Exp(-r.Gamma*v*v))
			kappa = append(kappa, 1-r.Credal.Relation(i, j).PlSame())
		}
	}
	c.Chart("figure3", "Figure 3. Dissimilarities and the conflicts that they call for",
		plot.ChartConfig{
			X: "distance d", Y: "transformed dissimilarity δ",
			Series: []plot.Series{{Kind: plot.Points, X: far, Y: delta}},
		}, fmt.Sprintf("δ = 1 − exp(−γd²), d0 = %d, γ = %.4f.", butterflyD0, r.Gamma))
	shepard, err := plot.Shepard(plot.ShepardConfig{Delta: delta, Kappa: kappa})
	c.Draw("figure4", "Figure 4. Shepard diagram of the butterfly", shepard, err)
}

// proteinClasses are the classes of the proteins: heterogeneous globins, haemoglobin-α and -β, and
// myoglobin.
var proteinClasses = []string{"G", "HA", "HB", "M"}

// classes names true classes from 1.
func classes(n int) (names []string) {
	for k := range n {
		names = append(names, fmt.Sprintf("class %d", k+1))
	}
	return names
}

// rough adds a picture of lower and upper approximations.
func (c compiler) rough(name, title string, o objects, points dataset.Matrix, p *credal.Partition,
	notes ...string) {
	cfg := plot.RoughConfig{Cloud: plot.Cloud{Points: points, EqualScale: true}, Credal: p}
	for _, t := range o.truth {
		cfg.Classes = append(cfg.Classes, int(t))
	}
	if cfg.ClassNames = o.names; o.names == nil {
		cfg.ClassNames = classes(o.clusters)
	}
	f, err := plot.Rough(cfg)
	c.Draw(name, title, f, err, notes...)
}

// hulls draws Figure 5 or 8: the start of least stress by row programmes.
func (c compiler) hulls(ctx context.Context, key frame.Key, title string, number int) {
	stress := c.over(key, irqp, "stress")
	key.Draw = slices.Index(stress, least(stress)) + 1
	o, err := simulated(c.Plan, 200, 1, .8)
	if key.Part == partProtein {
		o = fromMatrix(c.Set("protein"), 1)
		var placed *mds.Result
		if placed, err = mds.Fit(ctx, o.Source, mds.Config{}); err == nil {
			o.points, o.names = placed.Points, proteinClasses
		}
	}
	if c.Fail(err) {
		return
	}
	_, r, err := o.evclus(ctx, o.config(irqp, 0, fitSeed(c.Plan, key)))
	if c.Fail(err) {
		return
	}
	c.rough(fmt.Sprintf("figure%d", number),
		fmt.Sprintf("Figure %d. Lower and upper approximations of the clusters, %s", number, title),
		o, o.points, r.Credal,
		"Solid hulls go around lower approximations, interrupted ones around upper "+
			"approximations. Outliers, which the paper leaves out of lower approximations, are "+
			"in neither.")
}

// approximations draws Figure 15.
func (c compiler) approximations(ctx context.Context, s sweep) {
	o, err := s.make(1)
	if c.Fail(err) {
		return
	}
	var found [][]int
	for i, k := range []int{50, 1000} {
		key := s.at(k)
		key.Draw = 1
		_, r, err := o.evclus(ctx, o.config(ourEvclus, k, fitSeed(c.Plan, key)))
		if c.Fail(err) {
			return
		}
		notes := []string{"From medoids."}
		if k == 1000 {
			notes = append(notes, "From 1000 partners of 2000 objects on, all pairs are used.")
		}
		found = append(found, r.Credal.ArgMax(belief.MaxPlausibility))
		if i == 1 {
			if same, err := eval.Compare(found[0], found[1]); err == nil {
				notes = append(notes,
					fmt.Sprintf("The ARI between the clusters with 50 and with 1000 partners is "+
						"%.3f.", same.AdjustedRand))
			}
		}
		c.rough(fmt.Sprintf("figure15%c", 'a'+i),
			fmt.Sprintf("Figure 15%c. Lower and upper approximations by k-EVCLUS with k = %d",
				'a'+i, k), o, o.points, r.Credal, notes...)
	}
}

// drawPairs draws Figures 26 to 28.
func (c compiler) drawPairs(ctx context.Context, set *frame.Set) {
	all, err := paired(ctx, c.Plan, set, pairKey(starts[0], 1))
	if c.Fail(err) {
		return
	}
	o := objects{clusters: set.Classes} // its 15 classes have no shapes of their own
	c.rough("figure26", "Figures 26 and 27. S2: clusters, and ambiguous objects without pairs", o,
		set.X, all[0].Credal, ambiguousNote(all[0]))
	c.rough("figure28",
		"Figure 28. S2: ambiguous objects with the pairs of mutual nearest clusters", o, set.X,
		all[1].Credal, ambiguousNote(all[1]), listPairs(all[1].Result))
}

// ambiguousNote counts the ambiguous objects of a step.
func ambiguousNote(s step) string {
	return fmt.Sprintf("From medoids. %.0f objects are ambiguous, in grey.",
		s.values["ambiguous"])
}

// listPairs lists the pairs of clusters by their numbers, from 1.
func listPairs(r *evclus.Result) string {
	text := "Pairs of clusters that are focal sets:"
	for _, s := range r.Pairs {
		text += " " + s.String()
	}
	return text + "."
}
