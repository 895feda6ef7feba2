package linalg_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
)

var ctx = context.Background()

// sparse draws a symmetric matrix with about a few values per row.
func sparse(t testing.TB, n, each int, seed uint64) *linalg.Sparse {
	rng := rand.New(rand.NewPCG(seed, 3))
	var entries []linalg.Entry
	for i := range n {
		for range each {
			entries = append(entries,
				linalg.Entry{Row: int32(i), Col: int32(rng.IntN(n)), Value: 2*rng.Float64() - 1})
		}
	}
	m, err := linalg.NewSparse(n, entries)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func dense(m *linalg.Sparse) *mat.SymDense {
	d := mat.NewSymDense(m.N(), nil)
	for i := range m.N() {
		for e := m.Start[i]; e < m.Start[i+1]; e++ {
			d.SetSym(i, int(m.Col[e]), m.Value[e])
		}
	}
	return d
}

// sound holds residuals and orthonormality against their definitions.
func sound(t *testing.T, m *linalg.Sparse, r *linalg.EigenResult, tolerance float64) {
	t.Helper()
	y := make([]float64, m.N())
	for c, x := range r.Vectors {
		if err := m.Apply(ctx, y, x, 1); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i := range y {
			sum += (y[i] - r.Values[c]*x[i]) * (y[i] - r.Values[c]*x[i])
		}
		if residual := math.Sqrt(sum); residual > tolerance ||
			math.Abs(residual-r.Residuals[c]) > 1e-12 {
			t.Errorf("pair %d has the residual %g, said to be %g", c, residual, r.Residuals[c])
		}
		for b := range c + 1 {
			product, want := 0.0, 0.0
			for i := range x {
				product += x[i] * r.Vectors[b][i]
			}
			if b == c {
				want = 1
			}
			if math.Abs(product-want) > 1e-10 {
				t.Errorf("vectors %d and %d have the product %g", b, c, product)
			}
		}
	}
}

// The iteration and the dense route agree with gonum's decomposition, at both ends of the spectrum.
func TestEigenAgreesWithTheDenseDecomposition(t *testing.T) {
	for _, n := range []int{1, 2, 7, 60, 130, 400} {
		m := sparse(t, n, 4, uint64(n))
		var eigen mat.EigenSym
		if !eigen.Factorize(dense(m), false) {
			t.Fatal("no decomposition")
		}
		want := eigen.Values(nil)
		for _, lowest := range []bool{true, false} {
			m, sign := m, 1.0
			if lowest { // are the largest of −m
				m, sign = &linalg.Sparse{Start: m.Start, Col: m.Col, Value: slices.Clone(m.Value)}, -1
				for e := range m.Value {
					m.Value[e] = -m.Value[e]
				}
			} else {
				slices.Reverse(want)
			}
			count := min(n, 8)
			r, err := linalg.Eigen(ctx, m, linalg.EigenConfig{Count: count, Tolerance: 1e-9})
			if err != nil {
				t.Fatal(err)
			}
			for c := range count {
				if math.Abs(sign*r.Values[c]-want[c]) > 1e-8 {
					t.Errorf("n %d, lowest %v: value %d is %.12f, want %.12f", n, lowest, c,
						sign*r.Values[c], want[c])
				}
			}
			if r.Settled != count {
				t.Errorf("n %d: %d of %d settled", n, r.Settled, count)
			}
			sound(t, m, r, 1e-7)
		}
	}
}

// Five equal rings have every eigenvalue of a ring five or ten times: 2cos(2πj/40), which one
// Krylov space holds once each.
func TestRepeatedEigenvaluesAreAllFound(t *testing.T) {
	const rings, size = 5, 40
	var entries []linalg.Entry
	for r := range int32(rings) {
		for i := range int32(size) {
			entries = append(entries,
				linalg.Entry{Row: r*size + i, Col: r*size + (i+1)%size, Value: 1})
		}
	}
	m, err := linalg.NewSparse(rings*size, entries)
	if err != nil {
		t.Fatal(err)
	}
	r, err := linalg.Eigen(ctx, m, linalg.EigenConfig{Count: 20})
	if err != nil {
		t.Fatal(err)
	}
	for c, v := range r.Values {
		j := 0 // 5 times, then 10 times 1, then 2
		if c >= 5 {
			j = 1 + (c-5)/10
		}
		if want := 2 * math.Cos(2*math.Pi*float64(j)/size); math.Abs(v-want) > 1e-9 {
			t.Errorf("value %d is %.12f, want %.12f", c, v, want)
		}
	}
	sound(t, m, r, 1e-7)
}

func TestEigenDoesNotDependOnThreads(t *testing.T) {
	m := sparse(t, 5000, 5, 1) // three blocks of a vector
	var first *linalg.EigenResult
	for _, threads := range []int{1, 2, 5} {
		r, err := linalg.Eigen(ctx, m,
			linalg.EigenConfig{Count: 4, Threads: threads, MaxProducts: 60})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
			continue
		}
		if !slices.Equal(r.Values, first.Values) ||
			!slices.EqualFunc(r.Vectors, first.Vectors, slices.Equal) {
			t.Errorf("%d threads give other bits", threads)
		}
	}
}

func TestEigenLeavesKnownVectorsOut(t *testing.T) {
	m := sparse(t, 300, 4, 9)
	all, err := linalg.Eigen(ctx, m, linalg.EigenConfig{Count: 6, Tolerance: 1e-11})
	if err != nil {
		t.Fatal(err)
	}
	rest, err := linalg.Eigen(ctx, m, linalg.EigenConfig{Count: 3, Known: all.Vectors[:3]})
	if err != nil {
		t.Fatal(err)
	}
	for c, v := range rest.Values {
		if math.Abs(v-all.Values[3+c]) > 1e-8 {
			t.Errorf("value %d is %g, want %g", c, v, all.Values[3+c])
		}
	}
}

func TestEigenStops(t *testing.T) {
	m := sparse(t, 3000, 4, 2)
	r, err := linalg.Eigen(ctx, m,
		linalg.EigenConfig{Count: 5, Tolerance: 1e-12, MaxProducts: 40})
	if err != nil || r.Settled == 5 || r.Products > 100 {
		t.Errorf("after 40 products: %+v, %v", r.Residuals, err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := linalg.Eigen(stopped, m, linalg.EigenConfig{Count: 5}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestEigenFaults(t *testing.T) {
	m, bad := sparse(t, 600, 4, 2), sparse(t, 200, 4, 2)
	bad.Value[7] = math.NaN()
	for name, c := range map[string]struct {
		m   *linalg.Sparse
		cfg linalg.EigenConfig
	}{
		"no pairs":       {m, linalg.EigenConfig{}},
		"too many":       {m, linalg.EigenConfig{Count: 601}},
		"a great many":   {m, linalg.EigenConfig{Count: 500}},
		"nothing":        {&linalg.Sparse{}, linalg.EigenConfig{Count: 1}},
		"not a number":   {bad, linalg.EigenConfig{Count: 1}},
		"a short vector": {m, linalg.EigenConfig{Count: 1, Known: [][]float64{{1}}}},
		"tolerance":      {m, linalg.EigenConfig{Count: 1, Tolerance: -1}},
	} {
		var in *fault.Input
		if _, err := linalg.Eigen(ctx, c.m, c.cfg); !errors.As(err, &in) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A factor times a matrix has the factor times the eigenvalues, however small or large.
func TestEigenHeedsNoFactor(t *testing.T) {
	m := sparse(t, 400, 4, 3)
	want, err := linalg.Eigen(ctx, m, linalg.EigenConfig{Count: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, factor := range []float64{1e-250, 1e-20, 1e200} {
		other := &linalg.Sparse{Start: m.Start, Col: m.Col}
		for _, v := range m.Value {
			other.Value = append(other.Value, v*factor)
		}
		got, err := linalg.Eigen(ctx, other, linalg.EigenConfig{Count: 5})
		if err != nil || got.Settled != 5 {
			t.Fatalf("factor %g: %v", factor, err)
		}
		for c, v := range got.Values {
			if math.Abs(v/factor-want.Values[c]) > 1e-7 {
				t.Errorf("factor %g: value %d is %g, want %g", factor, c, v/factor, want.Values[c])
			}
		}
	}
}

func TestNewSparseAddsUp(t *testing.T) {
	m, err := linalg.NewSparse(3,
		[]linalg.Entry{{Row: 2, Col: 0, Value: 1}, {Row: 0, Col: 2, Value: 2},
			{Row: 1, Col: 1, Value: 5}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Start, []int{0, 1, 2, 3}) || !slices.Equal(m.Col, []int32{2, 1, 0}) ||
		!slices.Equal(m.Value, []float64{3, 5, 3}) {
		t.Errorf("%+v", m)
	}
	if _, err := linalg.NewSparse(2, []linalg.Entry{{Row: 2}}); err == nil {
		t.Error("an entry outside was taken")
	}
}

// Ten pairs of a random matrix of 100 000 rows and two million values. bench/peers/spectral.py
// compares the solver with ARPACK on graphs.
func BenchmarkEigen(b *testing.B) {
	m := sparse(b, 100_000, 10, 1)
	for b.Loop() {
		if _, err := linalg.Eigen(ctx, m,
			linalg.EigenConfig{Count: 10, Tolerance: 1e-6}); err != nil {
			b.Fatal(err)
		}
	}
}
