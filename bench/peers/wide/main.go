// Command wide does one piece of work of wide.py and prints what it took as JSON, the way
// wide_peer.py does for other libraries.
//
// usage: wide WORK THREADS DATA COLUMNS PARAMETER RESULT
package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/kindred-go/kindred/bench/peers/rows"
	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/plot/layout"
)

func main() { rows.Main("wide WORK THREADS DATA COLUMNS PARAMETER RESULT", run) }

// work does one piece of work and returns what is compared: labels or neighbours, and figures.
type work func(ctx context.Context, x dataset.Matrix, parameter float64, o fit.Options) ([]int64,
	map[string]any, error)

var works = map[string]work{
	"kmeans": kMeans, "knn": neighbours(nearest.Exact), "graph": neighbours(nearest.Approximate),
	"dbscan": dbscan, "hdbscan": hdbscan,
	"ward": linkage(hierarchy.Ward), "average": linkage(hierarchy.Average),
	"complete": linkage(hierarchy.Complete), "single": linkage(hierarchy.Single),
	"layout": places,
}

func run(args []string) (map[string]any, error) {
	do, ok := works[args[0]]
	if !ok {
		return nil, fmt.Errorf("there is no work %q", args[0])
	}
	numbers, err := rows.Ints(args[1], args[3])
	if err != nil {
		return nil, err
	}
	var parameter float64
	if _, err := fmt.Sscan(args[4], &parameter); err != nil {
		return nil, err
	}
	values, err := rows.Values[float32](args[2])
	if err != nil {
		return nil, err
	}
	x := dataset.Matrix{Rows: len(values) / numbers[1], Cols: numbers[1], F32: values}
	options := fit.Options{Threads: numbers[0]}
	warm := x
	warm.Rows = min(2000, x.Rows)
	warm.F32 = x.F32[:warm.Rows*x.Cols]
	ctx := context.Background()
	if _, _, err := do(ctx, warm, parameter, options); err != nil {
		return nil, err
	}
	held := peak()
	before, began := processor(), time.Now()
	result, figures, err := do(ctx, x, parameter, options)
	if err != nil {
		return nil, err
	}
	figures["seconds"] = time.Since(began).Seconds()
	figures["processor"] = processor() - before
	figures["more"] = peak() - held
	return figures, rows.WriteLabels(args[5], result)
}

// processor returns the seconds of processor time taken so far.
func processor() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// peak returns the most memory held so far, in MiB.
func peak() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Maxrss) / 1024
}

// kMeans makes 20 iterations from K rows at equal steps.
func kMeans(ctx context.Context, x dataset.Matrix, parameter float64, o fit.Options) ([]int64,
	map[string]any, error) {
	k := int(parameter)
	start := dataset.Matrix{Rows: k, Cols: x.Cols}
	for c := range k {
		start.F64 = x.AppendRow(start.F64, c*(x.Rows/k))
	}
	r, err := kmeans.Fit(ctx, x, kmeans.Config{Clusters: k, Centers: start, Options: o,
		Limits: fit.Limits{MaxIterations: 20, Tolerance: -1}})
	if err != nil {
		return nil, nil, err
	}
	return wide(r.Labels), map[string]any{"objective": r.Objective}, nil
}

// neighbours finds as many neighbours of each row as the parameter.
func neighbours(how nearest.Search) work {
	return func(ctx context.Context, x dataset.Matrix, parameter float64, o fit.Options) ([]int64,
		map[string]any, error) {
		src, err := dissim.Vectors(x, dissim.Euclidean)
		if err != nil {
			return nil, nil, err
		}
		found, err := nearest.Find(ctx, src, nearest.Config{K: int(parameter), Search: how,
			Threads: o.Threads})
		if err != nil {
			return nil, nil, err
		}
		return wide(found.Index), map[string]any{}, nil
	}
}

// dbscan takes the parameter for the radius, and 10 points.
func dbscan(ctx context.Context, x dataset.Matrix, parameter float64, o fit.Options) ([]int64,
	map[string]any, error) {
	r, err := density.FitDBSCAN(ctx, density.Objects{Vectors: x},
		density.Config{Options: o, Eps: parameter, MinPoints: 10})
	if err != nil {
		return nil, nil, err
	}
	return wide(r.Labels), map[string]any{"clusters": r.Clusters}, nil
}

// hdbscan takes the parameter for the least size of a cluster and for the points.
func hdbscan(ctx context.Context, x dataset.Matrix, parameter float64, o fit.Options) ([]int64,
	map[string]any, error) {
	r, err := density.FitHDBSCAN(ctx, density.Objects{Vectors: x},
		density.HDBSCANConfig{Options: o, MinClusterSize: int(parameter)})
	if err != nil {
		return nil, nil, err
	}
	return wide(r.Labels), map[string]any{"clusters": r.Clusters}, nil
}

// linkage cuts the tree into as many groups as the parameter.
func linkage(how hierarchy.Linkage) work {
	return func(ctx context.Context, x dataset.Matrix, parameter float64, o fit.Options) ([]int64,
		map[string]any, error) {
		tree, err := hierarchy.Fit(ctx, x, hierarchy.Config{Options: o, Linkage: how})
		if err != nil {
			return nil, nil, err
		}
		total := 0.0
		for _, s := range tree.Merges {
			total += s.Height
		}
		labels, err := tree.Cut(int(parameter))
		if err != nil {
			return nil, nil, err
		}
		return wide(labels), map[string]any{"heights": total}, nil
	}
}

// perUnit is how many steps a place is rounded to.
const perUnit = 1e6

// places makes a map of neighbours.
func places(ctx context.Context, x dataset.Matrix, parameter float64, o fit.Options) ([]int64,
	map[string]any, error) {
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		return nil, nil, err
	}
	r, err := layout.Fit(ctx, src, layout.Config{Threads: o.Threads,
		Neighbours: int(parameter)})
	if err != nil {
		return nil, nil, err
	}
	out := make([]int64, len(r.Points.F64))
	for i, v := range r.Points.F64 {
		out[i] = int64(v * perUnit)
	}
	return out, map[string]any{}, nil
}

func wide(labels []int32) []int64 {
	out := make([]int64, len(labels))
	for i, l := range labels {
		out[i] = int64(l)
	}
	return out
}
