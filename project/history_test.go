package project_test

import (
	"testing"

	"github.com/kindred-go/kindred/project"
)

// TestTheHistoryNamesTheStepOfAnEvent: those that were given together, and what takes them back, have
// the first and the last of them.
func TestTheHistoryNamesTheStepOfAnEvent(t *testing.T) {
	d := open(t, projectFile(t), "iris", "label", "class")
	must(t)(d.Links(t.Context(), "", "alone", []project.Pair{{A: 0, B: 1, Link: "same"}}, false))
	must(t)(d.Links(t.Context(), "", "three", []project.Pair{{A: 2, B: 3, Link: "same"},
		{A: 2, B: 60, Link: "different"}, {A: 2, B: 4, Link: "same"}}, false))
	must(t)(d.Undo(t.Context(), "", "undo"))
	events, total := d.History(0, 10)
	if total != 5 {
		t.Fatalf("%d events", total)
	}
	want := map[int64][2]int64{1: {}, 2: {2, 4}, 3: {2, 4}, 4: {2, 4}, 5: {2, 4}}
	for _, e := range events {
		if got := [2]int64{e.First, e.Last}; got != want[e.Seq] {
			t.Errorf("event %d, %s: the step is %v, not %v", e.Seq, e.Step, got, want[e.Seq])
		}
	}
}
