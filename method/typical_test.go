package method_test

import (
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/method"
)

// TestTypicalRows: of rows that are as certain those in the middle of their cluster come first.
func TestTypicalRows(t *testing.T) {
	// Clusters 1 and 2 have their means at 2.275 and 17.58.
	x := dataset.Matrix{Rows: 10, Cols: 1,
		F64: []float64{0, 3.9, 2, 3.2, 99, 16, 17, 17.5, 19.5, 17.9}}
	out := &method.Outcome{Labels: []int{1, 1, 1, 1, 0, 2, 2, 2, 2, 2}, Clusters: 2}
	sure := []float32{1, 1, 1, 0.5, 0, 1, 1, 1, 1, 1}
	want := [][]int32{{4}, {2, 1, 0, 3}, {7, 9, 6, 5, 8}}
	objects := method.Objects{Comparison: method.Comparison{Metric: dissim.Euclidean}, Rows: x}
	for name, p := range map[string]method.Problem{"vectors": {Data: x},
		"dissimilarities": {Objects: objects}} {
		for threads := range 3 {
			got, err := method.Typical(t.Context(), p, out, sure, threads)
			if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s: %v (%v), want %v", name, got, err, want)
			}
		}
	}
}
