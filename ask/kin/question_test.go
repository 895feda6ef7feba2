package kin

import (
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// TestNoMoreAreAskedThanMayBe: of few rows, however often answers are wrong.
func TestNoMoreAreAskedThanMayBe(t *testing.T) {
	x := dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 0.01, 0.02, 0.55, 0.99, 1}}
	for answers := range 64 { // a bit each says which
		run, err := New(t.Context(), x, Config{})
		if err != nil {
			t.Fatal(err)
		}
		bound := -1
		for k := 0; ; k++ {
			q, ok := run.Next()
			if !ok {
				break
			}
			likely, most := run.Remaining()
			if likely > most || bound >= 0 && most > bound-1 || most < 1 {
				t.Fatalf("%b: after %d answers %d are likely, %d at most, before %d", answers, k, likely,
					most, bound)
			}
			bound = most
			kind := link.CannotLink
			if (q.A < 3) == (q.B < 3) != (answers>>(k%6)&1 == 1) {
				kind = link.MustLink
			}
			if err := run.Answer(kind); err != nil {
				t.Fatal(err)
			}
		}
	}
}

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
