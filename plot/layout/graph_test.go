package layout

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/internal/nearest"
)

// The weights of an object add up to log₂(k+1), the nearest has 1, and they fall.
func TestWeigh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.Float32Range(0.5, 2), 3, 30).Draw(t, "d")
		slices.Sort(d)
		if d[0] == d[len(d)-1] {
			return // all weights are 1
		}
		w := make([]float32, len(d))
		weigh(w, d)
		sum := 0.0
		for i, v := range w {
			sum += float64(v)
			if i > 0 && v > w[i-1] {
				t.Fatalf("weights %v of %v rise", w, d)
			}
		}
		// A σ below a thousandth of the mean is raised to it; so many ties weigh more.
		want, ties := math.Log2(float64(len(d)+1)), 0.0
		for _, v := range d {
			if v == d[0] {
				ties++
			}
		}
		if w[0] != 1 || math.Abs(sum-want) > 1e-3 && ties < math.Floor(want) {
			t.Fatalf("weights %v of %v add up to %g, want %g", w, d, sum, want)
		}
	})
}

// Weights of neighbours at no distance are 1, and ρ is the first that is more.
func TestWeighEqualRows(t *testing.T) {
	w := make([]float32, 4)
	weigh(w, []float32{0, 0, 0, 0})
	if !slices.Equal(w, []float32{1, 1, 1, 1}) {
		t.Errorf("equal rows have weights %v", w)
	}
	weigh(w, []float32{0, 0, 1, 5})
	if w[0] != 1 || w[1] != 1 || w[2] != 1 || w[3] >= 1 {
		t.Errorf("weights %v", w)
	}
}

// The graph by hand: 0 and 1 are each other's neighbours; 2 has 1, which has it not.
func TestFuzzy(t *testing.T) {
	found := &nearest.Neighbours{K: 1, Index: []int32{1, 0, 1}, Dist: []float32{1, 1, 2}}
	g, err := fuzzy(t.Context(), found, []int32{2, 0, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 1, 2, 4}; !slices.Equal(g.start, want) {
		t.Errorf("starts %v, want %v", g.start, want)
	}
	if want := []int32{2, 2, 1, 0}; !slices.Equal(g.to, want) {
		t.Errorf("to %v, want %v", g.to, want)
	}
	// 1 + 1 − 1, and 1 alone.
	for _, w := range g.weight {
		if w != math.MaxUint32 {
			t.Errorf("weights %v", g.weight)
		}
	}
}

// An edge is taken in as many epochs as its weight has it.
func TestEpochsOfAnEdge(t *testing.T) {
	g := &graph{start: []int{0, 1}}
	g.add(1, 0.25)
	d := descent{cfg: Config{}, g: g, now: []place{{0, 0}, {1, 0}}, forces: newForces()}
	moves := 0
	for epoch := range 400 {
		if at := d.move(0, epoch, 1); at != d.now[0] {
			moves++
		}
	}
	if moves != 100 {
		t.Errorf("moved in %d epochs, want 100", moves)
	}
}
