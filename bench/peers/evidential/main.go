// Command evidential fits k-EVCLUS once and prints what it did as JSON, the way evidentialpeer.py
// does for another library.
//
// usage: evidential THREADS CLUSTERS PARTNERS QUANTILE DATA CLASSES
//
// DATA is a matrix of dissimilarities without a header; PARTNERS 0 means all pairs.
package main

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/bench/peers/rows"
	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fit"
)

func main() { rows.Main("evidential THREADS CLUSTERS PARTNERS QUANTILE DATA CLASSES", run) }

func run(args []string) (map[string]any, error) {
	numbers, err := rows.Ints(args[:3]...)
	if err != nil {
		return nil, err
	}
	quantile, err := strconv.ParseFloat(args[3], 64)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	d, _, err := dissim.Read(ctx, args[4], dissim.ReadOptions{})
	if err != nil {
		return nil, err
	}
	codes, _, err := dissim.ReadLabels(ctx, args[5], d.N)
	if err != nil {
		return nil, err
	}
	classes := make([]int, d.N)
	for i, c := range codes {
		classes[i] = int(c)
	}
	cfg := evclus.Config{
		Clusters: numbers[1],
		Partners: numbers[2],
		Options:  fit.Options{Threads: numbers[0]},
		D0:       evclus.D0{Quantile: quantile},
	}
	var r *evclus.Result
	seconds, err := rows.Timed(func() (err error) {
		r, err = evclus.Fit(ctx, d, cfg)
		return err
	})
	if err != nil {
		return nil, err
	}
	report, err := eval.Compare(r.Credal.ArgMax(belief.MaxPlausibility), classes)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"seconds": seconds, "stress": r.Stress, "ari": report.AdjustedRand,
		"least": slices.Min(r.Credal.Mass),
		"most":  slices.Max(r.Credal.Mass), "off": offOne(r.Credal.Mass, len(r.Credal.Focal)),
	}, nil
}

// offOne returns how far from 1 masses sum at worst.
func offOne(mass []float64, f int) float64 {
	far := 0.0
	for i := 0; i < len(mass); i += f {
		sum := 0.0
		for _, m := range mass[i : i+f] {
			sum += m
		}
		far = max(far, math.Abs(sum-1))
	}
	return far
}
