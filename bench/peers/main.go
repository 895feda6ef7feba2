// Command peers fits k-means once and prints what it did as JSON, the way peer.py does for other
// libraries.
//
// usage: peers THREADS ITERATIONS DATA CENTERS COLUMNS
package main

import (
	"context"

	"github.com/kindred-go/kindred/bench/peers/rows"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/simd"
)

func main() { rows.Main("peers THREADS ITERATIONS DATA CENTERS COLUMNS", run) }

func run(args []string) (map[string]any, error) {
	numbers, err := rows.Ints(args[0], args[1], args[4])
	if err != nil {
		return nil, err
	}
	data, err := rows.Read(args[2], numbers[2])
	if err != nil {
		return nil, err
	}
	centers, err := rows.Read(args[3], numbers[2])
	if err != nil {
		return nil, err
	}
	cfg := kmeans.Config{
		Clusters: centers.Rows,
		Centers:  centers,
		Options:  fit.Options{Threads: numbers[0]},
		Limits:   fit.Limits{MaxIterations: numbers[1], Tolerance: -1},
	}
	var r *kmeans.Result
	seconds, err := rows.Timed(func() (err error) {
		r, err = kmeans.Fit(context.Background(), data, cfg)
		return err
	})
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"seconds": seconds, "inertia": r.Objective, "iterations": r.Iterations,
		"level": simd.Level(),
	}, nil
}
