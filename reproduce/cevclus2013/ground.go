package cevclus2013

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/stat"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// bench holds what the pieces of work of one run share.
type bench struct {
	frame.Plan
	grounds frame.Once[string, *ground]
}

func newBench(p frame.Plan) *bench { return &bench{Plan: p} }

// metricOf is how the paper compares the objects of a set (§4.1.1); "" where dissimilarities are
// given.
func metricOf(n frame.Need) dissim.Metric {
	switch {
	case n.Matrix:
		return ""
	case n.Name == news:
		return dissim.Tanimoto
	}
	return dissim.Euclidean
}

// ground is a data set with its dissimilarities, and EVCLUS' partition of it in each draw.
type ground struct {
	*frame.Set
	seed   uint64
	metric dissim.Metric
	effort effort
	focal  []belief.Set // all sets of clusters
	truth  []int        // classes, from 1
	dense  func() (*dissim.Dense, error)
	bases  frame.Once[int, *credal.Partition] // EVCLUS' partitions, by draw
}

// ground returns the data set as compared by a metric, always the same one.
func (b *bench) ground(set *frame.Set, metric dissim.Metric) *ground {
	g, _ := b.grounds.Get(set.Name+"/"+string(metric),
		func() (*ground, error) { return b.fresh(set, metric), nil })
	return g
}

// fresh returns a data set as compared by a metric, with nothing fitted.
func (b *bench) fresh(set *frame.Set, metric dissim.Metric) *ground {
	g := &ground{Set: set, seed: b.Seed, metric: metric, effort: effortFor(set.Need, b.Reduced)}
	g.focal, _ = belief.Full(set.Classes) // cannot fail for so few
	g.truth = frame.FromOne(set.Truth)
	g.dense = sync.OnceValues(g.measure)
	return g
}

// measure computes the dissimilarities: a second at most.
func (g *ground) measure() (*dissim.Dense, error) {
	ctx := context.Background() // where one caller ends, others still wait
	if g.D != nil {
		return dissim.NewDense(ctx, g.D, 1, nil)
	}
	x := g.X
	if g.Name == wine {
		x = standardised(x)
	}
	src, err := dissim.Vectors(x, g.metric)
	if err != nil {
		return nil, err
	}
	return dissim.NewDense(ctx, src, 1, nil)
}

// standardised returns a copy of x, float64 as sets are, whose columns have mean 0 and standard
// deviation 1; constant columns are 0.
func standardised(x dataset.Matrix) dataset.Matrix {
	out := x.Clone()
	column := make([]float64, x.Rows)
	for j := range x.Cols {
		for i := range column {
			column[i] = x.F64[i*x.Cols+j]
		}
		mean, spread := stat.PopMeanStdDev(column, nil)
		for i, v := range column {
			if out.F64[i*x.Cols+j] = 0; spread > 0 {
				out.F64[i*x.Cols+j] = (v - mean) / spread
			}
		}
	}
	return out
}

// effort is how often fits start afresh on a data set, and how many draws there are of it.
type effort struct {
	free int // starts of EVCLUS, at random
	// starts of CEVCLUS where weights are compared, the first of them from EVCLUS' partition
	weights int
	bound   int  // the same elsewhere
	few     bool // ten draws at most
}

// effortFor returns five and ten starts, as the paper has them, where they are quick: a step of the
// gradient costs n²·2^c.
func effortFor(n frame.Need, reduced bool) effort {
	cost := float64(n.Rows) * float64(n.Rows) * math.Exp2(float64(n.Classes))
	e := effort{free: 5, weights: 5, bound: 10}
	switch {
	case cost > 1e7:
		e = effort{free: 2, bound: 2, few: true}
	case cost > 1e6:
		e = effort{free: 3, bound: 3}
	case cost > 6e5: // Protein, which is not the paper's
		e.bound = 5
	}
	switch {
	case !reduced:
		return e
	case cost > 1e6:
		return effort{free: 1, bound: 1, few: e.few}
	case cost > 6e5:
		return effort{free: 3, bound: 1}
	}
	return effort{free: 3, weights: 2, bound: 2}
}

// draws are the repetitions on a data set.
func (b *bench) draws(g *ground) int {
	if g.effort.few {
		return min(b.Trials, 10)
	}
	return b.Trials
}

// derive makes the seed of a random choice.
func (g *ground) derive(what string, draw int) uint64 {
	return frame.Derive(g.seed, what, g.Name, draw, 0)
}

// links draws n random links that the classes answer; fewer are the first of more.
func (g *ground) links(n, draw int) ([]link.Link, error) {
	return ask.RandomLinks(g.Truth, n, g.derive("links", draw))
}
