package kin

import (
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// TestOthersSpeakForARowLeftOut: where the one known row of a group is left out, a row that is rather
// of that group than not is asked about in its place, and no pair of groups is left undecided.
func TestOthersSpeakForARowLeftOut(t *testing.T) {
	x := dataset.Matrix{Rows: 5, Cols: 1, F64: []float64{0, 0.0123, 0.0247, 0.9877, 1}}
	run, err := New(t.Context(), x, Config{})
	if err != nil {
		t.Fatal(err)
	}
	run.Exclude([]int{3})
	q, ok := run.Next()
	if !ok || !q.Groups || q.A != 4 && q.B != 4 {
		t.Errorf("%+v is asked, and not of groups by row 4", q)
	}
	if res, err := run.Result(t.Context()); err != nil || res.Undecided != 0 {
		t.Errorf("%d pairs of groups are undecided: %v", res.Undecided, err)
	}
}
