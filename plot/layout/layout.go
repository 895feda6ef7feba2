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

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/internal/prototypes"
	"github.com/kindred-go/kindred/plot/mds"
)

// Config is how to place objects. Every zero value is the documented default.
type Config struct {
	// Neighbours is the number of others that each object is to lie near; 0: 15, or all others
	// where there are fewer.
	Neighbours int

	Epochs  int    // in which all objects move; 0: 500 up to 10 000 objects, and 200 beyond
	Seed    uint64 // chooses the random numbers
	Threads int    // 0: one per processor; never changes the result

	// Progress, unless nil, receives the share of the work done, never from two goroutines at once.
	Progress func(share float64)
}

// Result is a map.
type Result struct {
	// Points has a row of two coordinates per object. The origin is the mean, and the axes are the
	// principal axes, the wider first. Equal vectors have one point. Where no object differs from
	// the first, all are at the origin.
	Points dataset.Matrix

	Neighbours int     // that each object was to lie near
	Exact      bool    // whether these are the true nearest ones
	Recall     float64 // the share of them that are, measured on a sample; 1 where Exact
	Epochs     int
}

const (
	defaultNeighbours = 15
	fewObjects        = 10_000  // up to which there are 500 epochs
	mostEpochs        = 100_000 // that can be asked for
	recall            = 0.95    // of neighbours that are not found exactly

	// About the shares of the work that are looking for neighbours, and all before the descent.
	findShare  = 0.4
	beginShare = 0.5
)

// Fit places the objects of src. Dissimilarities need not be a metric. Of equal vectors (see
// [dissim.Embed]) one is placed for all.
//
// It fails with a [*fault.Input] when there is no object, the config makes no sense, a
// dissimilarity is negative or not finite, or memory does not suffice; and with ctx's error when
// ctx is done.
func Fit(ctx context.Context, src dissim.Source, cfg Config) (*Result, error) {
	n := src.Len()
	if err := check(n, &cfg); err != nil {
		return nil, err
	}
	e, ok := dissim.Embed(src)
	if !ok {
		return fit(ctx, src, cfg)
	}
	of, first, err := prototypes.Number(ctx, e.Vectors)
	if err != nil {
		return nil, err
	}
	if len(first) == n {
		return fit(ctx, src, cfg)
	}
	cfg.Neighbours = min(cfg.Neighbours, max(1, len(first)-1))
	out, err := fit(ctx, e.Among(e.Vectors.Subset(first)), cfg)
	if err != nil {
		return nil, err
	}
	all := dataset.Matrix{Rows: n, Cols: 2, F64: make([]float64, 0, 2*n)}
	for _, i := range of {
		all.F64 = append(all.F64, out.Points.F64[2*i:2*i+2]...)
	}
	mds.Turn(all)
	out.Points = all
	return out, nil
}

// fit is Fit of objects of which any may be equal, with a config without defaults.
func fit(ctx context.Context, src dissim.Source, cfg Config) (*Result, error) {
	n := src.Len()
	report := cfg.Progress
	if report == nil {
		report = func(float64) {}
	}
	out := &Result{Neighbours: cfg.Neighbours, Exact: true, Recall: 1, Epochs: cfg.Epochs,
		Points: dataset.Matrix{Rows: n, Cols: 2, F64: make([]float64, 2*n)}}
	differ, err := differ(ctx, src)
	if err != nil || !differ {
		return out, err
	}
	found, err := nearest.Find(ctx, src, nearest.Config{K: cfg.Neighbours, Recall: recall,
		Seed: cfg.Seed, Threads: cfg.Threads,
		Progress: func(share float64) { report(findShare * share) }})
	if err != nil {
		return nil, err
	}
	if out.Recall, err = nearest.Recall(ctx, src, found, cfg.Threads); err != nil {
		return nil, err
	}
	out.Exact = found.Search == nearest.Exact
	start, err := mds.Classical(ctx, src, mds.Config{Seed: cfg.Seed, Threads: cfg.Threads})
	if err != nil {
		return nil, err
	}
	if n <= 3 { // the plane has room for them as they are
		out.Points = start
		report(1)
		return out, nil
	}
	d, err := newDescent(ctx, found, start, cfg)
	if err != nil {
		return nil, err
	}
	report(beginShare)
	err = d.run(ctx, func(share float64) { report(beginShare + (1-beginShare)*share) })
	if err != nil {
		return nil, err
	}
	for p, i := range d.order {
		for axis, v := range d.now[p] {
			out.Points.F64[2*int(i)+axis] = float64(v)
		}
	}
	mds.Turn(out.Points)
	return out, nil
}

// check refuses what makes no sense and fills in defaults.
func check(n int, cfg *Config) error {
	switch {
	case n == 0:
		return fault.Inputf("give at least one", "there are no objects to place")
	case cfg.Neighbours < 0 || cfg.Neighbours > max(1, n-1):
		return fault.Inputf(fmt.Sprintf("ask for 1 to %d, or 0 for up to %d", max(1, n-1),
			defaultNeighbours), "%d neighbours cannot be had among %d objects", cfg.Neighbours, n)
	case cfg.Epochs < 0 || cfg.Epochs > mostEpochs:
		return fault.Inputf(fmt.Sprintf("ask for 1 to %d, or 0 for the default", mostEpochs),
			"cannot stop after %d epochs", cfg.Epochs)
	}
	cfg.Neighbours = min(max(1, n-1), cmp.Or(cfg.Neighbours, defaultNeighbours))
	if cfg.Epochs == 0 {
		if cfg.Epochs = 200; n <= fewObjects {
			cfg.Epochs = 500
		}
	}
	return memory.Check(Memory(n, cfg.Neighbours),
		fmt.Sprintf("the neighbours of a map of %d objects", n),
		"draw fewer rows, or choose another layout")
}

// Memory returns the bytes that a map of n objects takes beside the objects: 36 for each neighbour
// of each, of which 16 are of its edges, and 120 for each object.
func Memory(n, neighbours int) float64 { return float64(n) * (120 + 36*float64(neighbours)) }

// differ reports whether any object differs from the first.
func differ(ctx context.Context, src dissim.Source) (bool, error) {
	row := make([]float32, piece)
	js := make([]int32, piece)
	for lo := 0; lo < src.Len(); lo += piece {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		size := min(piece, src.Len()-lo)
		for t := range size {
			js[t] = int32(lo + t)
		}
		src.Row(row[:size], 0, js[:size])
		for _, v := range row[:size] {
			if v != 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

// piece is the number of objects that others are compared with at a time.
const piece = 256
