// Command peers fits k-means once and prints what it did as JSON, the way peer.py does for other
// libraries.
//
// usage: peers THREADS ITERATIONS DATA CENTERS COLUMNS
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/kindred-go/kindred/bench/peers/rows"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/simd"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 5 {
		return fmt.Errorf("usage: peers THREADS ITERATIONS DATA CENTERS COLUMNS")
	}
	var numbers [3]int
	for i, s := range []string{args[0], args[1], args[4]} {
		n, err := strconv.Atoi(s)
		if err != nil {
			return err
		}
		numbers[i] = n
	}
	data, err := rows.Read(args[2], numbers[2])
	if err != nil {
		return err
	}
	centers, err := rows.Read(args[3], numbers[2])
	if err != nil {
		return err
	}
	cfg := kmeans.Config{
		Clusters: centers.Rows,
		Centers:  centers,
		Options:  fit.Options{Threads: numbers[0]},
		Limits:   fit.Limits{MaxIterations: numbers[1], Tolerance: -1},
	}
	var r *kmeans.Result
	var seconds float64
	for range 2 { // the second is timed, with memory and processor warm
		began := time.Now()
		if r, err = kmeans.Fit(context.Background(), data, cfg); err != nil {
			return err
		}
		seconds = time.Since(began).Seconds()
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"seconds": seconds, "inertia": r.Objective, "iterations": r.Iterations,
		"level": simd.Level(),
	})
}
