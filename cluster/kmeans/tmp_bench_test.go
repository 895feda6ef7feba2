package kmeans_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
)

func BenchmarkTmpWide(b *testing.B) {
	for _, s := range []struct{ n, d, k int }{{100000, 768, 50}, {100000, 384, 100}, {200000, 128, 1000}} {
		rng := rand.New(rand.NewPCG(1, 2))
		centers := make([]float32, s.k*s.d)
		for i := range centers { centers[i] = float32(rng.NormFloat64()) }
		x := make([]float32, s.n*s.d)
		for i := range s.n {
			c := rng.IntN(s.k)
			for j := range s.d { x[i*s.d+j] = 0.5*centers[c*s.d+j] + float32(rng.NormFloat64()) }
		}
		m := dataset.Matrix{Rows: s.n, Cols: s.d, F32: x}
		for _, alg := range []kmeans.Algorithm{kmeans.Auto, kmeans.Lloyd} {
			b.Run(fmt.Sprintf("%dx%d,%d,%v", s.n, s.d, s.k, alg), func(b *testing.B) {
				for b.Loop() {
					r, err := kmeans.Fit(context.Background(), m, kmeans.Config{Clusters: s.k, Algorithm: alg, Limits: fit.Limits{Starts: 1, MaxIterations: 20, Tolerance: -1}})
					if err != nil { b.Fatal(err) }
					b.ReportMetric(float64(r.Iterations), "iters")
				}
			})
		}
	}
}
