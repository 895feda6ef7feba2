package eval_test

import (
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/eval"
)

func BenchmarkCompare(b *testing.B) {
	const n = 1_000_000
	for _, c := range []struct {
		name              string
		clusters, classes int
	}{{"few", 20, 10}, {"many", 100_000, 100_000}} {
		rng := rand.New(rand.NewPCG(1, 2))
		pred := by(n, func(int) int { return rng.IntN(c.clusters) + 1 })
		truth := by(n, func(int) int { return rng.IntN(c.classes) + 1 })
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				compare(b, pred, truth)
			}
		})
	}
}

func BenchmarkSilhouette(b *testing.B) {
	x := lattice(10_000, 16)
	labels := by(x.Rows, func(i int) int { return i%10 + 1 })
	for b.Loop() {
		if _, err := eval.Silhouette(b.Context(), x, labels, eval.SilhouetteConfig{}); err != nil {
			b.Fatal(err)
		}
	}
}
