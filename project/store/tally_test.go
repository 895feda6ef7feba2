package store

import "testing"

// The links of a step of several are one answer, whatever becomes of them.
func TestTally(t *testing.T) {
	events := []Event{
		{Seq: 1, Step: Same, A: "a", B: "b"},
		{Seq: 2, Step: Same, A: "c", B: "d", Batch: 2},
		{Seq: 3, Step: Different, A: "c", B: "e", Batch: 2},
		{Seq: 4, Step: Different, A: "c", B: "f", Batch: 2},
	}
	for _, c := range []struct {
		more []Event
		want string
	}{
		{nil, "2 answers (4 links)"},
		{[]Event{{Step: Drop, Target: 2}}, "2 answers (3 links)"},                          // of the first
		{[]Event{{Step: Same, A: "c", B: "e", Target: 3}}, "3 answers (4 links)"},          // by itself
		{[]Event{{Step: Undo, Target: 2}}, "1 answer"},                                     // of all
		{[]Event{{Step: Undo, Target: 2}, {Step: Redo, Target: 2}}, "2 answers (4 links)"}, // again
		{[]Event{{Step: Undo, Target: 1}}, "1 answer (3 links)"},
	} {
		h := NewHistory(events)
		for _, e := range c.more {
			h.Add(e)
		}
		tally := h.Tally()
		if got := tally.String(); got != c.want {
			t.Errorf("after %+v: %s, want %s", c.more, got, c.want)
		}
		for _, e := range h.Answers() {
			tally.Remove(e)
		}
		if tally.Answers != 0 || tally.Links != 0 || len(tally.steps) != 0 {
			t.Errorf("after %+v: %+v is left of what is taken out", c.more, tally)
		}
	}
}
