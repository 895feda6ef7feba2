package kmeans_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/scale/fold"
	scalekmeans "github.com/kindred-go/kindred/scale/kmeans"
)

// Small integers make ties, duplicates and empty clusters, and their sums are exact: the two fits
// then agree in every bit of the centres, in the iterations and in what was repaired.
func TestSmallTablesAgreeInEveryBit(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := rapid.IntRange(1, 3).Draw(r, "d")
		n := rapid.IntRange(1, 60).Draw(r, "n")
		whole := rapid.Map(rapid.IntRange(-4, 4), func(v int) float64 { return float64(v) })
		m := dataset.Matrix{Rows: n, Cols: d, F64: rapid.SliceOfN(whole, n*d, n*d).Draw(r, "rows")}
		k := rapid.IntRange(1, min(n, 8)).Draw(r, "k")
		cfg := kmeans.Config{
			Clusters: k,
			Limits: fit.Limits{MaxIterations: rapid.IntRange(1, 6).Draw(r, "iterations"),
				Tolerance: rapid.SampledFrom([]float64{-1, 0, 0.1}).Draw(r, "tolerance")},
			Options: fit.Options{Seed: rapid.Uint64Max(9).Draw(r, "seed")},
		}
		if rapid.Bool().Draw(r, "given") {
			far := rapid.Map(rapid.IntRange(-9, 9), func(v int) float64 { return float64(v) })
			cfg.Centers = dataset.Matrix{Rows: k, Cols: d,
				F64: rapid.SliceOfN(far, k*d, k*d).Draw(r, "centres")}
		}
		want, err := kmeans.Fit(context.Background(), m, cfg)
		if err != nil {
			r.Fatal(err)
		}
		src, sv := table(t, m, rapid.IntRange(1, min(n, 4)).Draw(r, "files"),
			rapid.IntRange(1, 20).Draw(r, "a split"))
		got, err := scalekmeans.Fit(context.Background(), fold.Local{Threads: 2}, src, sv,
			scalekmeans.Config{
				Clusters: k, Centers: cfg.Centers, MaxIterations: cfg.MaxIterations,
				Tolerance: cfg.Tolerance, Seed: cfg.Seed,
			})
		if err != nil {
			r.Fatal(err)
		}
		if !slices.Equal(got.Centers.F64, want.Centers.F64) {
			r.Errorf("centres %v, and %v on one machine", got.Centers.F64, want.Centers.F64)
		}
		if got.Iterations != want.Iterations || got.Stopped != want.Stopped ||
			got.EmptyRepaired != want.EmptyRepaired {
			r.Errorf("%d iterations, %v, %d repaired; on one machine %d, %v, %d", got.Iterations,
				got.Stopped, got.EmptyRepaired,
				want.Iterations, want.Stopped, want.EmptyRepaired)
		}
		if fmt.Sprint(got.Sizes) != fmt.Sprint(want.Sizes) {
			r.Errorf("sizes %v, and %v on one machine", got.Sizes, want.Sizes)
		}
		for i := 1; i < len(got.Trace); i++ {
			if got.Trace[i] > got.Trace[i-1]*(1+1e-12) {
				r.Errorf("the inertia rises: %v", got.Trace)
			}
		}
		medoids, err := kmeans.Medoids(context.Background(), m, want.Labels, want.Centers, nil, 1)
		if err != nil {
			r.Fatal(err)
		}
		for c, i := range medoids {
			if got.Medoids[c].Row != int64(i) {
				r.Errorf("medoid %d of cluster %d, and %d on one machine", got.Medoids[c].Row, c, i)
			}
		}
	})
}
