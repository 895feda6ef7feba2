package kin_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// BenchmarkNext measures, on 100 000 rows of 64 columns in ten groups, what comes before the first
// question, the next question after each of the first 100 answers (mean, and the slowest), the
// groups after them, and taking one back.
func BenchmarkNext(b *testing.B) {
	x, classes := gaussians(100_000, 64, 10, 0.4)
	for range b.N {
		asked(b, x, classes)
	}
}

// BenchmarkManyGroups measures the same on 200, 500 and 5000 groups in 16 columns that are well
// apart, and the index of k-means with that number.
func BenchmarkManyGroups(b *testing.B) {
	for _, s := range []struct{ rows, groups int }{{10_000, 200}, {20_000, 500}, {100_000, 5000}} {
		b.Run(fmt.Sprintf("%d", s.groups), func(b *testing.B) {
			x, classes := gaussians(s.rows, 16, s.groups, 0.1)
			for range b.N {
				asked(b, x, classes)
				b.StopTimer()
				r, err := kmeans.Fit(b.Context(), x, kmeans.Config{Clusters: s.groups})
				if err != nil {
					b.Fatal(err)
				}
				labels := make([]int, len(r.Labels))
				for i, l := range r.Labels {
					labels[i] = 1 + int(l)
				}
				b.ReportMetric(ari(b, labels, classes), "kmeans_ari")
				b.StartTimer()
			}
		})
	}
}

// gaussians are rows in so many groups, around centres drawn from the unit cube.
func gaussians(n, d, k int, deviation float64) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(1, 1))
	centres := make([]float64, k*d)
	for i := range centres {
		centres[i] = rng.Float64()
	}
	x, classes := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, 0, n*d)}, make([]int32, n)
	for i := range n {
		classes[i] = int32(i % k)
		for j := range d {
			x.F64 = append(x.F64, centres[i%k*d+j]+deviation*rng.NormFloat64())
		}
	}
	return x, classes
}

// asked reports what 100 answers take.
func asked(b *testing.B, x dataset.Matrix, classes []int32) {
	says := func(a, c int) link.Kind { return truly(classes, a, c) }
	start := b.Elapsed()
	run := begin(b, x, kin.Config{})
	run.Next()
	begin := b.Elapsed() - start
	before := ari(b, result(b, run).Labels, classes)
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
	b.ReportMetric(begin.Seconds(), "begin_s")
	b.ReportMetric(float64((asked-begun).Milliseconds())/100, "next_ms")
	b.ReportMetric(float64(slowest.Milliseconds()), "slowest_ms")
	b.ReportMetric(float64((shown - asked).Milliseconds()), "result_ms")
	b.ReportMetric(float64((b.Elapsed() - shown).Milliseconds()), "undo_ms")
	b.ReportMetric(before, "ari@0")
	b.ReportMetric(ari(b, res.Labels, classes), "ari@100")
}
