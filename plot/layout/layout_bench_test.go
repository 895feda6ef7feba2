package layout_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/plot/layout"
)

// bent returns rows of 60 groups in 12 dimensions, bent into 384 columns, with noise.
func bent(n int) dataset.Matrix {
	const groups, inner, d = 60, 12, 384
	rng := rand.New(rand.NewPCG(1, 0))
	normals := func(count int, by float64) []float64 {
		out := make([]float64, count)
		for t := range out {
			out[t] = by * rng.NormFloat64()
		}
		return out
	}
	centres, turn := normals(groups*inner, 1), normals(inner*d, 1/math.Sqrt(inner))
	x := dataset.Matrix{Rows: n, Cols: d, F32: make([]float32, 0, n*d)}
	for range n {
		z := normals(inner, 0.35)
		c := rng.IntN(groups)
		for j := range d {
			sum := 0.0
			for k, v := range z {
				sum += (v + centres[c*inner+k]) * turn[k*d+j]
			}
			x.F32 = append(x.F32, float32(math.Tanh(sum)+0.1*rng.NormFloat64()))
		}
	}
	return x
}

func BenchmarkFit(b *testing.B) {
	src := source(b, bent(20_000))
	for b.Loop() {
		if _, err := layout.Fit(b.Context(), src, layout.Config{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMeasure(b *testing.B) {
	x := bent(20_000)
	src := source(b, x)
	got := fit(b, x, layout.Config{Epochs: 1})
	for b.Loop() {
		if _, err := layout.Measure(b.Context(), src, got.Points, 0, 0); err != nil {
			b.Fatal(err)
		}
	}
}
