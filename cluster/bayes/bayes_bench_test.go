package bayes_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/cluster/bayes"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
)

// BenchmarkNaiveBayes times whole fits to rows of which a hundredth are of known class.
func BenchmarkNaiveBayes(b *testing.B) {
	const n, d, k = 100_000, 16, 10
	rng := rand.New(rand.NewPCG(1, 7))
	var at [k * d]float64
	for i := range at {
		at[i] = 4 * rng.Float64()
	}
	m, known := dataset.Matrix{Rows: n, Cols: d}, make([]int32, n)
	for i := range n {
		c := rng.IntN(k)
		if known[i] = -1; i%100 == 0 {
			known[i] = int32(c)
		}
		for j := range d {
			m.F64 = append(m.F64, max(0, at[c*d+j]+rng.NormFloat64()))
		}
	}
	for _, likelihood := range []bayes.Likelihood{bayes.Gaussian, bayes.Multinomial} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%v/%dx%d/k=%d/threads=%d", likelihood, n, d, k, threads),
				func(b *testing.B) {
					iterations := 0
					for b.Loop() {
						r, err := bayes.Fit(context.Background(), m,
							bayes.Config{Knowledge: fit.Knowledge{Known: known}, Clusters: k,
								Likelihood: likelihood, Options: fit.Options{Threads: threads}})
						if err != nil {
							b.Fatal(err)
						}
						iterations += r.Iterations
					}
					b.ReportMetric(float64(iterations)/float64(b.N), "iterations")
					b.ReportMetric(1e3*b.Elapsed().Seconds()/float64(iterations), "ms/iteration")
				})
		}
	}
}
