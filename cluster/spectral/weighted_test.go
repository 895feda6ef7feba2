package spectral

import (
	"math"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// TestWeightedGraphByHand: two pairs of nodes with weights 1 between, 1 with themselves. The
// normalised weights of a pair are ½ each, so the Laplacian has the eigenvalues 0, 0 and 1, 1.
// Joined into one component, there is one 0 and one that is small, as the link weighs exp(−3²/2),
// and the diagonal still counts.
func TestWeightedGraphByHand(t *testing.T) {
	x := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 4, 5}}
	w, err := NewSparse(4,
		[]Entry{{Row: 0, Col: 0, Value: 1}, {Row: 1, Col: 1, Value: 1}, {Row: 2, Col: 2, Value: 1},
			{Row: 3, Col: 3, Value: 1}, {Row: 0, Col: 1, Value: 1}, {Row: 2, Col: 3, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := WeightedGraph(x, w, 1)
	if err != nil {
		t.Fatal(err)
	}
	e, err := g.Embed(t.Context(), 4, 2, 0, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e.Components != 2 || e.Joined != 0 {
		t.Errorf("%d components, %d joined", e.Components, e.Joined)
	}
	for i, want := range []float64{0, 0, 1, 1} {
		if math.Abs(e.Values[i]-want) > 1e-12 {
			t.Errorf("eigenvalues %v", e.Values)
		}
	}
	if e, err = g.Embed(t.Context(), 2, 1, 0, 1, nil); err != nil {
		t.Fatal(err)
	}
	// By symmetry the second vector is (a, b, −b, −a) with the degrees 2 and 2+l: λ = 1 − μ, where
	// μ is the larger eigenvalue of ((½, c), (c, (1−l)/(2+l))), c = 1/√(2(2+l)).
	l := math.Exp(-4.5)
	p, q, c := 0.5, (1-l)/(2+l), 1/math.Sqrt(2*(2+l))
	mu := (p+q)/2 + math.Hypot((p-q)/2, c)
	if e.Joined != 1 || e.Values[0] != 0 || math.Abs(e.Values[1]-(1-mu)) > 1e-12 {
		t.Errorf("joined %d, eigenvalues %v, want 0 and %v", e.Joined, e.Values, 1-mu)
	}
}

func TestWeightedGraphRefuses(t *testing.T) {
	x := dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{0, 1}}
	of := func(n int, v float64) *Sparse {
		return &Sparse{Start: append(make([]int, n), 1), Col: []int32{0}, Value: []float64{v}}
	}
	for name, err := range map[string]error{
		"nodes":     second(WeightedGraph(x, of(3, 1), 1)),
		"none":      second(WeightedGraph(dataset.Matrix{}, &Sparse{}, 1)),
		"bandwidth": second(WeightedGraph(x, of(2, 1), 0)),
		"negative":  second(WeightedGraph(x, of(2, -1), 1)),
		"nan":       second(WeightedGraph(x, of(2, math.NaN()), 1)),
	} {
		if !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second(_ *Graph, err error) error { return err }
