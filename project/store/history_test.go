package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/project/store"
)

// story folds lines such as "ann same a b", "bob different a b >1" (in place of event 1), "ann undo
// >1", "ann name a Cats", "ann same c d +3" (in the batch that event 3 began). "-" is the person
// without a name.
func story(lines ...string) *store.History {
	h := store.NewHistory(nil)
	for _, line := range lines {
		h.Add(event(line))
	}
	return h
}

func event(line string) store.Event {
	f := strings.Fields(line)
	e := store.Event{Who: strings.TrimPrefix(f[0], "-"), Step: store.Step(f[1])}
	var rest []string
	for _, x := range f[2:] {
		switch x[0] {
		case '>':
			fmt.Sscan(x[1:], &e.Target)
		case '+':
			fmt.Sscan(x[1:], &e.Batch)
		default:
			rest = append(rest, x)
		}
	}
	if len(rest) > 0 {
		e.A = rest[0]
	}
	if len(rest) > 1 {
		if e.Step == store.Name {
			e.Text = rest[1]
		} else {
			e.B = rest[1]
		}
	}
	return e
}

// tell writes what a history amounts to in a line.
func tell(h *store.History) string {
	var words []string
	for _, a := range h.Answers() {
		words = append(words, fmt.Sprintf("%s-%s:%s", a.A, a.B, a.Step.Kind()))
	}
	for _, id := range h.Bad() {
		words = append(words, "bad:"+id)
	}
	for _, n := range h.Names() {
		words = append(words, n.A+"="+n.Text)
	}
	for _, who := range []string{"", "ann", "bob"} {
		for _, p := range h.Skipped(who) {
			words = append(words, fmt.Sprintf("%s?%s-%s", who, p[0], p[1]))
		}
	}
	return strings.Join(words, " ")
}

func TestWhatAHistoryAmountsTo(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"an edit has the place of what it replaces",
			[]string{"ann same a b", "ann same c d", "ann different a b >1"},
			"a-b:different c-d:same"},
		{"undoing an edit brings the earlier answer back",
			[]string{"ann same a b", "bob different a b >1", "ann same c d", "bob undo >2"},
			"a-b:same c-d:same"},
		{"an edit of an edit",
			[]string{"ann same a b", "ann same c d", "ann different a b >1", "ann unknown a b >3"},
			"a-b:unknown c-d:same"},
		{"an edit of something taken back counts",
			[]string{"ann same a b", "ann undo >1", "bob different a b >1"}, "a-b:different"},
		{"a redo of what was replaced since changes nothing",
			[]string{"ann same a b", "ann undo >1", "bob different a b >1", "ann redo >1"},
			"a-b:different"},
		{"a dropped answer is gone", []string{"ann same a b", "ann same c d", "bob drop >1"},
			"c-d:same"},
		{"undoing a drop brings it back in its place",
			[]string{"ann same a b", "ann same c d", "bob drop >1", "bob undo >3"},
			"a-b:same c-d:same"},
		{"an edit after a drop counts",
			[]string{"ann same a b", "bob drop >1", "ann different a b >1"}, "a-b:different"},
		{"a batch is undone as one",
			[]string{"ann same a b", "ann same c d +2", "ann same e f +2", "ann undo >3"},
			"a-b:same"},
		{"and brought back as one",
			[]string{"ann same c d +1", "ann same e f +1", "ann undo >1", "ann redo >1"},
			"c-d:same e-f:same"},
		{"bad data", []string{"ann bad x", "bob bad y", "bob bad x", "ann undo >1", "bob drop >2"},
			"bad:x"},
		{"the last name counts",
			[]string{"ann name x Cats", "bob name y Dogs", "bob name x Tigers"}, "x=Tigers y=Dogs"},
		{"undoing a name brings the earlier one back",
			[]string{"ann name x Cats", "bob name x Tigers", "bob undo >2"}, "x=Cats"},
		{"no name", []string{"ann name x Cats", "ann name x"}, ""},
		{"skips wait in order, the last skip of a pair counting",
			[]string{"ann skip a b", "ann skip c d", "ann skip b a", "bob skip e f"},
			"ann?c-d ann?b-a bob?e-f"},
		{"an answered skip is over, for who answered",
			[]string{"ann skip a b", "bob skip a b", "ann same b a"}, "b-a:same bob?a-b"},
		{"until the answer is undone", []string{"ann skip a b", "ann same a b", "ann undo >2"},
			"ann?a-b"},
		{"an undone skip is over", []string{"ann skip a b", "ann undo >1"}, ""},
		{"a skip after an answer waits", []string{"ann same a b", "ann skip a b"},
			"a-b:same ann?a-b"},
		{"targets that are not there change nothing",
			[]string{"ann undo >7", "ann redo >0", "ann drop >9", "ann same a b >12"}, "a-b:same"},
		{"an answer in place of what is no answer is a new one",
			[]string{"ann bad x", "ann same a b >1"}, "a-b:same bad:x"},
		{"taking back twice is taking back once",
			[]string{"ann same a b", "ann undo >1", "bob undo >1", "ann redo >1"}, "a-b:same"},
		{"undo and redo by pair, as files of format 1 have them",
			[]string{"- undo a b", "- same a b", "- different b c", "- unknown c d", "- undo d c",
				"- undo a b", "- redo a b"},
			"a-b:same b-c:different"},
		{"a redo by pair after a new answer changes nothing",
			[]string{"- same a b", "- undo a b", "- same c d", "- redo a b"}, "c-d:same"},
		{"of two answers to a pair the last one is meant",
			[]string{"- same a b", "- undo a b", "- different a b", "- unknown a b", "- undo a b"},
			"a-b:different"},
	} {
		if got := tell(story(c.lines...)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestEveryPersonUndoesTheirOwnSteps(t *testing.T) {
	h := story("ann same a b", "bob same c d", "ann same e f +3", "ann different g h +3",
		"bob bad x")
	expect := func(what string, seq int64, ok bool, want int64) {
		t.Helper()
		if ok != (want > 0) || seq != want {
			t.Errorf("%s is %d %v, want %d", what, seq, ok, want)
		}
	}
	undo := func(who string, want int64) {
		t.Helper()
		seq, ok := h.UndoTarget(who, nil)
		expect(who+"'s undo", seq, ok, want)
		if ok {
			h.Add(store.Event{Step: store.Undo, Who: who, Target: seq})
		}
	}
	redo := func(who string, want int64) {
		t.Helper()
		seq, ok := h.RedoTarget(who, nil)
		expect(who+"'s redo", seq, ok, want)
		if ok {
			h.Add(store.Event{Step: store.Redo, Who: who, Target: seq})
		}
	}
	undo("", 0)
	redo("ann", 0)
	undo("ann", 3)
	undo("ann", 1)
	undo("ann", 0)
	if got := tell(h); got != "c-d:same bad:x" {
		t.Error(got)
	}
	h.Add(event("bob same i j")) // forgets nothing of ann's
	redo("ann", 1)
	redo("ann", 3)
	redo("ann", 0)
	undo("bob", 10-2) // his answer above is event 8
	undo("bob", 5)
	h.Add(event("bob skip k l")) // forgets what bob took back
	redo("bob", 0)
	undo("bob", 13)
	undo("bob", 2)
	if got := tell(h); got != "a-b:same e-f:same g-h:different" {
		t.Error(got)
	}
}

func TestOthersStepsDoNotSpoilARedo(t *testing.T) {
	h := story("ann same a b", "ann same c d", "ann undo >2", "ann undo >1", "bob different a b >1")
	// Event 1 is replaced by bob's: to bring it back would change nothing. Event 2 is still to be
	// had.
	if seq, ok := h.RedoTarget("ann", nil); !ok || seq != 2 {
		t.Errorf("ann's redo is %d %v", seq, ok)
	}
	h.Add(event("bob undo >5"))
	if seq, ok := h.RedoTarget("ann", nil); !ok || seq != 1 {
		t.Errorf("ann's redo after bob's undo is %d %v", seq, ok)
	}
	// A step that another replaced is passed over by undo.
	h = story("ann same a b", "ann same c d", "bob drop >2")
	if seq, ok := h.UndoTarget("ann", nil); !ok || seq != 1 {
		t.Errorf("ann's undo is %d %v", seq, ok)
	}
}

func TestWhatIsInEffect(t *testing.T) {
	h := story("ann same a b", "bob different a b >1", "ann bad x", "ann undo >3", "ann redo >3",
		"ann drop >9", "ann undo >77", "ann name x Cats", "bob name x Dogs")
	want := map[int64]bool{2: true, 3: true, 5: true, 9: true}
	for seq := int64(-1); seq < 12; seq++ {
		if h.InEffect(seq) != want[seq] {
			t.Errorf("event %d in effect: %v", seq, h.InEffect(seq))
		}
	}
	if e, ok := h.Event(2); !ok || e.Who != "bob" || h.Last() != 9 || len(h.All()) != 9 {
		t.Errorf("event 2 is %+v; the last is %d of %d", e, h.Last(), len(h.All()))
	}
	if _, ok := h.Event(10); ok {
		t.Error("there is an event 10")
	}
	h.Add(store.Event{Seq: 4, Step: store.Same, A: "p", B: "q"})
	if h.Last() != 9 || len(h.All()) != 9 {
		t.Error("an event that is there already was added again")
	}
}

func TestAnswersHandedOutStay(t *testing.T) {
	h := story("ann same a b", "ann same c d")
	before := h.Answers()
	kept := slices.Clone(before)
	for _, line := range []string{"ann same e f", "bob different a b >1", "ann undo >2",
		"ann same g h"} {
		h.Add(event(line))
	}
	if diff := cmp.Diff(kept, before); diff != "" {
		t.Error(diff)
	}
}

func TestAnAnswerKeepsWhatItsEventSays(t *testing.T) {
	e := store.Event{Seq: 7, Step: store.Different, A: "a", B: "b", Who: "ann", Why: "closest",
		Doubt: true, Repeat: true, Batch: 7, At: noon}
	got := store.NewHistory([]store.Event{e}).Answers()
	if diff := cmp.Diff([]store.Event{e}, got); diff != "" {
		t.Error(diff)
	}
}

// Steps about what is not there now are passed over, and undone no less for that later.
func TestUndoPassesOverWhatIsNotThere(t *testing.T) {
	h := story("ann same a b", "ann same c gone", "ann undo >2", "ann undo >1")
	here := func(e store.Event) bool { return e.B != "gone" }
	if seq, ok := h.RedoTarget("ann", here); !ok || seq != 1 {
		t.Errorf("the redo is %d %v", seq, ok)
	}
	h.Add(event("ann redo >1"))
	h.Add(event("ann redo >2"))
	if seq, ok := h.UndoTarget("ann", here); !ok || seq != 1 {
		t.Errorf("the undo is %d %v", seq, ok)
	}
	if seq, ok := h.UndoTarget("ann", nil); !ok || seq != 2 {
		t.Errorf("the undo of all is %d %v", seq, ok)
	}
}

func ExampleHistory() {
	h := store.NewHistory([]store.Event{
		{Step: store.Same, A: "1", B: "2", Who: "ann"},
		{Step: store.Same, A: "2", B: "3", Who: "bob"},
		{Step: store.Different, A: "1", B: "2", Who: "bob", Target: 1}, // in place of ann's
	})
	seq, _ := h.UndoTarget("bob", nil)
	h.Add(store.Event{Step: store.Undo, Who: "bob", Target: seq})
	for _, a := range h.Answers() {
		fmt.Println(a.A, a.B, a.Step.Kind(), a.Who)
	}
	// Output:
	// 1 2 same ann
	// 2 3 same bob
}
