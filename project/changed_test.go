package project

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
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
		{4, 6, "Groups were found anew."},
		{3, 6, "After 2 answers: groups were found anew."},
		{0, 6, "After 5 answers: groups were found anew."},
		{3, 4, "Before the last answer: groups were found anew."},
		{0, 2, "Before the last 3 answers: groups were found anew."},
	} {
		d.result = &result{before: c.before, changed: "Groups were found anew."}
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

// Where a step of several links, as a merge, changed other groups as well, the words say why.
func TestWhatAMergeChangedIsExplained(t *testing.T) {
	grouped := func(labels ...int) *result {
		out := &method.Outcome{Labels: labels}
		for _, l := range labels {
			out.Clusters = max(out.Clusters, l)
		}
		return &result{out: out}
	}
	before := grouped(1, 1, 2, 2, 3, 3)
	for _, c := range []struct {
		now  *result
		last *answered
		want string
	}{
		{grouped(1, 1, 1, 1, 2, 2), &answered{several: true}, "Two groups became one: "},
		{grouped(1, 1, 1, 1, 1, 1), &answered{several: true},
			"counts as an answer, and all groups were found anew with it, so that others changed, " +
				"too: 1 group now, 3 before; 4 objects changed group."},
		{grouped(1, 1, 1, 2, 3, 4), &answered{several: true}, "too: 4 groups now, 3 before; 4 obj"},
		{grouped(1, 1, 1, 2, 3, 4), &answered{Link: link.Link{B: 1}},
			"Groups were found anew: 4 now, 3 before; 4 objects changed group."},
		{grouped(1, 1, 1, 2, 3, 4), nil, "Groups were found anew: 4 now, 3 before; "},
	} {
		if got := change(before, c.now, 4, c.last); !strings.Contains(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
