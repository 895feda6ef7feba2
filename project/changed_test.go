package project

import (
	"testing"

	"github.com/kindred-go/kindred/project/store"
)

// What changed names the answers that it follows, where these are not the last one alone.
func TestWhatChangedNamesItsAnswers(t *testing.T) {
	var events []store.Event
	for i := range int64(6) {
		events = append(events, store.Event{Seq: i + 1, Step: store.Same, A: "1", B: "2"})
	}
	events[4].Batch, events[5].Batch = 5, 5 // one step of two links
	d := &Project{history: store.NewHistory(events)}
	for _, c := range []struct {
		before, of int64
		want       string
	}{
		{4, 6, "Groups came apart."},
		{3, 6, "After 2 answers: groups came apart."},
		{0, 6, "After 5 answers: groups came apart."},
		{3, 4, "Before the last answer: groups came apart."},
		{0, 2, "Before the last 3 answers: groups came apart."},
	} {
		d.result = &result{before: c.before, changed: "Groups came apart."}
		d.result.revision.Store(c.of)
		if got := d.changed(); got != c.want {
			t.Errorf("of %d after %d: %q, want %q", c.of, c.before, got, c.want)
		}
	}
	d.result = &result{}
	d.result.revision.Store(2)
	if got := d.changed(); got != "" {
		t.Errorf("nothing changed: %q", got)
	}
}
