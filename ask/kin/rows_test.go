package kin

import (
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// TestCentres draws rows to the group whose centre is near, and leaves the sum of their masses. A
// row that is left out moves no centre.
func TestCentres(t *testing.T) {
	const n = 6
	data := dataset.Matrix{Rows: n, Cols: 1, F64: []float64{0, 0.2, 1, 1.2, 0.3, 1e9}}
	b := &base{n: n, d: 1, of: []int32{0, 0, 1, 1, 0, 0}, near: [][]int32{{0}, {1}}, expected: 200,
		reach: make([]float32, n*surrounding)}
	for row := range n {
		b.reach[row*surrounding] = 1
	}
	p := &play{base: b, size: 2}
	masses := [][]entry{{{0, 0.45}, {1, 0.5}}, {{1, 0.9}}} // the first node is not clear
	r := &rows{play: p, data: data, masses: masses, out: func(row int) bool { return row == 5 }}
	own, _, err := r.likeliest(t.Context(), []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 1, 1, 1, 1, 1}; !slices.Equal(own, want) {
		t.Errorf("groups %v, want %v, as no row is of the first", own, want)
	}
	if err := r.centre(t.Context(), []int{0, 0, 1, 1, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if own, _, err = r.groups(t.Context(), []int{0, 1}); err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 0, 1, 1, 0}; !slices.Equal(own[:5], want) {
		t.Errorf("groups %v, want %v", own, want)
	}
	sums := newRowSums(2)
	for row := range 5 {
		got, want := total(r.on(sums, row)), total(masses[b.of[row]])
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("row %d: masses %g, want %g", row, got, want)
		}
	}
}
