package spectral_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/cluster/spectral"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/link"
)

var ctx = context.Background()

func must(a, b int) link.Link   { return link.Link{A: a, B: b, Kind: link.MustLink} }
func cannot(a, b int) link.Link { return link.Link{A: a, B: b, Kind: link.CannotLink} }

// cloud draws n rows of d values between −1 and 1.
func cloud(n, d int, seed uint64) dataset.Matrix {
	rng := rand.New(rand.NewPCG(seed, 7))
	m := dataset.Matrix{Rows: n, Cols: d}
	for range n * d {
		m.F64 = append(m.F64, 2*rng.Float64()-1)
	}
	return m
}

// moons are two half circles that reach into each other, with noise.
func moons(n int, noise float64, seed uint64) (dataset.Matrix, []int) {
	rng := rand.New(rand.NewPCG(seed, 8))
	m := dataset.Matrix{Rows: n, Cols: 2}
	class := make([]int, n)
	for i := range n {
		t := math.Pi * rng.Float64()
		x, y := math.Cos(t), math.Sin(t)
		if class[i] = i % 2; i%2 == 1 {
			x, y = 1-x, 0.5-y
		}
		m.F64 = append(m.F64, x+noise*(2*rng.Float64()-1), y+noise*(2*rng.Float64()-1))
	}
	return m, class
}

// spirals are three arms.
func spirals(n int, seed uint64) (dataset.Matrix, []int) {
	rng := rand.New(rand.NewPCG(seed, 9))
	m := dataset.Matrix{Rows: n, Cols: 2}
	class := make([]int, n)
	for i := range n {
		class[i] = i % 3
		r := 0.2 + 0.8*math.Sqrt(rng.Float64())
		t := 5*r + 2*math.Pi*float64(i%3)/3
		m.F64 = append(m.F64, r*math.Cos(t)+0.01*rng.Float64(), r*math.Sin(t)+0.01*rng.Float64())
	}
	return m, class
}

func ints(labels []int32) []int {
	out := make([]int, len(labels))
	for i, c := range labels {
		out[i] = int(c)
	}
	return out
}

func rand0(t testing.TB, truth []int, labels []int32) float64 {
	t.Helper()
	r, err := eval.Compare(truth, ints(labels))
	if err != nil {
		t.Fatal(err)
	}
	return r.AdjustedRand
}

func graph(t testing.TB, x dataset.Matrix, cfg spectral.GraphConfig) *spectral.Graph {
	t.Helper()
	g, err := spectral.VectorGraph(ctx, x, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
