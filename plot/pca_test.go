package plot

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

func matrix(rows ...[]float64) dataset.Matrix {
	m := dataset.Matrix{Rows: len(rows), Cols: len(rows[0])}
	for _, r := range rows {
		m.F64 = append(m.F64, r...)
	}
	return m
}

// cloud draws n rows whose column j has the standard deviation 1/(1+j), mixed by a few rotations.
func cloud(n, d int, seed uint64) dataset.Matrix {
	rng := rand.New(rand.NewPCG(seed, 0))
	m := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, n*d)}
	for i := range m.F64 {
		m.F64[i] = 3 + rng.NormFloat64()/float64(1+i%d)
	}
	for range 2 * d {
		a, b := rng.IntN(d), rng.IntN(d)
		if a == b {
			continue
		}
		sin, cos := math.Sincos(rng.Float64() * 6)
		for i := range n {
			u, v := m.F64[i*d+a], m.F64[i*d+b]
			m.F64[i*d+a], m.F64[i*d+b] = cos*u-sin*v, sin*u+cos*v
		}
	}
	return m
}

func components(t *testing.T, x dataset.Matrix, k int) Projection {
	t.Helper()
	p, err := PrincipalComponents(t.Context(), x, k, 2)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The scatter matrix of (3,3), (−3,−3), (1,−1), (−1,1) around their mean is [[20, 16], [16, 20]]:
// eigenvalues 36 along the diagonal and 4 across.
func TestHandWorkedCase(t *testing.T) {
	x := matrix([]float64{13, 3}, []float64{7, -3}, []float64{11, -1}, []float64{9, 1})
	p := components(t, x, 2)
	h := math.Sqrt(0.5)
	want := Projection{Mean: []float64{10, 0}, Components: [][]float64{{h, h}, {h, -h}},
		Share: []float64{0.9, 0.1}}
	for i := range 2 {
		if !floats.EqualApprox(p.Components[i], want.Components[i], 1e-12) {
			t.Errorf("component %d is %v, want %v", i+1, p.Components[i], want.Components[i])
		}
	}
	if !floats.EqualApprox(p.Share, want.Share, 1e-12) ||
		!floats.EqualApprox(p.Mean, want.Mean, 1e-12) {
		t.Errorf("shares %v, mean %v; want %v, %v", p.Share, p.Mean, want.Share, want.Mean)
	}
	y, err := p.Apply(t.Context(), x, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !floats.EqualApprox(y.F64, []float64{6 * h, 0, -6 * h, 0, 0, 2 * h, 0, -2 * h}, 1e-12) {
		t.Errorf("coordinates %v", y.F64)
	}
	if got := p.Label(0) + ", " +
		p.Label(1); got != "PC 1 (90 % of variance), PC 2 (10 % of variance)" {
		t.Errorf("labels %s", got)
	}
}

// naive finds the leading component and its share by powers of the covariance matrix, from its
// definition.
func naive(x dataset.Matrix) (v []float64, share float64) {
	n, d := x.Rows, x.Cols
	mean := make([]float64, d)
	for i := range n {
		for j := range d {
			mean[j] += x.At(i, j) / float64(n)
		}
	}
	cov := make([][]float64, d)
	trace := 0.0
	for a := range d {
		cov[a] = make([]float64, d)
		for b := range d {
			for i := range n {
				cov[a][b] += (x.At(i, a) - mean[a]) * (x.At(i, b) - mean[b])
			}
		}
		trace += cov[a][a]
	}
	v = make([]float64, d)
	for j := range v {
		v[j] = 1 / float64(j+1)
	}
	norm := 0.0
	for range 3000 {
		next := make([]float64, d)
		for a := range d {
			next[a] = floats.Dot(cov[a], v)
		}
		norm = floats.Norm(next, 2)
		floats.Scale(1/norm, next)
		v = next
	}
	return v, norm / trace
}

func TestAgainstPowerIteration(t *testing.T) {
	for seed := range uint64(8) {
		x := cloud(40+int(seed), 2+int(seed), seed)
		p := components(t, x, 1)
		v, share := naive(x)
		if c := math.Abs(floats.Dot(v, p.Components[0])); c < 1-1e-9 ||
			math.Abs(share-p.Share[0]) > 1e-10 {
			t.Errorf("seed %d: cosine %v, share %v, naive share %v", seed, c, p.Share[0], share)
		}
	}
}

// Both routes must agree where both can go.
func TestWideAgainstCovariance(t *testing.T) {
	for _, shape := range [][2]int{{60, 301}, {400, 90}, {3, 20}} {
		x := cloud(shape[0], shape[1], 5)
		c, err := centre(t.Context(), x, 2)
		if err != nil {
			t.Fatal(err)
		}
		exact, values, err := c.byCovariance(t.Context(), 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		wide, ritz, err := c.byIteration(t.Context(), 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			cos := math.Abs(floats.Dot(exact[i], wide[i]))
			if cos < 1-1e-10 || math.Abs(values[i]-ritz[i]) > 1e-9*values[0] {
				t.Errorf("%v, component %d: cosine %v, eigenvalues %v and %v", shape, i+1, cos,
					values[i], ritz[i])
			}
		}
	}
}

// Whatever the data, components are orthonormal, shares lie in 0..1 and fall, the largest loading
// is positive, and the same bytes come from any number of threads.
func TestComponentProperties(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := rapid.SampledFrom([]int{1, 2, 3, 7, 301, 310}).Draw(r, "columns")
		n := rapid.IntRange(1, 12).Draw(r, "rows")
		if d < wide && rapid.Bool().Draw(r, "many") {
			n += 30000
		}
		x := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, n*d)}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		size := rapid.SampledFrom([]float64{0, 1, 1e-200, 1e200, 1e308}).Draw(r, "size")
		levels := rapid.SampledFrom([]int{1, 2, 1 << 30}).Draw(r, "levels")
		for i := range x.F64 {
			x.F64[i] = size * (float64(rng.IntN(levels)) / float64(levels))
		}
		k := min(d, 3)
		var first Projection
		for threads := 1; threads <= 3; threads++ {
			p, err := PrincipalComponents(context.Background(), x, 3, threads)
			if err != nil {
				r.Fatal(err)
			}
			if threads == 1 {
				first = p
			}
			if !slices.Equal(p.Share, first.Share) || !slices.Equal(p.Mean, first.Mean) {
				r.Fatal("the number of threads changed the shares or the mean")
			}
			for i := range k {
				if !slices.Equal(p.Components[i], first.Components[i]) {
					r.Fatalf("%d threads changed component %d", threads, i+1)
				}
			}
		}
		if len(first.Components) != k || len(first.Share) != k {
			r.Fatalf("%d components, %d shares, want %d", len(first.Components), len(first.Share),
				k)
		}
		sum := 0.0
		for i, v := range first.Components {
			for j, u := range first.Components {
				want := 0.0
				if i == j {
					want = 1
				}
				if !(math.Abs(floats.Dot(v, u)-want) < 1e-9) {
					r.Fatalf("product of components %d and %d is %v", i+1, j+1, floats.Dot(v, u))
				}
			}
			sum += first.Share[i]
			if first.Share[i] < 0 || i > 0 && first.Share[i] > first.Share[i-1]+1e-9 {
				r.Fatalf("shares %v", first.Share)
			}
			top := v[0]
			for _, a := range v {
				if math.Abs(a) > math.Abs(top)*(1+1e-8) {
					top = a
				}
			}
			if top <= 0 {
				r.Fatalf("the largest loading of component %d is %v", i+1, top)
			}
		}
		if sum > 1+1e-9 {
			r.Fatalf("shares %v add up to more than 1", first.Share)
		}
		if levels == 1 && sum != 0 {
			r.Fatalf("constant data have shares %v", first.Share)
		}
	})
}

func TestSharesOfAllComponentsAddUpToOne(t *testing.T) {
	p := components(t, cloud(50, 6, 1), 6)
	if math.Abs(floats.Sum(p.Share)-1) > 1e-12 {
		t.Errorf("shares %v", p.Share)
	}
}

func TestSinglePrecisionIsTheSame(t *testing.T) {
	x := cloud(500, 5, 9)
	single := dataset.Matrix{Rows: x.Rows, Cols: x.Cols}
	for i, v := range x.F64 {
		single.F32 = append(single.F32, float32(v))
		x.F64[i] = float64(float32(v))
	}
	a, b := components(t, x, 2), components(t, single, 2)
	if !slices.Equal(a.Components[0], b.Components[0]) || !slices.Equal(a.Share, b.Share) {
		t.Error("float32 and float64 of the same values differ")
	}
}

func TestRefused(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		x := cloud(2000, 40, 1)
		x.F64[1500*40+6] = bad
		x.F64[1700*40+1] = bad
		_, err := PrincipalComponents(t.Context(), x, 2, 2)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), "row 1501, column 7") {
			t.Errorf("%v gave %v", bad, err)
		}
	}
	if _, err := PrincipalComponents(t.Context(), dataset.Matrix{Cols: 3}, 2,
		1); !fault.IsInput(err) {
		t.Errorf("an empty table gave %v", err)
	}
	if _, err := PrincipalComponents(t.Context(), cloud(3, 3, 1), 0, 1); err == nil {
		t.Error("0 components were given")
	}
	if _, err := components(t, cloud(3, 3, 1), 2).Apply(t.Context(), cloud(3, 4, 1),
		1); err == nil {
		t.Error("a projection of 3 columns took 4")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, d := range []int{5, 400} {
		if _, err := PrincipalComponents(ctx, cloud(20, d, 1), 2, 1); !errors.Is(err,
			context.Canceled) {
			t.Errorf("a cancelled context gave %v", err)
		}
	}
}

func TestPlane(t *testing.T) {
	one, err := Plane(t.Context(), matrix([]float64{3}, []float64{4}), []string{"age"}, 1)
	if err != nil || !slices.Equal(one.Points.F64, []float64{3, 0, 4, 0}) || one.XLabel != "age" ||
		one.YLabel != "" {
		t.Errorf("one column: %+v, %v", one, err)
	}
	two, err := Plane(t.Context(), matrix([]float64{3, 5}, []float64{4, 6}), []string{"", "height"},
		1)
	if err != nil || !slices.Equal(two.Points.F64, []float64{3, 5, 4, 6}) || two.XLabel != "x1" ||
		two.YLabel != "height" || two.Projection != nil {
		t.Errorf("two columns: %+v, %v", two, err)
	}
	three, err := Plane(t.Context(),
		matrix([]float64{0, 0, 0}, []float64{0, 4, 0}, []float64{0, 2, 0}), nil, 1)
	if err != nil || !floats.EqualApprox(three.Points.F64, []float64{-2, 0, 2, 0, 0, 0}, 1e-12) {
		t.Errorf("three columns: %+v, %v", three, err)
	}
	if three.XLabel != "PC 1 (100 % of variance)" || three.YLabel != "PC 2 (no variance)" {
		t.Errorf("labels %q, %q", three.XLabel, three.YLabel)
	}
}
