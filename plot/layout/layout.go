// Package layout places objects in the plane near their nearest neighbours, so that groups that
// need many dimensions are seen apart.
//
// [Fit] minimises the fuzzy cross-entropy of UMAP (McInnes, Healy and Melville, 2018, arXiv
// 1802.03426) between the graph of nearest neighbours and the plane, by stochastic descent from a
// classical scaling that is smoothed along the graph. [Place] adds new objects to a map. [Measure]
// reports how well any map keeps neighbours.
package layout

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/plot/mds"
)

// Config reports how to place objects. Every zero value is the documented default.
type Config struct {
	// Neighbours is the number of others that each object is to lie near; 0: 15, or all others
	// where there are fewer.
	Neighbours int

	Epochs  int    // in which all objects move; 0: 500 up to 10 000 objects, and 200 beyond
	Seed    uint64 // chooses the random numbers
	Threads int    // 0: one per processor; never changes the result

	// Progress, unless nil, receives the share of the work done, from one goroutine.
	Progress func(share float64)
}

// Result is a map.
type Result struct {
	// Points has a row of two coordinates per object. The origin is the mean, and the axes are the
	// principal axes, the wider first. Where no two objects differ, all are at the origin.
	Points dataset.Matrix

	Neighbours *nearest.Neighbours // the graph
	Recall     float64             // of it, as nearest.Recall measures it; 1 where it is exact
	Epochs     int
}

const (
	defaultNeighbours = 15
	fewObjects        = 10_000 // up to which there are 500 epochs
)

// Fit places the objects of src. Dissimilarities need not be a metric.
//
// It fails with a [*fault.Input] when there is no object, the config makes no sense, an object has
// fewer neighbours at finite dissimilarities, or memory does not suffice; and with ctx's error when
// ctx is done.
func Fit(ctx context.Context, src dissim.Source, cfg Config) (*Result, error) {
	n := src.Len()
	if err := check(n, &cfg); err != nil {
		return nil, err
	}
	report := cfg.Progress
	if report == nil {
		report = func(float64) {}
	}
	out := &Result{Recall: 1, Epochs: cfg.Epochs,
		Points: dataset.Matrix{Rows: n, Cols: 2, F64: make([]float64, 2*n)}}
	if n == 1 {
		out.Neighbours = &nearest.Neighbours{Search: nearest.Exact}
		return out, nil
	}
	found, err := nearest.Find(ctx, src, nearest.Config{K: cfg.Neighbours, Seed: cfg.Seed,
		Threads: cfg.Threads, Progress: func(share float64) { report(share * findShare) }})
	if err != nil {
		return nil, err
	}
	out.Neighbours = found
	if out.Recall, err = nearest.Recall(ctx, src, found, cfg.Threads); err != nil {
		return nil, err
	}
	for at, j := range found.Index {
		if j < 0 {
			return nil, fault.Inputf("dissimilarities are finite numbers from 0",
				"object %d has fewer than %d others at finite dissimilarities",
				at/found.K+1, found.K)
		}
	}
	start, err := mds.Classical(ctx, src, mds.Config{Seed: cfg.Seed, Threads: cfg.Threads})
	if err != nil {
		return nil, err
	}
	g := fuzzy(found)
	d := newDescent(g, &start, cfg)
	if d == nil {
		return out, nil
	}
	err = d.run(ctx, func(share float64) { report(findShare + (1-findShare)*share) })
	if err != nil {
		return nil, err
	}
	d.points(&out.Points)
	report(1)
	return out, nil
}

// findShare is about the share of the work that looking for neighbours is.
const findShare = 0.4

// check refuses what makes no sense and fills in defaults.
func check(n int, cfg *Config) error {
	switch {
	case n == 0:
		return fault.Inputf("give at least one", "there are no objects to place")
	case cfg.Neighbours < 0 || cfg.Neighbours > 0 && n > 1 && cfg.Neighbours >= n:
		return fault.Inputf(fmt.Sprintf("ask for 1 to %d, or 0 for 15", n-1),
			"%d neighbours cannot be had among %d objects", cfg.Neighbours, n)
	case cfg.Epochs < 0:
		return fault.Inputf("give a number from 1, or 0 for the default",
			"cannot stop after %d epochs", cfg.Epochs)
	}
	cfg.Neighbours = min(max(1, n-1), cmp.Or(cfg.Neighbours, defaultNeighbours))
	if cfg.Epochs == 0 {
		if cfg.Epochs = 200; n <= fewObjects {
			cfg.Epochs = 500
		}
	}
	return memory.Check(Memory(n, cfg.Neighbours), fmt.Sprintf("a map of %d objects", n),
		"draw fewer rows, or use another layout")
}

// Memory returns the bytes that a map of n objects takes, without the objects: each neighbour 8,
// and as an edge up to two times 12, and each object about 100.
func Memory(n, neighbours int) float64 {
	return float64(n) * (100 + 32*float64(neighbours))
}

// finite reports whether v is a number that is not infinite.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
