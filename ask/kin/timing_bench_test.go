package kin_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// BenchmarkNext measures, on 100 000 rows of 64 columns in ten groups, what comes before the first
// question, the next question after each of the first 100 answers (mean, and the slowest), the
// groups after them, and taking one back.
func BenchmarkNext(b *testing.B) {
	const n, d, k = 100_000, 64, 10
	rng := rand.New(rand.NewPCG(1, 1))
	centres := make([]float64, k*d)
	for i := range centres {
		centres[i] = rng.Float64()
	}
	x, classes := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, 0, n*d)}, make([]int32, n)
	for i := range n {
		classes[i] = int32(i % k)
		for j := range d {
			x.F64 = append(x.F64, centres[i%k*d+j]+0.4*rng.NormFloat64())
		}
	}
	says := func(a, c int) link.Kind { return truly(classes, a, c) }
	for range b.N {
		start := b.Elapsed()
		run := begin(b, x, kin.Config{})
		begun := b.Elapsed()
		slowest := time.Duration(0)
		for range 100 {
			before := b.Elapsed()
			answer(b, run, 1, says)
			slowest = max(slowest, b.Elapsed()-before)
		}
		asked := b.Elapsed()
		res := result(b, run)
		shown := b.Elapsed()
		run.Undo()
		run.Next()
		b.ReportMetric((begun - start).Seconds(), "begin_s")
		b.ReportMetric(float64((asked-begun).Milliseconds())/100, "next_ms")
		b.ReportMetric(float64(slowest.Milliseconds()), "slowest_ms")
		b.ReportMetric(float64((shown - asked).Milliseconds()), "result_ms")
		b.ReportMetric(float64((b.Elapsed() - shown).Milliseconds()), "undo_ms")
		b.ReportMetric(ari(b, res.Labels, classes), "ari@100")
	}
}
