// Command streams learns a stream of rows once and prints what it took as JSON, the way streams.py
// does for other libraries.
//
// usage: streams RULE[:SCHEDULE] BLOCK COLUMNS DATA START LABELS
//
// DATA and START, the prototypes to begin with, are files of little-endian float64, row-major.
// LABELS gets the prototype nearest to each row after the pass, as int64.
package main

import (
	"context"
	"strings"
	"time"

	"github.com/kindred-go/kindred/bench/peers/rows"
	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/simd"
)

func main() { rows.Main("streams RULE[:SCHEDULE] BLOCK COLUMNS DATA START LABELS", run) }

func run(args []string) (map[string]any, error) {
	rule, schedule, falling := strings.Cut(args[0], ":")
	// of as many rows as prototypes: all of them
	cfg := competitive.Config{Init: competitive.Sample}
	var err error
	if cfg.Rule, err = competitive.ParseRule(rule); err != nil {
		return nil, err
	}
	if falling {
		if cfg.Rate.Schedule, err = competitive.ParseSchedule(schedule); err != nil {
			return nil, err
		}
	}
	numbers, err := rows.Ints(args[1:3]...)
	if err != nil {
		return nil, err
	}
	block, cols := numbers[0], numbers[1]
	data, err := rows.Read(args[3], cols)
	if err != nil {
		return nil, err
	}
	start, err := rows.Read(args[4], cols)
	if err != nil {
		return nil, err
	}
	cfg.Clusters = start.Rows
	var learner *competitive.Learner
	var seconds float64
	for range 2 { // the second is timed, with memory and processor warm
		if learner, err = competitive.New(cfg, start); err != nil {
			return nil, err
		}
		began := time.Now()
		if err := pass(learner, data, block); err != nil {
			return nil, err
		}
		seconds = time.Since(began).Seconds()
	}
	if err := write(args[5], learner.Publish(), data); err != nil {
		return nil, err
	}
	return map[string]any{"seconds": seconds,
		"level": simd.Level()}, nil
}

// pass learns all rows, block by block, and labels each as it comes.
func pass(learner *competitive.Learner, data dataset.Matrix, block int) error {
	labels := make([]competitive.Label, block)
	for lo := 0; lo < data.Rows; lo += block {
		hi := min(data.Rows, lo+block)
		if _, err := learner.ObserveRows(context.Background(), data.F64[lo*data.Cols:hi*data.Cols],
			labels[:hi-lo]); err != nil {
			return err
		}
	}
	return nil
}

// write labels the rows by the prototypes as they are now.
func write(name string, now *competitive.Snapshot, data dataset.Matrix) error {
	out := make([]int64, data.Rows)
	for i := range out {
		label, err := now.Label(data.F64[i*data.Cols : (i+1)*data.Cols])
		if err != nil {
			return err
		}
		out[i] = int64(label.Cluster)
	}
	return rows.WriteLabels(name, out)
}
