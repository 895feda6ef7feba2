package linalg_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/internal/linalg"
)

// Eigenvalues and vectors are those of the matrix: Q is orthogonal, and Qᵀ·diag·Q is the matrix.
// Some are made of few vectors, so that most eigenvalues are the same, some have values of very
// different sizes, some are diagonal.
func TestQL(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 40).Draw(t, "d")
		rank := rapid.IntRange(0, d+3).Draw(t, "rank")
		spread := rapid.SampledFrom([]float64{0, 1, 8}).Draw(t, "spread")
		sparse := rapid.Bool().Draw(t, "sparse")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		a, most := make([]float64, d*d), 0.0
		for range rank {
			x, sign := make([]float64, d), 1.0
			if rng.IntN(3) == 0 {
				sign = -1
			}
			for j := range x {
				if !sparse || rng.IntN(d) == 0 {
					x[j] = rng.NormFloat64() * math.Pow(10, spread*(rng.Float64()-0.5))
				}
			}
			for i := range a {
				a[i] += sign * x[i/d] * x[i%d]
				most = max(most, math.Abs(a[i]))
			}
		}
		q := append([]float64(nil), a...)
		lambda, err := linalg.QL(context.Background(), q, d, 1e-20)
		if err != nil {
			t.Fatal(err)
		}
		for r := range d {
			for c := range d {
				unit, back := 0.0, 0.0
				for e := range d {
					unit += q[r*d+e] * q[c*d+e]
					back += lambda[e] * q[e*d+r] * q[e*d+c]
				}
				if r == c {
					unit--
				}
				if math.Abs(unit) > 1e-12*float64(d) {
					t.Fatalf("vectors %d and %d: off by %g", r, c, unit)
				}
				if off := back - a[r*d+c]; math.Abs(off) > 1e-13*float64(d)*(1+most*float64(d)) {
					t.Fatalf("entry %d, %d is %g, of the eigenvectors %g", r, c, a[r*d+c], back)
				}
			}
		}
	})
}
