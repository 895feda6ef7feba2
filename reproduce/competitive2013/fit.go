package competitive2013

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/reproduce/frame"
)

const epochs = 100 // passes over the data at most: LCVQE stops when labels repeat

// measures are what a run measures: NMI over all objects, and over those that no link touches; the
// squared error about the prototypes; violated links; NMI and violated links of the other labels;
// passes over the data; and the seconds of the fit. What follows is of figure 1: the two features
// that a search found and the share of errors on them; objects of class 8 in other clusters; and
// the distance of the prototype of class 9 from the mean of the class.
var measures = []string{"nmi", "untouched", "squared", "violated", "other_nmi", "other_violated",
	"passes", "seconds", "first", "second", "error", "missed", "off"}

// trial reports how to fit once.
type trial struct {
	method, name string
	x            dataset.Matrix
	links        []link.Link
	first        dataset.Matrix // initial prototypes; empty: k-means++
	start        int
	metric       fit.Metric
	controlled   bool // the penalty of rivals; else it is plain, as the paper's
	pass         bool // one pass instead of epochs
	inOrder      bool // rows as they lie
	timed        bool
}

// fitted is what a fit came to.
type fitted struct {
	labels  []int32
	other   []int32 // labels by another rule; nil where there is none
	centres dataset.Matrix
	passes  int
	seconds float64
}

// fit fits once, on one thread, and measures.
func (d drawn) fit(ctx context.Context, f trial) (frame.Values, error) {
	r, err := d.run(ctx, f)
	if err != nil {
		return nil, err
	}
	return d.measure(f, r)
}

// run fits once, on one thread.
func (d drawn) run(ctx context.Context, f trial) (fitted, error) {
	if f.method == lcvqe {
		return d.batch(ctx, f)
	}
	return d.onLine(ctx, f)
}

// measure measures a fit.
func (d drawn) measure(f trial, r fitted) (frame.Values, error) {
	values, err := d.judge(r.labels, f.links)
	if err != nil {
		return nil, err
	}
	values["squared"], values["passes"] = squaredError(f.x, r.labels, r.centres), float64(r.passes)
	if r.other != nil {
		other, err := d.judge(r.other, f.links)
		if err != nil {
			return nil, err
		}
		values["other_nmi"], values["other_violated"] = other["nmi"], other["violated"]
	}
	if f.timed {
		values["seconds"] = r.seconds
	}
	return values, nil
}

// batch fits by LCVQE, which may go round in a circle under many links. Its other labels are those
// of the nearest prototypes, links aside.
func (d drawn) batch(ctx context.Context, f trial) (fitted, error) {
	cfg := kmeans.LCVQEConfig{
		Clusters:   d.set.Classes,
		Prototypes: f.first,
		Limits:     fit.Limits{MaxIterations: epochs},
		Options: fit.Options{Threads: 1, Seed: frame.Derive(d.seed, "order", d.set.Name, d.draw,
			f.start)},
	}
	cfg.Links = f.links
	r, err := kmeans.FitLCVQE(ctx, f.x, cfg)
	if err != nil {
		return fitted{}, err
	}
	nearest, err := r.Predict(ctx, f.x, 1)
	return fitted{labels: r.Labels, other: nearest, centres: r.Prototypes, passes: r.Iterations,
		seconds: r.Seconds}, err
}

// onLine fits by C-RPCL or O-LCVQE, with the paper's rates, which are the defaults, and the penalty
// of f. The other labels of C-RPCL are those that its competition would choose, with distances
// weighed by winning frequencies.
func (d drawn) onLine(ctx context.Context, f trial) (fitted, error) {
	cfg := competitive.FitConfig{
		Config: competitive.Config{
			Rule: competitive.OLCVQE, Clusters: d.set.Classes, Metric: f.metric,
			Rate: competitive.Rate{Penalty: competitive.Plain},
			Seed: frame.Derive(d.seed, "order", d.set.Name, d.draw, f.start),
		},
		Epochs: epochs, Threads: 1, InitialPrototypes: f.first, InOrder: f.inOrder,
	}
	if f.method == crpcl {
		cfg.Rule = competitive.CRPCL
	}
	if f.controlled {
		cfg.Rate.Penalty = competitive.Controlled
	}
	if f.pass {
		cfg.Epochs = 1
	}
	cfg.Links = f.links
	r, err := competitive.Fit(ctx, f.x, cfg)
	if err != nil {
		return fitted{}, err
	}
	out := fitted{labels: r.Labels, centres: r.Prototypes, passes: cfg.Epochs, seconds: r.Seconds}
	if f.method == crpcl && f.metric == fit.Euclidean {
		out.other = byFrequency(f.x, r.Prototypes, r.Wins)
	}
	return out, nil
}

// judge measures a partition.
func (d drawn) judge(labels []int32, links []link.Link) (frame.Values, error) {
	found, truth := frame.FromOne(labels), frame.FromOne(d.set.Truth)
	all, err := eval.Compare(found, truth)
	if err != nil {
		return nil, err
	}
	untouched, err := eval.CompareUntouched(found, truth, links)
	if err != nil {
		return nil, err
	}
	broken, err := eval.CheckLinks(found, links)
	return frame.Values{"nmi": all.NMI, "untouched": untouched.NMI,
		"violated": float64(broken.Violated())}, err
}

// squaredError sums the squared distances of rows from the prototypes of their clusters.
func squaredError(x dataset.Matrix, labels []int32, centres dataset.Matrix) float64 {
	sum := 0.0
	for i, l := range labels {
		sum += squared(x, i, centres, int(l))
	}
	return sum
}

// squared is the squared distance of a row from a prototype; both matrices are float64.
func squared(x dataset.Matrix, i int, centres dataset.Matrix, c int) float64 {
	sum := 0.0
	centre := centres.F64[c*x.Cols:][:x.Cols]
	for j, v := range x.F64[i*x.Cols:][:x.Cols] {
		e := v - centre[j]
		sum = math.FMA(e, e, sum)
	}
	return sum
}

// byFrequency labels rows by the prototype of least wins·‖x − μ‖².
func byFrequency(x, centres dataset.Matrix, wins []float64) []int32 {
	labels := make([]int32, x.Rows)
	for i := range labels {
		least := math.Inf(1)
		for c, w := range wins {
			if v := w * squared(x, i, centres, c); v < least {
				least, labels[i] = v, int32(c)
			}
		}
	}
	return labels
}
