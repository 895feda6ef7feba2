package project

import (
	"slices"
	"testing"

	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
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

// Where a step of several links, as a merge, changed other groups as well, the words say why, also
// where the number of groups is as without that.
func TestWhatAMergeChangedIsExplained(t *testing.T) {
	grouped := func(before *result, last *answered, labels ...int) *result {
		return newResult(0, 0, &method.Outcome{Labels: labels, Clusters: slices.Max(labels)}, before,
			last)
	}
	three, four := []int{1, 1, 2, 2, 3, 3}, []int{1, 1, 2, 2, 3, 3, 4, 4}
	merge := &answered{step: []int{0, 2, 1, 3}} // of groups 1 and 2
	const anew = "That step counts as an answer, and all groups were found anew with it, so that " +
		"others changed, too: "
	for _, c := range []struct {
		before, now []int
		last        *answered
		want        string
	}{
		{three, []int{1, 1, 1, 1, 2, 2}, merge,
			"Two groups became one: 2 objects joined another group. 2 groups now."},
		{three, []int{1, 1, 1, 1, 1, 1}, merge,
			anew + "1 group now, 3 before; 4 objects changed group."},
		{three, []int{1, 1, 1, 2, 3, 4}, merge,
			anew + "4 groups now, 3 before; 2 objects changed group."},
		{three, []int{1, 1, 1, 1, 2, 3}, merge, // the third came apart
			anew + "3 groups now, 3 before; 3 objects changed group."},
		{four, []int{1, 1, 1, 1, 2, 3, 3, 3}, merge, // a row went from the third to the fourth
			anew + "3 groups now, 4 before; 3 objects changed group."},
		{three, []int{1, 1, 1, 2, 3, 3}, merge, "1 object changed group."},
		{four, []int{1, 1, 1, 1, 2, 3, 3, 3}, &answered{Link: link.Link{B: 2}},
			"Groups were found anew: 3 now, 4 before; 3 objects changed group."},
		{three, []int{1, 1, 1, 2, 3, 4}, &answered{Link: link.Link{B: 1}},
			"Groups were found anew: 4 now, 3 before; 2 objects changed group."},
		{three, []int{1, 1, 1, 2, 3, 4}, nil,
			"Groups were found anew: 4 now, 3 before; 2 objects changed group."},
	} {
		before := grouped(nil, nil, c.before...)
		if got := grouped(before, c.last, c.now...).changed; got != c.want {
			t.Errorf("%v after %v: %q, want %q", c.now, c.before, got, c.want)
		}
	}
}

// The rows of the last step are those of all its links; a step of one link, with answers that it
// takes back, is an answer like others.
func TestTheRowsOfAStep(t *testing.T) {
	row := func(step store.Step, a, b string, seq, batch int64) store.Event {
		return store.Event{Seq: seq, Step: step, A: a, B: b, Batch: batch}
	}
	data, err := input.Open(t.Context(), input.Place{}, "iris", input.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &Project{data: data, history: store.NewHistory([]store.Event{
		row(store.Same, "1", "2", 1, 0),
		row(store.Same, "3", "4", 2, 2), row(store.Same, "3", "5", 3, 2),
		{Seq: 4, Step: store.Drop, Target: 1, Batch: 4}, row(store.Same, "6", "7", 5, 4),
	})}
	for seq, want := range map[int64][]int{1: nil, 3: {2, 3, 2, 4}, 5: nil} {
		if last := d.lastAnswer(seq); last == nil || !slices.Equal(last.step, want) {
			t.Errorf("of event %d: %+v, want the rows %v", seq, last, want)
		}
	}
}
