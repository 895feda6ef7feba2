package constrained

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// MPCKConfig holds the parameters of [FitMPCK].
type MPCKConfig struct {
	Config

	// LinkWeight is what a violated link weighs beside the squared distances that its cost is made
	// of. 0: 1.
	LinkWeight float64

	// Metric is what clusters learn: Diagonal and Full are MPCK-means; with Euclidean nothing is
	// learnt.
	Metric fit.Metric

	// Shared lets all clusters learn one metric together.
	Shared bool

	// Blocks are columns that stand for one thing: those of a block have one weight, and none
	// covaries with others. A column is in one block at most; a block has at least one.
	Blocks [][]int
}

// MPCKResult is a partition, and what its clusters have learnt.
type MPCKResult struct {
	Result
	Metric fit.Metric
	// of each cluster W with WᵀW = A: k×d, the diagonals; or k×d(d+1)/2, the lower triangles row by
	// row
	Roots  []float64
	LogDet []float64 // of each cluster ln det A, k values
}

// checkBlocks returns an error where blocks are not some columns of d, each in one of them.
func checkBlocks(blocks [][]int, d int) error {
	in := make(map[int]int)
	for b, columns := range blocks {
		if len(columns) == 0 {
			return fault.Inputf("leave it out", "block %d has no columns", b)
		}
		for _, c := range columns {
			if c < 0 || c >= d {
				return fault.Inputf(fmt.Sprintf("name columns from 0 to %d", d-1),
					"block %d has the column %d", b, c)
			}
			if other, twice := in[c]; twice {
				return fault.Inputf("name each column once", "column %d is in block %d and in block %d",
					c, other, b)
			}
			in[c] = b
		}
	}
	return nil
}

// FitMPCK partitions the rows of data, which it does not change, under must-links and cannot-links
// by MPCK-means (Bilenko, Basu and Mooney, ICML 2004, figure 1), whose clusters learn metrics A.
// With d_A(x,y) = (x−y)ᵀA(x−y) it looks for little of
//
//	Σ (d_A(x,μ) − ln det A) + w Σ ½(d_A(x,y) + d_B(x,y)) + w Σ (d_A(x′,x″) − d_A(x,y))
//
// where A is the metric of the row's cluster. The second sum runs over violated must-links, of rows
// in clusters with the metrics A and B, the third over violated cannot-links, of rows in the
// cluster with metric A, of which (x′,x″) is the farthest pair of rows. Links are as given, each
// once, by its confidence: one given twice counts twice, and one that follows from others costs
// nothing more (ours). Unknown links mean nothing.
//
// Starts begin as in [FitPCK], with A the identity. In an iteration rows are placed as there, at
// these costs. Then the centres become means, and the metric of a cluster C the inverse of
//
//	V = (Σ(x−μ)(x−μ)ᵀ + w Σ ½(x−y)(x−y)ᵀ + w Σ((x′−x″)(x′−x″)ᵀ − (x−y)(x−y)ᵀ)) / |C|
//
// over the rows of C, and the violated links with an end in C. A shared metric has the sums over
// all clusters, divided by n. V can be singular, and have negative eigenvalues by its last term.
// Those below 0.01, with V in units of the variances of the columns, are raised to that (ours; for
// diagonal metrics those of the diagonal). This is the metric of least objective among those that
// reckon with no less variance, so while the farthest pairs are those of the metrics before,
// neither step ever raises the objective. It can rise when they are looked up again, and so only
// where cannot-links are violated; the best partition seen is returned. A cluster without rows
// keeps its centre and metric.
//
// Columns of a block have one weight (ours): V has the mean of their variances for each of them, and
// no covariances.
//
// The farthest pairs are found exactly where the rows that they may be among are at most 1500, as
// always for up to 1500 rows; otherwise among those farthest from the mean, and then their squared
// distance is at least a quarter of the greatest (ours).
//
// Full metrics take k·(n·d² + d³) an iteration, one that is shared n·d² + d³, the others n·d·k.
// Memory is n·d values a thread, and for full metrics up to 64 times k·d²/2, while that is below
// 2²⁴ values, else 4 times.
//
// When ctx is done it returns an error that wraps ctx's. Input that cannot be fitted is a
// [*fault.Input], and links that contradict each other are a [*link.Contradiction] where they are
// refused; where they are kept all of them weigh.
func FitMPCK(ctx context.Context, data dataset.Matrix, cfg MPCKConfig) (*MPCKResult, error) {
	if err := checkWeight(cfg.LinkWeight); err != nil {
		return nil, err
	}
	if cfg.Metric < fit.Euclidean || cfg.Metric > fit.Full {
		return nil, fault.Inputf("", "unknown metric, %v", cfg.Metric)
	}
	if err := checkBlocks(cfg.Blocks, data.Cols); err != nil {
		return nil, err
	}
	cfg.LinkWeight = cmp.Or(cfg.LinkWeight, 1)
	p, err := prepare(ctx, data, cfg.Config)
	if err != nil {
		return nil, err
	}
	l := newLinked(data, cfg.Links, cfg.Clusters)
	groups := l.components(p.set)
	units, err := p.variances(ctx, cfg.Blocks)
	if err != nil {
		return nil, err
	}
	out := &MPCKResult{Metric: cfg.Metric}
	roots, logDets := make([][]float64, p.cfg.Starts), make([][]float64, p.cfg.Starts)
	r, err := p.fit(ctx, func(start int, rng *rand.Rand) (*Result, error) {
		centers, err := p.starting(ctx, start, l, groups, rng)
		if err != nil {
			return nil, err
		}
		m := newMPCK(p.table, newField(l, groups), newMetrics(cfg.Metric, p.k, units, cfg.Blocks),
			centers, cfg)
		return p.iterate(ctx, start, centers, steps{
			assign: func() ([]int32, float64, error) {
				if err := m.lookUp(ctx); err != nil {
					return nil, 0, err
				}
				if err := m.assign(ctx, rng); err != nil {
					return nil, 0, err
				}
				objective, err := m.objective(ctx)
				return m.labels, objective, err
			},
			learn: func([]int32) error { return m.learn(ctx) },
			best: func() {
				roots[start] = append(roots[start][:0], m.root...)
				logDets[start] = append(logDets[start][:0], m.logDet...)
			},
			settled: settled,
		})
	})
	if err != nil {
		return nil, err
	}
	out.Result, out.Roots, out.LogDet = *r, roots[r.Start], logDets[r.Start]
	return out, nil
}

// settled reports whether the objective has come to rest: metrics of the same labels still change
// while the farthest pairs do.
func settled(trace []float64) bool {
	n := len(trace)
	return n > 1 && trace[n-2]-trace[n-1] <= 1e-9*max(trace[n-1], -trace[n-1])
}
