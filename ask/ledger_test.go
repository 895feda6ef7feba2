package ask_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

func say(a, b int, k link.Kind) link.Link { return link.Link{A: a, B: b, Kind: k} }

// everyPair asks about all pairs in order; it is done when all are known.
func everyPair(n int) ask.Script {
	return func(ctx context.Context, ask ask.Answerer) error {
		for a := range n {
			for b := a + 1; b < n; b++ {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if _, err := ask(link.Question{A: a, B: b}); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// scripted chooses by a script.
type scripted ask.Scripted

func (s scripted) Questions(ctx context.Context, known *ask.Ledger, most int) ([]ask.Prompt,
	error) {
	return ask.Scripted(s).Questions(ctx, known, most)
}

func (scripted) Remaining(*ask.Ledger) (likely, most int) { return 1, 1 }

func newLedger(t testing.TB, n int, given []link.Link, policy link.Policy) *ask.Ledger {
	t.Helper()
	l, err := ask.NewLedger(n, given, policy)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func newRun(t testing.TB, n int, given []link.Link, policy link.Policy,
	entailed bool) *ask.Session {
	t.Helper()
	return ask.NewSession(context.Background(), newLedger(t, n, given, policy),
		scripted{Script: everyPair(n), Entailed: entailed})
}

// TestAScriptAsksWhatIsOpen: the pair that was given and, where it wants, what follows are not
// asked.
func TestAScriptAsksWhatIsOpen(t *testing.T) {
	for entailed, want := range map[bool][][2]int{
		true:  {{0, 1}, {0, 2}},
		false: {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}},
	} {
		run := newRun(t, 4, []link.Link{say(3, 0, different)}, link.Refuse, entailed)
		var got [][2]int
		for q, ok := run.Next(); ok; q, ok = run.Next() {
			if q.Number != len(got)+1 {
				t.Errorf("question %d has number %d", len(got)+1, q.Number)
			}
			got = append(got, [2]int{q.A, q.B})
			kind := same
			if q.B == 3 {
				kind = different
			}
			if err := run.Answer(kind); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("entailed %t: it asks %v, want %v", entailed, got, want)
		}
		if err := run.Answer(same); !errors.Is(err, ask.ErrNothingAsked) {
			t.Errorf("an answer to no question: %v", err)
		}
	}
}

// TestWhatIsKnown of a pair: what was said of it, else what follows; an answer outweighs unknown.
func TestWhatIsKnown(t *testing.T) {
	l := newLedger(t, 5, []link.Link{say(0, 1, same)}, link.Keep)
	for _, a := range []link.Link{say(1, 2, same), say(3, 4, unknown), say(2, 0, different)} {
		if err := l.Tell(a); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		a, b     int
		kind     link.Kind
		said, ok bool
	}{{1, 0, same, true, true}, {0, 2, different, true, true}, {4, 3, unknown, true, true},
		{1, 4, unknown, false, false}, {2, 2, same, false, true}} {
		if _, said := l.Answered(c.a, c.b); said != c.said {
			t.Errorf("%d and %d: said is %t", c.a, c.b, said)
		}
		if kind, ok := l.Known(c.a, c.b); kind != c.kind || ok != c.ok {
			t.Errorf("%d and %d are %v (%t), want %v (%t)", c.a, c.b, kind, ok, c.kind, c.ok)
		}
	}
	if kind := l.Set().Relation(0, 2); kind != same {
		t.Errorf("a link that contradicts earlier ones is not left out: %v", kind)
	}
	if err := l.Tell(say(3, 4, same)); err != nil {
		t.Fatal(err)
	}
	if kind, _ := l.Known(3, 4); kind != same || len(l.Answers()) != 3 {
		t.Errorf("an answer in place of unknown: %v, %d answers", kind, len(l.Answers()))
	}
	l.Undo() // the last one in order, which is the one that was unmet
	if kind, ok := l.Known(0, 2); kind != same || !ok {
		t.Errorf("undone, 0 and 2 are %v", kind)
	}
}

// TestARefusalChangesNothing: a contradiction, a link that is none, rows that are not there.
func TestARefusalChangesNothing(t *testing.T) {
	l := newLedger(t, 4, []link.Link{say(0, 1, same)}, link.Refuse)
	if err := l.Tell(say(1, 2, same)); err != nil {
		t.Fatal(err)
	}
	l.Tell(say(2, 3, same))
	l.Undo()
	was, mark := l.Answers(), l.Mark()
	var clash *link.Contradiction
	for name, err := range map[string]error{
		"tell":    l.Tell(say(0, 2, different)),
		"replace": l.Tell(say(1, 2, 9)),
		"restore": l.Restore([]link.Link{say(0, 1, different)}, nil),
		"taken":   l.Restore(nil, []link.Link{say(0, 4, same)}),
		"edit":    l.Edit(0, 3, same),
		"kind":    l.Edit(1, 2, 3),
		"itself":  l.Tell(say(3, 3, same)),
		"beyond":  l.Tell(say(3, 4, same)),
	} {
		if err == nil {
			t.Errorf("%s: nothing is refused", name)
		}
		if contradicts := errors.As(err, &clash); contradicts != (name == "tell" ||
			name == "restore") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !slices.Equal(l.Answers(), was) || l.Mark() != mark {
		t.Errorf("answers %v, were %v", l.Answers(), was)
	}
	if _, ok := l.Redo(); !ok {
		t.Error("what was taken back is forgotten")
	}
	if _, err := ask.NewLedger(3, []link.Link{say(0, 1, same), say(0, 1, different)},
		link.Refuse); !errors.As(err, &clash) {
		t.Errorf("given links that clash: %v", err)
	}
	if _, err := ask.NewLedger(3, []link.Link{say(0, 3, same)}, link.Keep); !fault.IsInput(err) {
		t.Errorf("a given link beyond the rows: %v", err)
	}
}

// TestTellingWhatIsNoLink is an error of the input.
func TestTellingWhatIsNoLink(t *testing.T) {
	l := newLedger(t, 3, nil, link.Refuse)
	if err := l.Tell(say(0, 1, same)); err != nil {
		t.Fatal(err)
	}
	for _, no := range []link.Link{say(0, 3, unknown), say(-1, 0, unknown), say(1, 1, unknown),
		say(0, 1, 7), {A: 0, B: 2, Plausibility: 2}} {
		if err := l.Tell(no); !fault.IsInput(err) {
			t.Errorf("%+v: %v", no, err)
		}
	}
	if got := l.Answers(); !slices.Equal(got, []link.Link{say(0, 1, same)}) {
		t.Errorf("answers %v", got)
	}
}

// TestANewAnswerForgetsWhatWasTakenBack, and keeps what is told with it.
func TestANewAnswerForgetsWhatWasTakenBack(t *testing.T) {
	l := newLedger(t, 4, nil, link.Refuse)
	l.Tell(say(0, 1, same))
	l.Undo()
	told := link.Link{A: 3, B: 0, Kind: different, Source: "ann", Plausibility: 0.5}
	if err := l.Tell(told); err != nil {
		t.Fatal(err)
	}
	if back, ok := l.Redo(); ok {
		t.Errorf("%+v came back", back)
	}
	if got := l.Answers(); len(got) != 1 || got[0] != told {
		t.Errorf("kept %+v", got)
	}
}

// TestContradictionsThatAreKeptComeBack when they are given once more.
func TestContradictionsThatAreKeptComeBack(t *testing.T) {
	l := newLedger(t, 3, nil, link.Keep)
	answers := []link.Link{say(0, 1, same), say(1, 2, same), say(0, 2, different)}
	if err := l.Restore(answers, nil); err != nil || l.Restored() != 3 {
		t.Fatalf("%d restored (%v)", l.Restored(), err)
	}
	l.Undo()
	if back, ok := l.Redo(); !ok || back != answers[2] || !slices.Equal(l.Answers(), answers) {
		t.Errorf("gave %v, %v: %v", back, ok, l.Answers())
	}
	if l.Restored() != 0 {
		t.Errorf("%d are as restored", l.Restored())
	}
}

// TestAnEdit keeps the place of the answer, and the others.
func TestAnEdit(t *testing.T) {
	l := newLedger(t, 4, nil, link.Refuse)
	for _, a := range []link.Link{say(0, 1, same), say(1, 2, same), say(2, 3, different)} {
		l.Tell(a)
	}
	if err := l.Edit(2, 1, different); err != nil {
		t.Fatal(err)
	}
	if want := []link.Link{say(0, 1, same), say(1, 2, different),
		say(2, 3, different)}; !slices.Equal(l.Answers(), want) {
		t.Errorf("answers %v, want %v", l.Answers(), want)
	}
}

// TestLookingAhead supposes answers, and leaves no trace.
func TestLookingAhead(t *testing.T) {
	run := ask.NewSession(t.Context(), newLedger(t, 4, nil, link.Refuse), scripted{
		Script: everyPair(4), Entailed: true, Guess: func(a, b int) (float64, string) {
			if b == 3 {
				return 0.2, "unlikely"
			}
			return 0.8, "likely"
		},
	})
	var got []string
	for _, q := range run.Queue(9) {
		got = append(got, fmt.Sprint(q.Number, q.A, q.B))
	}
	if want := []string{"1 0 1", "2 0 2", "3 0 3"}; !slices.Equal(got, want) {
		t.Errorf("it would ask %v, want %v", got, want)
	}
	if kind, ok := run.Known(0, 1); ok {
		t.Errorf("what was supposed is known: %v", kind)
	}
	if len(run.Queue(2)) != 2 || len(run.Queue(1)) != 1 || run.Queue(0) != nil {
		t.Error("a queue is longer than it may be")
	}
}

// TestRowsLeftOut are not asked about: a script is told that nothing is known of them, unless
// something is.
func TestRowsLeftOut(t *testing.T) {
	run := newRun(t, 4, []link.Link{say(1, 3, same)}, link.Refuse, true)
	run.Exclude([]int{1, 8, -1})
	if !slices.Equal(run.Excluded(), []int{1}) || !run.Out(1) || run.Out(0) {
		t.Errorf("%v are left out", run.Excluded())
	}
	var got [][2]int
	for _, q := range run.Queue(9) {
		got = append(got, [2]int{q.A, q.B})
	}
	if want := [][2]int{{0, 2}, {0, 3}, {2, 3}}; !slices.Equal(got, want) {
		t.Errorf("it asks %v, want %v", got, want)
	}
}

// TestFailures: a script that fails ends the questions; a look that is cut short does not.
func TestFailures(t *testing.T) {
	broken := errors.New("broken")
	fails := func(ctx context.Context, ask ask.Answerer) error {
		if _, err := ask(link.Question{A: 0, B: 1}); err != nil {
			return err
		}
		return broken
	}
	run := ask.NewSession(t.Context(), newLedger(t, 3, nil, link.Refuse),
		scripted{Script: fails})
	if err := ask.Drive(t.Context(), run, ask.Labels([]int32{0, 0, 0}), 0,
		nil); err != broken || len(run.Answers()) != 1 {
		t.Errorf("%v after %d answers", err, len(run.Answers()))
	}
	good := newRun(t, 3, nil, link.Refuse, true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := good.Look(ctx); !errors.Is(err, context.Canceled) || good.Err() != nil {
		t.Errorf("%v, %v", err, good.Err())
	}
	if _, ok := good.Next(); !ok {
		t.Error("it does not go on")
	}
	ended := ask.NewSession(ctx, newLedger(t, 3, nil, link.Refuse),
		scripted{Script: everyPair(3)})
	if _, ok := ended.Next(); ok || !errors.Is(ended.Err(), context.Canceled) {
		t.Errorf("after the end of the run: %v", ended.Err())
	}
}

// TestEntailed: what follows from answers is certain, what does not is left to a guess, and rows
// that are not there say nothing.
func TestEntailed(t *testing.T) {
	l, err := ask.NewLedger(5, []link.Link{{A: 0, B: 1, Kind: link.MustLink},
		{A: 1, B: 2, Kind: link.CannotLink}}, link.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b int
		same float64
		ok   bool
	}{{0, 1, 1, true}, {2, 0, 0, true}, {0, 3, 0, false}, {4, 3, 0, false}, {-1, 2, .5, true},
		{2, 5, .5, true}} {
		if same, words, ok := l.Entailed(c.a, c.b); same != c.same || ok != c.ok ||
			ok != (words != "") {
			t.Errorf("rows %d and %d: %g, %q, %v", c.a, c.b, same, words, ok)
		}
	}
}
