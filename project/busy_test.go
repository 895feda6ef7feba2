package project

import (
	"path/filepath"
	"testing"
)

// TestStepsDoNotWaitForAFit: while one goes on, a step is acknowledged, and comes with the
// questions that are ready.
func TestStepsDoNotWaitForAFit(t *testing.T) {
	d := at(t, filepath.Join(t.TempDir(), "busy.kindred"), few(t), "method", "evclus",
		"clusters", "2")
	<-d.fit.free // as if a fit never ended
	answers := 0
	for _, pair := range [][2]int{{0, 1}, {2, 3}, {4, 5}} {
		r, err := d.Answer(t.Context(), "", Step{A: pair[0], B: pair[1], Answer: "different"})
		if answers++; err != nil || !r.State.Fitting || r.State.Answers != answers {
			t.Fatalf("%v: %+v", err, r.State)
		}
		if r, err = d.Undo(t.Context(), "", ""); err != nil || r.State.Answers != answers-1 {
			t.Fatalf("%v: %+v", err, r.State)
		}
		if r, err = d.Redo(t.Context(), "", ""); err != nil || r.Turn.Question == nil {
			t.Fatalf("%v: %+v", err, r.Turn)
		}
	}
	d.fit.free <- struct{}{}
	out, _, err := d.Outcome(t.Context())
	if err != nil || out.Queries != answers {
		t.Fatalf("%v: groups of %d answers, want %d", err, out.Queries, answers)
	}
}
