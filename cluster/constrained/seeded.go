package constrained

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
)

// SeededConfig holds the parameters of [FitSeeded].
type SeededConfig struct {
	Config

	// Hold keeps the rows of known classes in the clusters of their classes: constrained k-means.
	// Otherwise their classes only decide where to start: seeded k-means.
	Hold bool
}

// FitSeeded partitions the rows of data, which it does not change, from clusters that are seeded by
// the rows of known classes, which are below Clusters (Basu, Banerjee and Mooney, ICML 2002,
// figures 1 and 2). Cluster c begins at the mean of the rows of class c; classes without rows, and
// clusters beyond them, begin as [kmeans.Draw] draws them beside the others (ours; the paper asks
// for a seed of each). Then Lloyd's iteration follows, in which, with Hold, rows of known classes
// stay in the clusters of these. The objective is the sum of squared distances from the centres,
// which never rises.
//
// With Hold a cluster of known rows is never empty; another may lose all rows, and then keeps its
// centre. Without Hold an empty cluster begins again at the row farthest from its centre, as in
// [kmeans.Fit]. Violated and Clashing stay empty.
//
// When ctx is done it returns an error that wraps ctx's. Input that cannot be fitted (more clusters
// than distinct rows, a class that is not below Clusters, values that are not finite) is a
// [*fault.Input].
func FitSeeded(ctx context.Context, data dataset.Matrix, cfg SeededConfig) (*Result, error) {
	cfg.Starts = cmp.Or(cfg.Starts, 1)
	cfg.Links = nil
	p, err := prepare(ctx, data, cfg.Config)
	if err != nil {
		return nil, err
	}
	if err := cfg.CheckKnown("clusters", cfg.Clusters, data.Rows); err != nil {
		return nil, err
	}
	seeds, classes := p.seeds(cfg.Known)
	if len(classes) == cfg.Clusters {
		p.cfg.Starts = 1 // all starts are the same
	}
	return p.fit(ctx, func(start int, rng *rand.Rand) (*Result, error) {
		drawn, err := p.draw(ctx, seeds, rng)
		if err != nil {
			return nil, err
		}
		centers := p.inPlaces(drawn, classes)
		if !cfg.Hold {
			return p.follow(ctx, centers, start)
		}
		return p.lloyd(ctx, start, centers, additions{
			settle: func(labels []int32, _ []float64) error {
				for i, c := range cfg.Known {
					if c >= 0 {
						labels[i] = c
					}
				}
				return nil
			},
			scale: 1,
		})
	})
}

// seeds returns the mean of the rows of each class that has any, and which classes these are,
// rising.
func (t *table) seeds(known []int32) ([]float64, []int) {
	sums, counts := make([]float64, t.k*t.d), make([]float64, t.k)
	var row []float64
	for i, c := range known {
		if c < 0 {
			continue
		}
		counts[c]++
		row = t.data.AppendRow(row[:0], i)
		for j, v := range row {
			sums[int(c)*t.d+j] += v - t.origin[j]
		}
	}
	t.update(sums, slices.Clone(sums), counts)
	var seeds []float64
	var classes []int
	for c, m := range counts {
		if m > 0 {
			seeds, classes = append(seeds, sums[c*t.d:(c+1)*t.d]...), append(classes, c)
		}
	}
	return seeds, classes
}

// inPlaces puts the first centres in the places of classes, and the others in those left over.
func (t *table) inPlaces(drawn []float64, classes []int) []float64 {
	out := make([]float64, len(drawn))
	first, next := drawn, drawn[len(classes)*t.d:]
	for c := range t.k {
		from := &next
		if slices.Contains(classes, c) {
			from = &first
		}
		copy(out[c*t.d:(c+1)*t.d], *from)
		*from = (*from)[t.d:]
	}
	return out
}

// follow is Lloyd's iteration from the centres.
func (p *problem) follow(ctx context.Context, centers []float64, start int) (*Result, error) {
	r, err := kmeans.Fit(ctx, p.data, kmeans.Config{
		Options: fit.Options{Threads: p.threads, Progress: func(of fit.Progress) {
			fit.Step(p.cfg.Options, p.cfg.Limits, start, of.Iteration, of.Objective)
		}},
		Limits:   fit.Limits{MaxIterations: p.cfg.MaxIterations, Tolerance: -1},
		Clusters: p.k, Centers: p.centers(centers),
	})
	if err != nil {
		return nil, err
	}
	return &Result{Labels: r.Labels, Centers: r.Centers, Objective: r.Objective,
		Iterations: r.Iterations, Stopped: r.Stopped, Trace: r.Trace}, nil
}
