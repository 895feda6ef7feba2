package evclus

import (
	"slices"
	"testing"

	"github.com/kindred-go/kindred/link"
)

// TestSettledIsOfTheAnswers: an answer taken back and another one restored leave a run as settled
// as it was under them, without another fit for those that were looked at.
func TestSettledIsOfTheAnswers(t *testing.T) {
	r := begin(t, Config{})
	for range SettledAfter {
		if err := r.Answer(link.Unknown); err != nil {
			t.Fatal(err)
		}
	}
	if !r.Settled() {
		t.Fatal("answers that say nothing leave it unsettled")
	}
	answers := r.Answers()
	// Two blobs as one change the groups.
	for k := range 9 {
		if err := r.Tell(link.Link{A: 3 * k, B: 3*k + 1, Kind: link.MustLink}); err != nil {
			t.Fatal(err)
		}
	}
	if r.Settled() {
		t.Fatal("settled by answers that change groups")
	}
	if err := r.Restore(answers, nil); err != nil {
		t.Fatal(err)
	}
	if looks := r.chooser.calm.due(r.Ledger); len(looks) != 1 || !r.Settled() {
		t.Error("unsettled under the answers that settled it")
	}
	r.Undo()
	if r.Settled() {
		t.Error("settled by four answers")
	}
	r.Redo()
	if !r.Settled() {
		t.Error("unsettled by the same answers")
	}
	fresh := begin(t, Config{})
	for _, l := range answers { // a fit for each
		if err := fresh.Restore(append(fresh.Answers(), l), nil); err != nil ||
			fresh.Settled() && len(fresh.Answers()) < SettledAfter {
			t.Fatal(err)
		}
	}
	if !fresh.Settled() {
		t.Error("unsettled when restored one by one")
	}
	fresh = begin(t, Config{})
	if err := fresh.Restore(answers[:SettledAfter-1], nil); err != nil {
		t.Fatal(err)
	}
	if err := fresh.Tell(answers[SettledAfter-1]); err != nil {
		t.Fatal(err)
	}
	if !fresh.Settled() {
		t.Error("unsettled when the last answer comes before the first look")
	}
}

// TestARestoredRunCountsAsTheFirstDid, answer by answer, over the last of them, also where some
// come after.
func TestARestoredRunCountsAsTheFirstDid(t *testing.T) {
	r := begin(t, Config{})
	var answers []link.Link
	for k := range 7 { // against the fit
		answers = append(answers, link.Link{A: 3 * k, B: 3*k + 1, Kind: link.MustLink})
	}
	for k := range 7 {
		answers = append(answers, link.Link{A: 30 + k, B: 40 + k})
	}
	for _, l := range answers {
		if err := r.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := r.Tell(l); err != nil {
			t.Fatal(err)
		}
	}
	settled := r.Settled()
	const first = 7 // answers after that change nothing
	if want := []int{0, 1, 2, 3, 4, 5, 6, 7}; !slices.Equal(r.chooser.calm.after[first:], want) ||
		!settled {
		t.Fatalf("counts %v", r.chooser.calm.after)
	}
	counts := func(again *Run, want int) {
		t.Helper()
		if err := again.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(again.Answers()); again.chooser.calm.after[n] != want {
			t.Errorf("counts %v, of %d answers %d changed nothing", again.chooser.calm.after, n,
				want)
		}
	}
	for n := first - 1; n < len(answers); n++ {
		again := begin(t, Config{})
		if err := again.Restore(answers[:n], nil); err != nil {
			t.Fatal(err)
		}
		if n > first { // else two are told before the first look
			counts(again, min(n-first, SettledAfter))
		}
		tell := answers[n:min(n+2, len(answers))]
		for _, l := range tell {
			if err := again.Tell(l); err != nil {
				t.Fatal(err)
			}
		}
		counts(again, min(n-first, SettledAfter)+len(tell))
	}
	again := begin(t, Config{})
	if err := again.Restore(answers[:first-1], nil); err != nil {
		t.Fatal(err)
	}
	counts(again, 0)
	if err := again.Restore(answers[:first+2], nil); err != nil {
		t.Fatal(err)
	}
	counts(again, 0) // as one change: only the first answers of a run are looked at one by one
	// Another answer in place of one of those that settled it.
	if err := again.Restore(answers, nil); err != nil || !again.Settled() {
		t.Fatal("unsettled")
	}
	for k := range 7 {
		if err := again.Edit(30+k, 40+k, link.CannotLink); err != nil {
			t.Fatal(err)
		}
	}
	for k := range 7 {
		if err := again.Edit(3*k, 3*k+1, link.CannotLink); err != nil {
			t.Fatal(err)
		}
	}
	counts(again, 0)
}

// TestAChangedAnswerIsCountedAnew: what was looked at under other answers is compared with nothing.
func TestAChangedAnswerIsCountedAnew(t *testing.T) {
	r := begin(t, Config{})
	tell := func(n int) {
		for range n {
			k := len(r.Answers())
			if err := r.Tell(link.Link{A: 30 + k, B: 40 + k}); err != nil {
				t.Fatal(err)
			}
			if k < 6 && r.Settled() != (k >= SettledAfter-1) {
				t.Fatalf("counts %v", r.chooser.calm.after)
			}
		}
	}
	if r.Settled() {
		t.Fatal("settled before the first answer")
	}
	tell(6)
	if err := r.Tell(link.Link{A: 41, B: 31, Source: "ann"}); err != nil { // in place of the second
		t.Fatal(err)
	}
	tell(2)
	if r.Settled(); r.chooser.calm.after[8] != 0 {
		t.Errorf("counts %v", r.chooser.calm.after)
	}
}
