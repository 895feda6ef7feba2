package layout_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/plot/layout"
)

// penalty is the definition of Venna and Kaski: the sum over the k objects nearest to each by one
// distance of their ranks by the other, less k.
func penalty(n, k int, by, other func(i, j int) float64) float64 {
	rank := func(d func(i, j int) float64, i, j int, ties bool) int {
		r := 1
		for l := range n {
			if l != i && l != j && (d(i, l) < d(i, j) || ties && d(i, l) == d(i, j) && l < j) {
				r++
			}
		}
		return r
	}
	sum := 0.0
	for i := range n {
		for j := range n {
			if j != i && rank(by, i, j, true) <= k {
				sum += float64(max(0, rank(other, i, j, false)-k))
			}
		}
	}
	return sum
}

func TestMeasure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 40).Draw(t, "n")
		k := rapid.IntRange(1, (n-1)/3).Draw(t, "k")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		x, p := dataset.Matrix{Rows: n, Cols: 3}, dataset.Matrix{Rows: n, Cols: 2}
		for range n * 3 { // whole numbers, with ties, of which no rounding shows
			x.F64 = append(x.F64, float64(rng.IntN(4)))
		}
		for range n * 2 {
			p.F64 = append(p.F64, float64(rng.IntN(5)))
		}
		square := func(m dataset.Matrix) func(i, j int) float64 {
			return func(i, j int) (sum float64) {
				for c := range m.Cols {
					sum += (m.At(i, c) - m.At(j, c)) * (m.At(i, c) - m.At(j, c))
				}
				return sum
			}
		}
		src, err := dissim.Vectors(x, dissim.SqEuclidean)
		if err != nil {
			t.Fatal(err)
		}
		q, err := layout.Measure(t.Context(), src, p, k, 2)
		if err != nil {
			t.Fatal(err)
		}
		worst := float64(n*k*(2*n-3*k-1)) / 2
		trust := 1 - penalty(n, k, square(p), square(x))/worst
		continuity := 1 - penalty(n, k, square(x), square(p))/worst
		if diff := q.Trustworthiness - trust; diff > 1e-12 || diff < -1e-12 {
			t.Errorf("trustworthiness %v, want %v", q.Trustworthiness, trust)
		}
		if diff := q.Continuity - continuity; diff > 1e-12 || diff < -1e-12 {
			t.Errorf("continuity %v, want %v", q.Continuity, continuity)
		}
	})
}

// A sample of the rows measures about what all of them do, and says how many it is of.
func TestMeasureOfASample(t *testing.T) {
	x := groups(4000, 2, 9, 8)
	src := source(t, x)
	q, err := layout.Measure(t.Context(), src, x, 10, 0)
	if err != nil || q.Trustworthiness != 1 || q.Continuity != 1 {
		t.Errorf("of the rows themselves: %v, %v", q, err)
	}
	want := "trustworthiness 1.000, continuity 1.000 (10 neighbours of each of 2500 rows)"
	if q.String() != want {
		t.Errorf("%q, want %q", q, want)
	}
}

// The unit of a map and of the objects does not matter.
func TestMeasureInAnyUnit(t *testing.T) {
	x, p := groups(60, 3, 3, 4), groups(60, 2, 3, 5)
	want, err := layout.Measure(t.Context(), source(t, x), p, 0, 0)
	if err != nil || want.Trustworthiness == 1 {
		t.Fatal(want, err)
	}
	for _, exponent := range []int{-300, -100, 70, 300} {
		far := dataset.Matrix{Rows: p.Rows, Cols: 2}
		for _, v := range p.F64 {
			far.F64 = append(far.F64, math.Ldexp(v, exponent))
		}
		if got, err := layout.Measure(t.Context(), source(t, x), far, 0, 0); err != nil || got != want {
			t.Errorf("2^%d: %v, %v, want %v", exponent, got, err, want)
		}
	}
}
