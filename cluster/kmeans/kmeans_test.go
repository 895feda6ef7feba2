package kmeans_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
)

// blobs draws n rows of d values about k centres.
func blobs(n, d, k int, seed uint64) dataset.Matrix {
	rng := rand.New(rand.NewPCG(seed, 7))
	at := make([]float64, k*d)
	for i := range at {
		at[i] = 10 * rng.Float64()
	}
	values := make([]float64, 0, n*d)
	for range n {
		c := rng.IntN(k)
		for j := range d {
			values = append(values, at[c*d+j]+rng.NormFloat64())
		}
	}
	return dataset.Matrix{Rows: n, Cols: d, F64: values}
}

func single(m dataset.Matrix) dataset.Matrix {
	out := make([]float32, len(m.F64))
	for i, v := range m.F64 {
		out[i] = float32(v)
	}
	return dataset.Matrix{Rows: m.Rows, Cols: m.Cols, F32: out}
}

// first returns the first k rows of m as float64.
func first(m dataset.Matrix, k int) dataset.Matrix {
	var out []float64
	for i := range k {
		out = m.AppendRow(out, i)
	}
	return dataset.Matrix{Rows: k, Cols: m.Cols, F64: out}
}

func mustFit(t *testing.T, m dataset.Matrix, cfg kmeans.Config) *kmeans.Result {
	t.Helper()
	r, err := kmeans.Fit(context.Background(), m, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// plainLloyd is k-means as a textbook has it.
func plainLloyd(m dataset.Matrix, centers []float64, k, iterations int) (labels []int32,
	inertia float64) {
	d := m.Cols
	labels = make([]int32, m.Rows)
	assign := func() {
		inertia = 0
		for i := range m.Rows {
			best := math.Inf(1)
			for c := range k {
				s := 0.0
				for j := range d {
					t := m.At(i, j) - centers[c*d+j]
					s += t * t
				}
				if s < best {
					best, labels[i] = s, int32(c)
				}
			}
			inertia += best
		}
	}
	for range iterations {
		assign()
		sums, counts := make([]float64, k*d), make([]float64, k)
		for i, l := range labels {
			counts[l]++
			for j := range d {
				sums[int(l)*d+j] += m.At(i, j)
			}
		}
		for i := range sums {
			centers[i] = sums[i] / counts[i/d]
		}
	}
	assign()
	return labels, inertia
}

func TestFitIsPlainLloyd(t *testing.T) {
	for _, c := range []struct{ n, d, k int }{{200, 2, 3}, {700, 5, 7}, {1500, 17, 26},
		{333, 64, 12}} {
		m := blobs(c.n, c.d, c.k, 3)
		start := first(m, c.k)
		got := mustFit(t, m,
			kmeans.Config{Clusters: c.k, Centers: start,
				Limits: fit.Limits{MaxIterations: 6, Tolerance: -1}})
		labels, inertia := plainLloyd(m, start.Clone().F64, c.k, 6)
		if diff := cmp.Diff(labels, got.Labels); diff != "" {
			t.Errorf("%+v: labels (-plain +fit):\n%s", c, diff)
		}
		if math.Abs(got.Objective-inertia) > 1e-12*inertia {
			t.Errorf("%+v: inertia %g, plain %g", c, got.Objective, inertia)
		}
		got = mustFit(t, single(m),
			kmeans.Config{Clusters: c.k, Centers: start,
				Limits: fit.Limits{MaxIterations: 6, Tolerance: -1}})
		if math.Abs(got.Objective-inertia) > 1e-3*inertia {
			t.Errorf("%+v: float32 inertia %g, plain %g", c, got.Objective, inertia)
		}
	}
}
