package ask_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/link"
)

// state is all that can be seen of a ledger.
type state struct {
	known   []link.Kind
	ok      []bool
	answers []link.Link
	next    link.Question
	more    bool
}

func look(r *ask.Session) state {
	s := state{answers: r.Answers()}
	for a := range r.N() {
		for b := range r.N() {
			kind, ok := r.Known(a, b)
			s.known, s.ok = append(s.known, kind), append(s.ok, ok)
		}
	}
	s.next, s.more = r.Next()
	return s
}

func (s state) equal(o state) bool {
	return slices.Equal(s.known, o.known) && slices.Equal(s.ok, o.ok) &&
		slices.Equal(s.answers, o.answers) &&
		s.next == o.next && s.more == o.more
}

// TestStateIsAFunctionOfTheAnswers: after any sequence of steps a ledger is as a new one is that is
// given the answers, and an answer with its undo, and an undo with its redo, are nothing.
func TestStateIsAFunctionOfTheAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "n")
		links := rapid.Custom(func(t *rapid.T) link.Link {
			a := rapid.IntRange(0, n-1).Draw(t, "a")
			b := rapid.IntRange(0, n-2).Draw(t, "b")
			if b >= a {
				b++
			}
			return say(a, b, link.Kind(rapid.IntRange(0, 2).Draw(t, "kind")))
		})
		policy := rapid.SampledFrom([]link.Policy{link.Refuse, link.Keep}).Draw(t, "policy")
		given := rapid.SliceOfN(links, 0, 4).Draw(t, "given")
		l, err := ask.NewLedger(n, given, policy)
		if err != nil {
			t.Skip("given links that clash")
		}
		cfg := scripted{Script: everyPair(n), Entailed: rapid.Bool().Draw(t, "entailed")}
		run := ask.NewSession(t.Context(), l, cfg)
		var copied []link.Link // by what came since
		var at ask.Mark
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			before := look(run)
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1:
				said := rapid.Bool().Draw(t, "elsewhere")
				told := links.Draw(t, "told")
				if !said && before.more {
					told.A, told.B = before.next.A, before.next.B
				}
				again := slices.ContainsFunc(before.answers,
					func(a link.Link) bool { return a.Pair() == told.Pair() })
				if err := run.Tell(told); err != nil {
					if !look(run).equal(before) {
						t.Fatalf("%v was refused, and changed something", told)
					}
					continue
				}
				if again {
					break
				}
				after := look(run)
				if back, ok := run.Undo(); !ok || back != told || !look(run).equal(before) {
					t.Fatalf("undo after %v does not lead back", told)
				}
				if forth, ok := run.Redo(); !ok || forth != told || !look(run).equal(after) {
					t.Fatalf("redo of %v does not lead there again", told)
				}
			case 2:
				run.Undo()
			case 3:
				run.Redo()
			case 4:
				l := links.Draw(t, "edited")
				if err := run.Edit(l.A, l.B, l.Kind); err != nil && !look(run).equal(before) {
					t.Fatal("an edit that was refused changed something")
				}
			}
			if rapid.Bool().Draw(t, "copy") {
				kept, since := run.Since(at)
				copied = append(copied[:kept:kept], since...)
				if at = run.Mark(); !slices.Equal(copied, run.Answers()) {
					t.Fatalf("copied %v, the answers are %v", copied, run.Answers())
				}
			}
			fresh, err := ask.NewLedger(n, given, policy)
			if err != nil {
				t.Fatal(err)
			}
			if err := fresh.Restore(run.Answers(), nil); err != nil {
				t.Fatal(err)
			}
			if !look(ask.NewSession(t.Context(), fresh, cfg)).equal(look(run)) {
				t.Fatal("a replay of the answers leads elsewhere")
			}
		}
	})
}
