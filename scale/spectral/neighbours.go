// Package spectral is spectral clustering beyond one machine: by a graph that links landmarks, not
// rows.
//
// A graph of nearest neighbours among 10⁸ rows does not lie in splits: each row's neighbours may be
// anywhere. Landmarks do. Each row is a mixture of its few nearest landmarks (Chen and Cai, AAAI
// 2011: landmark-based representation), two landmarks are linked by the rows that mix both, and the
// eigenvectors of that small graph lay out every row by its own mixture, one row at a time. What
// goes between workers is the sums over rows for pairs of landmarks, whose size does not depend on
// the number of rows.
//
// [Fit] takes one pass that draws a sample, one that adds up the graph, and some rounds of Lloyd's
// iteration in the layout; [Label] takes one more. The graph of landmarks, its eigenvectors and
// k-means on the sample are those of the packages spectral and kmeans.
package spectral

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// MostLandmarks bounds the sums over pairs of landmarks that each worker holds, to 64 MiB.
const MostLandmarks = 4096

// Config describes how to cluster. Only Clusters must be set; the zero value of every other field
// is a documented default.
type Config struct {
	// Clusters is the number of clusters k, from 1 to the number of landmarks.
	Clusters int

	// Landmarks is the number p of landmarks, at most MostLandmarks. 0: 1000. Fewer are used where
	// a sample has fewer distinct rows.
	Landmarks int

	// Nearest is the number r of landmarks that each row is a mixture of. 0: 5.
	Nearest int

	// Bandwidth is σ of the weights exp(−d²/2σ²) of a row's landmarks, in the units of the
	// distances d. 0: the mean distance of the rows of the sample from their nearest landmarks.
	Bandwidth float64

	// Sample is about how many rows landmarks and starting centres are found among. 0: 20 for each
	// landmark.
	Sample int

	// Rounds bounds the rounds of Lloyd's iteration over all rows, from centres that fit the
	// sample. 0: 1, which finds sizes and inertia over all rows; on the sets that BenchmarkAgainst
	// compares, five found clusters no better. Negative: none, and centres stay those of the
	// sample.
	Rounds int

	Seed uint64 // chooses the random numbers
	// of what is done in this process, on the sample and the landmarks. 0: one a processor. It
	// never changes the result
	Threads int
}

func (c Config) withDefaults() Config {
	c.Landmarks = cmp.Or(c.Landmarks, 1000)
	c.Nearest = cmp.Or(c.Nearest, 5)
	c.Sample = cmp.Or(c.Sample, 20*c.Landmarks)
	c.Rounds = cmp.Or(c.Rounds, 1)
	return c
}

func (c Config) check() error {
	switch {
	case c.Clusters < 1:
		return fault.Inputf("ask for at least 1", "%d clusters asked for", c.Clusters)
	case c.Landmarks < 1 || c.Landmarks > MostLandmarks:
		return fault.Inputf(fmt.Sprintf("ask for 1 to %d, or 0 for the default", MostLandmarks),
			"%d landmarks asked for", c.Landmarks)
	case c.Clusters > c.Landmarks:
		return fault.Inputf("ask for more landmarks than clusters",
			"%d clusters asked for with %d landmarks", c.Clusters, c.Landmarks)
	case c.Nearest < 1:
		return fault.Inputf("ask for at least 1, or 0 for the default",
			"%d nearest landmarks asked for", c.Nearest)
	case !(c.Bandwidth >= 0) || math.IsInf(c.Bandwidth, 1):
		return fault.Inputf("give a number above 0, or 0 for one that fits the data",
			"the bandwidth is %g", c.Bandwidth)
	case c.Sample < c.Landmarks || c.Sample > 1<<20:
		return fault.Inputf("ask for as many rows as landmarks or more, up to 1048576, or 0 for "+
			"the default", "a sample of %d rows asked for, for %d landmarks", c.Sample, c.Landmarks)
	}
	return nil
}

// Result is a partition of all rows, by what is needed to find the cluster of any of them.
type Result struct {
	Model *Model
	Sizes []int64 // rows in each cluster, in the last round; nil without rounds
	// in the layout, over all rows, in the last round; of the sample without rounds
	Inertia   float64
	Rounds    int  // of Lloyd's iteration over all rows
	Converged bool // no centre moved in the last round
	// eigenvalues of the landmark graph's Laplacian that rows are laid out by, rising
	Values     []float64
	Components int // connected parts of the landmark graph, before any were joined
	Sample     int // rows that were drawn
}

// Fit clusters all rows of a table. The number of clusters, the landmarks and the seed decide, with
// the files; neither workers nor threads do. Clusters are numbered by size in the last round, the
// largest first; without rounds, by size in the sample.
//
// It fails with a [*fault.Input] when cfg is out of range, when there are fewer distinct rows in
// the sample than clusters, and on data that cannot be read; and when ctx is done.
func Fit(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey,
	cfg Config) (*Result, error) {
	cfg = cfg.withDefaults()
	if err := cfg.check(); err != nil {
		return nil, err
	}
	passes := passes{r: r, src: src.Bare(), splits: sv.Splits}
	x, err := passes.sample(ctx, sv, cfg)
	if err != nil {
		return nil, err
	}
	model, err := landmarks(ctx, x, cfg)
	if err != nil {
		return nil, err
	}
	gram, err := passes.gram(ctx, model)
	if err != nil {
		return nil, err
	}
	out := &Result{Model: model, Sample: x.Rows}
	if err := out.layOut(ctx, gram, cfg); err != nil {
		return nil, err
	}
	sizes, err := out.start(ctx, x, cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Rounds > 0 {
		s, rounds, err := passes.lloyd(ctx, model, cfg.Rounds)
		if err != nil {
			return nil, err
		}
		out.Rounds, out.Converged, out.Inertia, out.Sizes = rounds, s.Done, s.Inertia, s.Sizes
		sizes = s.Sizes
		model.Centers = s.Model.Centers
	}
	model.bySize(sizes)
	return out, nil
}

// passes are what is done with all rows.
type passes struct {
	r      fold.Runner
	src    shard.Source
	splits []shard.Split
}

// run runs a registered job on the state of a model.
func (p passes) run(ctx context.Context, job string, config any, m *Model,
	rounds int) (fold.Outcome, error) {
	first, err := json.Marshal(state{Model: m})
	if err != nil {
		return fold.Outcome{}, err
	}
	return fold.Run(ctx, p.r,
		fold.Plan{Job: job, Source: p.src, Splits: p.splits, State: first, Rounds: rounds}, config)
}

// landmarks finds landmarks among the rows of a sample: the centres of k-means, or the distinct
// rows where there are no more.
func landmarks(ctx context.Context, x dataset.Matrix, cfg Config) (*Model, error) {
	m := &Model{Columns: x.Cols, Nearest: cfg.Nearest, Bandwidth: cfg.Bandwidth,
		Clusters: cfg.Clusters}
	distinct := distinctRows(x)
	if len(distinct) < cfg.Clusters {
		return nil, fault.Inputf("ask for fewer",
			"%d clusters asked for, and a sample of %s has only %d that differ", cfg.Clusters,
			words.Count(x.Rows, "row"), len(distinct))
	}
	if len(distinct) <= cfg.Landmarks {
		m.Landmarks = x.Subset(distinct).F64
	} else {
		fit, err := kmeans.Fit(ctx, x,
			kmeans.Config{
				Clusters: cfg.Landmarks,
				Limits:   fit.Limits{MaxIterations: 20},
				Options:  fit.Options{Seed: cfg.Seed, Threads: cfg.Threads},
			})
		if err != nil {
			return nil, err
		}
		m.Landmarks = fit.Centers.F64
	}
	m.Nearest = min(m.Nearest, m.landmarks())
	if m.Bandwidth == 0 {
		if m.Bandwidth = m.meanDistance(x); math.IsInf(m.Bandwidth, 1) {
			return nil, fault.Inputf("bring the columns to one scale (--scale minmax)",
				"rows lie too far from landmarks to be compared in 64-bit numbers")
		}
	}
	return m, nil
}

// distinctRows returns the first of each set of equal rows, rising.
func distinctRows(x dataset.Matrix) []int {
	order := make([]int, x.Rows)
	for i := range order {
		order[i] = i
	}
	row := func(i int) []float64 { return x.F64[i*x.Cols : (i+1)*x.Cols] }
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(row(a), row(b)) })
	var first []int
	for t, i := range order {
		if t == 0 || !slices.Equal(row(i), row(order[t-1])) {
			first = append(first, i)
		}
	}
	slices.Sort(first)
	return first
}

// start finds centres of the clusters in the layout of the sample, and how many of its rows each
// has.
func (r *Result) start(ctx context.Context, x dataset.Matrix, cfg Config) ([]int64, error) {
	m := r.Model
	l := m.prepare()
	w := l.workspace()
	rows := make([]float64, 0, x.Rows*m.Dimensions)
	for i := range x.Rows {
		rows = append(rows, w.layOut(x.F64[i*x.Cols:(i+1)*x.Cols])...)
	}
	fit, err := kmeans.Fit(ctx, dataset.Matrix{Rows: x.Rows, Cols: m.Dimensions, F64: rows},
		kmeans.Config{
			Clusters: cfg.Clusters,
			Limits:   fit.Limits{Starts: 10, Tolerance: -1},
			Options:  fit.Options{Seed: cfg.Seed, Threads: cfg.Threads},
		})
	if err != nil {
		return nil, err
	}
	m.Centers = fit.Centers.F64
	r.Inertia = fit.Objective
	sizes := make([]int64, cfg.Clusters)
	for _, c := range fit.Labels {
		sizes[c]++
	}
	return sizes, nil
}
