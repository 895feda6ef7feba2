package kin_test

import (
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/data/dataset"
)

// BenchmarkFirstQuestion is what comes before the first question about 100 000 vectors of 768
// float32 in 50 groups, after reading.
func BenchmarkFirstQuestion(b *testing.B) {
	const n, d, k = 100_000, 768, 50
	rng := rand.New(rand.NewPCG(1, 1))
	centres := make([]float32, k*d)
	for i := range centres {
		centres[i] = 0.5 * float32(rng.NormFloat64())
	}
	x := dataset.Matrix{Rows: n, Cols: d, F32: make([]float32, 0, n*d)}
	for range n {
		at := rng.IntN(k) * d
		for _, c := range centres[at : at+d] {
			x.F32 = append(x.F32, c+float32(rng.NormFloat64()))
		}
	}
	for b.Loop() {
		if _, ok := begin(b, x, kin.Config{}).Next(); !ok {
			b.Fatal("no question")
		}
	}
}
