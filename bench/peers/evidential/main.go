// Command evidential fits k-EVCLUS once and prints what it did as JSON, the way evidentialpeer.py
// does for another library.
//
// usage: evidential THREADS CLUSTERS PARTNERS QUANTILE DATA CLASSES
//
// DATA is a matrix of dissimilarities without a header; PARTNERS 0 stands for all pairs.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fit"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "evidential:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 6 {
		return fmt.Errorf("usage: evidential THREADS CLUSTERS PARTNERS QUANTILE DATA CLASSES")
	}
	var numbers [3]int
	for i := range numbers {
		n, err := strconv.Atoi(args[i])
		if err != nil {
			return err
		}
		numbers[i] = n
	}
	quantile, err := strconv.ParseFloat(args[3], 64)
	if err != nil {
		return err
	}
	ctx := context.Background()
	d, _, err := dissim.Read(ctx, args[4], dissim.ReadOptions{})
	if err != nil {
		return err
	}
	codes, _, err := dissim.ReadLabels(ctx, args[5], d.N)
	if err != nil {
		return err
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
	var seconds float64
	for range 2 { // the second is timed, with memory and processor warm
		began := time.Now()
		if r, err = evclus.Fit(ctx, d, cfg); err != nil {
			return err
		}
		seconds = time.Since(began).Seconds()
	}
	report, err := eval.Compare(r.Credal.ArgMax(belief.MaxPlausibility), classes)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"seconds": seconds, "stress": r.Stress, "ari": report.AdjustedRand,
		"least": slices.Min(r.Credal.Mass),
		"most":  slices.Max(r.Credal.Mass), "off": offOne(r.Credal.Mass, len(r.Credal.Focal)),
	})
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
