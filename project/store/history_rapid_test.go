package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/project/store"
)

var people = []string{"", "ann", "bob"}

// anyEvent draws an event that may be nonsense.
func anyEvent(t *rapid.T, last int64) store.Event {
	object := rapid.SampledFrom([]string{"", "a", "b", "c", "d"})
	near := rapid.Int64Range(-1, last+2)
	e := store.Event{
		Step: rapid.SampledFrom([]store.Step{
			store.Same, store.Same, store.Different, store.Unknown, store.Undo, store.Undo,
			store.Redo,
			store.Skip, store.Bad, store.Name, store.Drop, "",
		}).Draw(t, "step"),
		A: object.Draw(t, "a"), B: object.Draw(t, "b"),
		Who:  rapid.SampledFrom(people).Draw(t, "who"),
		Text: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "text"),
	}
	if rapid.Bool().Draw(t, "aimed") {
		e.Target = near.Draw(t, "target")
	}
	if rapid.IntRange(0, 3).Draw(t, "together") == 0 {
		e.Batch = near.Draw(t, "batch")
	}
	return e
}

// sum is all that a history says.
type sum struct {
	Answers    []store.Event
	Bad        []string
	Names      []store.Event
	Skipped    map[string][][2]string
	Undo, Redo map[string]int64
	InEffect   []bool
}

func sumOf(h *store.History) sum {
	s := sum{
		Answers: slices.Clone(h.Answers()), Bad: h.Bad(), Names: h.Names(),
		Skipped: make(map[string][][2]string),
		Undo:    make(map[string]int64), Redo: make(map[string]int64),
	}
	for _, who := range people {
		s.Skipped[who] = h.Skipped(who)
		s.Undo[who], _ = h.UndoTarget(who, nil)
		s.Redo[who], _ = h.RedoTarget(who, nil)
	}
	for _, e := range h.All() {
		s.InEffect = append(s.InEffect, h.InEffect(e.Seq))
	}
	return s
}

// TestAHistoryGrowsAsItIsFolded: adding events one by one, nonsense included, says the same after
// each as folding all so far does, and as the definition does, worked out the long way.
func TestAHistoryGrowsAsItIsFolded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := store.NewHistory(nil)
		for range rapid.IntRange(0, 30).Draw(t, "events") {
			h.Add(anyEvent(t, h.Last()))
			again := store.NewHistory(h.All())
			if diff := cmp.Diff(sumOf(again), sumOf(h), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("folding at once (-) and one by one (+) differ:\n%s", diff)
			}
			var seqs []int64
			for _, a := range h.Answers() {
				seqs = append(seqs, a.Seq)
			}
			if diff := cmp.Diff(longWay(h.All()), seqs); diff != "" {
				t.Fatalf("the definition (-) and the history (+) differ:\n%s", diff)
			}
		}
	})
}

// longWay works out the numbers of the answers in effect from events that have targets: which steps
// are taken back, then for each first answer the last of those in its place that is not.
func longWay(events []store.Event) []int64 {
	step := make(map[int64]int64) // of each event that does something
	root := make(map[int64]int64) // first event of its place
	answer := make(map[int64]bool)
	gone := make(map[int64]bool)
	var order []int64
	stepOf := func(seq int64) (int64, bool) {
		if s, known := step[seq]; known {
			return s, true
		}
		for _, s := range step { // begun by what is none itself
			if s == seq {
				return s, true
			}
		}
		return 0, false
	}
	for _, e := range events {
		if e.Step == store.Undo || e.Step == store.Redo {
			target, known := stepOf(e.Target)
			if known {
				gone[target] = e.Step == store.Undo
			}
			continue
		}
		step[e.Seq] = e.Seq
		if e.Batch > 0 && e.Batch < e.Seq {
			step[e.Seq] = e.Batch
			if s, known := stepOf(e.Batch); known {
				step[e.Seq] = s
			}
		}
		root[e.Seq] = e.Seq
		answer[e.Seq] = e.Step.IsAnswer()
		if r, known := root[e.Target]; known && e.Target > 0 &&
			(e.Step == store.Drop || e.Step.IsAnswer() && answer[r]) {
			root[e.Seq] = r
		}
		if root[e.Seq] == e.Seq {
			order = append(order, e.Seq)
		}
	}
	var seqs []int64
	for _, r := range order {
		for _, e := range slices.Backward(events) {
			if s, does := step[e.Seq]; does && root[e.Seq] == r && !gone[s] {
				if answer[e.Seq] && answer[r] {
					seqs = append(seqs, e.Seq)
				}
				break
			}
		}
	}
	return seqs
}

// TestRedoIsTheInverseOfUndo: after n undos, n redos of the same person bring all back, whatever
// came before.
func TestRedoIsTheInverseOfUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := store.NewHistory(nil)
		for range rapid.IntRange(0, 30).Draw(t, "events") {
			h.Add(anyEvent(t, h.Last()))
		}
		who := rapid.SampledFrom(people).Draw(t, "person")
		before := sumOf(h)
		n := 0
		for most := rapid.IntRange(0, 30).Draw(t, "undos"); n < most; n++ {
			seq, ok := h.UndoTarget(who, nil)
			if !ok {
				break
			}
			was := tell(h) + fmt.Sprint(sumOf(h).InEffect)
			h.Add(store.Event{Step: store.Undo, Who: who, Target: seq})
			if is := tell(h) + fmt.Sprint(sumOf(h).InEffect); is == was {
				t.Fatalf("an undo of %d changed nothing", seq)
			}
		}
		for range n {
			seq, ok := h.RedoTarget(who, nil)
			if !ok {
				t.Fatal("less can be brought back than was taken back")
			}
			h.Add(store.Event{Step: store.Redo, Who: who, Target: seq})
		}
		after := sumOf(h)
		after.InEffect, before.InEffect = nil, nil // longer by the undos and redos
		if diff := cmp.Diff(before, after, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}
