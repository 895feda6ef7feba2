package linalg_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/internal/linalg"
)

// normal draws n values.
func normal(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = rng.NormFloat64()
	}
	return out
}

// Whole numbers are added without rounding, so every order has the same sum.
func TestDotOfWholeNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 23).Draw(t, "n")
		whole := rapid.SliceOfN(rapid.IntRange(-1000, 1000), 2*n, 2*n).Draw(t, "values")
		a, b, want, square := make([]float64, n), make([]float64, n), 0, 0
		for i := range n {
			a[i], b[i] = float64(whole[i]), float64(whole[n+i])
			want += whole[i] * whole[n+i]
			square += (whole[i] - whole[n+i]) * (whole[i] - whole[n+i])
		}
		if got := linalg.SquaredDistance(a, b); got != float64(square) {
			t.Errorf("SquaredDistance is %g, want %d", got, square)
		}
		if got := linalg.Dot(a, b); got != float64(want) {
			t.Errorf("Dot is %g, want %d", got, want)
		}
		if got := linalg.DotInOrder(a, b); got != float64(want) {
			t.Errorf("DotInOrder is %g, want %d", got, want)
		}
	})
}

func TestTranspose(t *testing.T) {
	got := make([]float64, 6)
	linalg.Transpose(got, []float64{1, 2, 3, 4, 5, 6}, 3)
	if want := []float64{1, 4, 2, 5, 3, 6}; !slices.Equal(got, want) {
		t.Errorf("two rows of three columns become %v, want %v", got, want)
	}
	linalg.Transpose(nil, nil, 0) // nothing to write
}

// The order shows where a sum cannot hold all: 2⁵³ + 1 is rounded to 2⁵³.
func TestOrderOfSums(t *testing.T) {
	a := []float64{1 << 53, 1, 1, 1, 1}
	one := slices.Repeat([]float64{1}, len(a))
	if got := linalg.DotInOrder(a, one); got != 1<<53 {
		t.Errorf("in order: %.0f, want each 1 lost", got)
	}
	if got := linalg.Dot(a, one); got != 1<<53+2 {
		t.Errorf("in chains: %.0f, want the sum of two chains of 1 kept", got)
	}
}

// [[4,2,2],[2,5,3],[2,3,6]] = LLᵀ with L = [[2],[1,2],[1,1,2]], by hand.
func TestCholeskyByHand(t *testing.T) {
	l := linalg.Lower{N: 3, A: []float64{4, 2, 5, 2, 3, 6}}
	if !l.Factor(linalg.AtLeast(0)) || !slices.Equal(l.A, []float64{2, 1, 2, 1, 1, 2}) {
		t.Fatalf("the factor is %v", l.A)
	}
	b := []float64{8, 10, 11} // A·(1,1,1)
	l.Solve(b)
	if !slices.Equal(b, []float64{1, 1, 1}) {
		t.Errorf("the solution is %v, want ones", b)
	}
	l.Invert()
	if want := []float64{.5, -.25, .5, -.125, -.25, .5}; !slices.Equal(l.A, want) {
		t.Errorf("the inverse is %v, want %v", l.A, want)
	}
}

// What is left of a pivot decides: it is raised, or the factorisation stops there.
func TestPivots(t *testing.T) {
	l := linalg.Lower{N: 2, A: []float64{1, 1, 1}}
	l.Factor(linalg.AtLeast(0.25))
	if !slices.Equal(l.A, []float64{1, 1, 0.5}) {
		t.Errorf("a singular matrix has the factor %v", l.A)
	}
	l = linalg.Lower{N: 3, A: []float64{1, 2, 1, 0, 0, 1}}
	var rows []int
	done := l.Factor(func(row int, left float64) (float64, bool) {
		rows = append(rows, row)
		return left, left > 0
	})
	if done || !slices.Equal(rows, []int{0, 1}) {
		t.Errorf("an indefinite matrix: done %t after rows %v, want to stop at row 1", done, rows)
	}
}

// Factor, solution and inverse are gonum's.
func TestCholeskyAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 24).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		x := mat.NewDense(n, n, normal(rng, n*n))
		var sym mat.SymDense
		sym.SymOuterK(1, x)
		l := linalg.NewLower(n)
		for i := range n {
			sym.SetSym(i, i, sym.At(i, i)+1)
			for j := range i + 1 {
				l.Row(i)[j] = sym.At(i, j)
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(&sym) || !l.Factor(linalg.AtLeast(0)) {
			t.Fatal("a positive definite matrix has no factor")
		}
		b := normal(rng, n)
		var want mat.VecDense
		if err := chol.SolveVecTo(&want, mat.NewVecDense(n, slices.Clone(b))); err != nil {
			t.Fatal(err)
		}
		l.Solve(b)
		if !floats.EqualApprox(b, want.RawVector().Data, 1e-9) {
			t.Errorf("the solution is %v, want %v", b, want.RawVector().Data)
		}
		var factor, inverse mat.TriDense
		chol.LTo(&factor)
		if err := inverse.InverseTri(&factor); err != nil {
			t.Fatal(err)
		}
		same := func(what string, want *mat.TriDense) {
			for i := range n {
				for j, v := range l.Row(i) {
					if math.Abs(v-want.At(i, j)) > 1e-10*(1+math.Abs(v)) {
						t.Errorf("%s at %d, %d is %g, want %g", what, i, j, v, want.At(i, j))
					}
				}
			}
		}
		same("factor", &factor)
		l.Invert()
		same("inverse", &inverse)
	})
}

// [[2,1],[1,2]] has the eigenvalues 3 along (1,1) and 1 along (1,−1).
func TestSymmetricByHand(t *testing.T) {
	values, vectors, err := linalg.Symmetric(mat.NewSymDense(2, []float64{2, 1, 1, 2}))
	if err != nil || !floats.EqualApprox(values, []float64{3, 1}, 1e-15) {
		t.Fatalf("the eigenvalues are %v, %v, want 3 and 1", values, err)
	}
	for c, want := range [][]float64{{1, 1}, {1, -1}} {
		x := mat.Col(nil, c, vectors)
		linalg.Upright(x)
		floats.Scale(math.Sqrt2, x)
		if !floats.EqualApprox(x, want, 1e-15) {
			t.Errorf("eigenvector %d is along %v, want %v", c, x, want)
		}
	}
}

// Both ways to decompose a small matrix find the same eigenvalues.
func TestSmallEigenvaluesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 30).Draw(t, "d")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		a := mat.NewSymDense(d, nil)
		full := make([]float64, d*d)
		for i := range d {
			for j := i; j < d; j++ {
				v := rng.NormFloat64()
				a.SetSym(i, j, v)
				full[i*d+j], full[j*d+i] = v, v
			}
		}
		want, _, err := linalg.Symmetric(a)
		if err != nil {
			t.Fatal(err)
		}
		got, err := linalg.QL(ctx, full, d, 0)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(got)
		slices.Reverse(got)
		if !floats.EqualApprox(got, want, 1e-12*float64(d)) {
			t.Errorf("QL has the eigenvalues %v, Symmetric %v", got, want)
		}
	})
}

// The first of the entries that are largest but for rounding is positive.
func TestUpright(t *testing.T) {
	for _, c := range []struct{ x, want []float64 }{
		{[]float64{1, -3, 2}, []float64{-1, 3, -2}},
		{[]float64{1, 3, -3 - 1e-9}, []float64{1, 3, -3 - 1e-9}},
		{[]float64{0, 0}, []float64{0, 0}},
	} {
		x := slices.Clone(c.x)
		if linalg.Upright(x); !slices.Equal(x, c.want) {
			t.Errorf("%v became %v, want %v", c.x, x, c.want)
		}
	}
}

// A basis is orthonormal, and what it is the basis of lies in its space.
func TestOrthonormal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols := rapid.IntRange(1, 8).Draw(t, "columns")
		rows := rapid.IntRange(cols, 40).Draw(t, "rows")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		v := mat.NewDense(rows, cols, normal(rng, rows*cols))
		q := mat.DenseCopyOf(v)
		linalg.Orthonormal(q)
		var product, back mat.Dense
		product.Mul(q.T(), q)
		for i := range cols {
			product.Set(i, i, product.At(i, i)-1)
		}
		if off := mat.Norm(&product, 2); off > 1e-12 {
			t.Errorf("the basis is off orthonormal by %g", off)
		}
		back.Product(q, q.T(), v)
		back.Sub(&back, v)
		if off := mat.Norm(&back, 2); off > 1e-11 {
			t.Errorf("the space is off by %g", off)
		}
	})
}

// Blocks are added in order, whatever the threads, to what the product is.
func TestGram(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	y := mat.NewDense(1000, 7, normal(rng, 7000))
	var want mat.Dense
	want.Mul(y.T(), y)
	one, err := linalg.Gram(ctx, y, 64, 1)
	if err != nil || !mat.EqualApprox(one, &want, 1e-10) {
		t.Fatalf("the product is %v, want %v; %v", mat.Formatted(one), mat.Formatted(&want), err)
	}
	three, err := linalg.Gram(ctx, y, 64, 3)
	if err != nil || !mat.Equal(one, three) {
		t.Errorf("three threads have other bits, %v", err)
	}
}
