package project_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project"
)

// Both shares are kept to, also where both would fall on the same question.
func TestSharesAreCountedOut(t *testing.T) {
	for _, s := range []project.Sharing{{Overlap: 0.5, Repeat: 0.5}, {Overlap: 0.1, Repeat: 0.3},
		{Overlap: 0.25}} {
		d := open(t, projectFile(t), "iris", "label", "class", "super-instances", "60")
		for i := range 6 { // something to repeat, and to overlap with
			for _, who := range []string{"ann", "bob"} {
				q := askAs(t, d, who)
				must(t)(d.Answer(t.Context(), who,
					project.Step{A: q.A.Row, B: q.B.Row, Answer: "different", Question: i + 1,
						Keep: true}))
			}
		}
		for range 30 {
			q := askAs(t, d, "bob")
			must(t)(d.Answer(t.Context(), "bob",
				project.Step{A: q.A.Row, B: q.B.Row, Answer: "different", Question: q.Number,
					Keep: true}))
		}
		if err := d.SetSharing(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		from := make(map[string]float64)
		const questions = 10
		for range questions {
			q := askAs(t, d, "ann")
			from[q.Source]++
			must(t)(d.Answer(t.Context(), "ann",
				project.Step{A: q.A.Row, B: q.B.Row, Answer: "different", Question: q.Number,
					Keep: true}))
		}
		if r, o := from["repeat"]-questions*s.Repeat,
			from["overlap"]-questions*s.Overlap; max(r, -r, o, -o) > 1 {
			t.Errorf("%+v: of %d questions came %v", s, questions, from)
		}
	}
}

// A repeated question can be put off like any other.
func TestARepeatCanBePutOff(t *testing.T) {
	d := open(t, projectFile(t), "iris", "label", "class")
	answerAll(t, d, "ann", 12)
	if err := d.SetSharing(t.Context(), project.Sharing{Repeat: 1}); err != nil {
		t.Fatal(err)
	}
	q := askAs(t, d, "ann")
	must(t)(d.Answer(t.Context(), "ann",
		project.Step{A: q.A.Row, B: q.B.Row, Answer: truth(d, q.A.Row, q.B.Row),
			Question: q.Number}))
	q = askAs(t, d, "ann")
	r := must(t)(d.Skip(t.Context(), "ann", "skip", q.A.Row, q.B.Row))
	if next := r.Turn.Question; q.Source != "repeat" || next == nil ||
		samePair(next, q.A.Row, q.B.Row) {
		t.Errorf("a %s question put off is followed by %+v", q.Source, next)
	}
}

// What one person put off and another has on the screen by now stays with that one when the first
// takes it back.
func TestAQuestionIsOnOneScreen(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class"), new(ids)
	defer d.Present("ann")()
	leave := d.Present("bob")
	q := askAs(t, d, "ann")
	must(t)(d.Skip(t.Context(), "ann", id.next(), q.A.Row, q.B.Row))
	if b := askAs(t, d, "bob"); !samePair(b, q.A.Row, q.B.Row) {
		t.Fatalf("bob is asked about %d and %d", b.A.Row, b.B.Row)
	}
	r := must(t)(d.Undo(t.Context(), "ann", id.next()))
	if samePair(r.Turn.Question, q.A.Row, q.B.Row) {
		t.Error("both have the same question")
	}
	leave()
	leave() // a page leaves once
	for _, p := range d.State("ann").People {
		if p.Name == "bob" && p.Active {
			t.Error("bob has left, and is here")
		}
	}
}

// An answer from the map leaves the question on the screen, unless it settles it.
func TestAnAnswerFromTheMapLeavesTheQuestion(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class"), new(ids)
	if err := d.SetSharing(t.Context(), project.Sharing{Overlap: 0.5}); err != nil {
		t.Fatal(err)
	}
	answerAll(t, d, "bob", 3)
	answerAll(t, d, "ann", 1)
	q := askAs(t, d, "ann")
	if q.Source != "overlap" {
		t.Fatalf("ann is asked a %s question", q.Source)
	}
	r := must(t)(d.Links(t.Context(), "ann", id.next(),
		[]project.Pair{{A: 3, B: 140, Link: "unknown"}}, false))
	if next := r.Turn.Question; next == nil || !samePair(next, q.A.Row, q.B.Row) {
		t.Errorf("the question on the screen was %d and %d, and is %+v", q.A.Row, q.B.Row, next)
	}
}

// However many pairs are put off, the rest are asked about before them.
func TestManyPairsArePutOff(t *testing.T) {
	d := open(t, projectFile(t), "iris", "label", "class", "super-instances", "20")
	for i := range 80 {
		q := askAs(t, d, "")
		if q.Source != "method" {
			t.Fatalf("question %d is a %s one", i, q.Source)
		}
		must(t)(d.Skip(t.Context(), "", fmt.Sprint("skip", i), q.A.Row, q.B.Row))
	}
}

// Within one step: a pair named twice, links that contradict a link that others said, and one that
// they dispute by now.
func TestLinksOfOneStepStandTogether(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class"), new(ids)
	r := must(t)(d.Links(t.Context(), "ann", id.next(),
		[]project.Pair{{A: 1, B: 2, Link: "same"}, {A: 2, B: 1, Link: "same"},
			{A: 2, B: 3, Link: "same"}}, false))
	if p := r.State.People[0]; r.State.Mine != 1 || p.Answers != 1 || p.Stated != 2 || p.Repeated != 0 {
		t.Errorf("a pair named twice counts as %+v", p)
	}
	if _, err := d.Links(t.Context(), "ann", id.next(),
		[]project.Pair{{A: 7, B: 8, Link: "same"}, {A: 8, B: 7, Link: "unknown"}},
		false); !fault.IsInput(err) {
		t.Errorf("two links of one pair give %v", err)
	}
	// Bob disputes 2–3, so that 1–3 follows no more.
	r = must(t)(d.Links(t.Context(), "bob", id.next(),
		[]project.Pair{{A: 2, B: 3, Link: "different"}, {A: 1, B: 3, Link: "different"}}, false))
	if r.State.Disagreements != 1 || r.State.Contradictions != 0 || r.State.Answers != 2 ||
		r.State.Stated != 4 {
		t.Errorf("%d disagreements, %d contradictions, %s", r.State.Disagreements,
			r.State.Contradictions, r.State.Count())
	}
}

// The doubt is shown as the one that clashes, not what someone else said of the pair since; and
// beside others it has one voice.
func TestADoubtIsToldFromItsContrary(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class"), new(ids)
	r := must(t)(d.Links(t.Context(), "ann", id.next(),
		[]project.Pair{{A: 1, B: 2, Link: "same"}, {A: 2, B: 3, Link: "same"}}, false))
	chain := r.Event.Seq
	doubt := must(t)(d.Answer(t.Context(), "bob",
		project.Step{ID: id.next(), A: 1, B: 3, Answer: "different", Keep: true})).Event
	must(t)(d.Answer(t.Context(), "cleo",
		project.Step{ID: id.next(), A: 1, B: 3, Answer: "unknown"}))
	if c := d.Clashes(); len(c) != 1 || c[0].Answer.Seq != doubt.Seq || c[0].Answer.Who != "bob" {
		t.Fatalf("the contradictions are %+v", c)
	}
	must(t)(d.Drop(t.Context(), "ann", id.next(), chain, nil))
	count := 0
	for _, l := range d.Effective() {
		if l.A.Row+l.B.Row == 4 && (l.A.Row == 1 || l.B.Row == 1) {
			if count++; l.Link != "different" {
				t.Errorf("the pair counts as %s", l.Link)
			}
		}
	}
	if count != 1 || len(d.Clashes()) != 0 {
		t.Errorf("the pair counts %d times", count)
	}
}

// notNeeded asks with a pair on the screen, and returns why its answer is not needed.
func notNeeded(t *testing.T, d *project.Project, who string, q *project.Question) project.Moot {
	t.Helper()
	d.Show(who, &[2]int{q.A.Row, q.B.Row})
	now := turn(t, d, who).Question
	if now == nil || !samePair(now, q.A.Row, q.B.Row) {
		t.Fatalf("on the screen is %d and %d, and the turn asks %+v", q.A.Row, q.B.Row, now)
	}
	if now.Moot == nil {
		return project.Moot{}
	}
	return *now.Moot
}

// What a step of several links says of a pair on a screen is no answer to a question, and is not
// called one.
func TestAStepOfSeveralIsNoAnswerToAQuestion(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class", "super-instances", "20"), new(ids)
	q := askAs(t, d, "ann")
	third := 0
	for third == q.A.Row || third == q.B.Row {
		third++
	}
	pairs := []project.Pair{{A: q.A.Row, B: q.B.Row, Link: "same"},
		{A: q.A.Row, B: third, Link: "same"}}
	must(t)(d.Links(t.Context(), "bob", id.next(), pairs, false))
	if m := notNeeded(t, d, "ann", q); m.Words !=
		"bob stated this pair meanwhile, in a step of 2: same." {
		t.Errorf("of what bob stated: %+v", m)
	}
	must(t)(d.Links(t.Context(), "ann", id.next(), pairs, false))
	if m := notNeeded(t, d, "ann", q); m.Words !=
		"You stated this pair already, in a step of 2: same. Change that answer in the history." {
		t.Errorf("of what ann stated: %+v", m)
	}
	_, err := d.Answer(t.Context(), "ann", project.Step{ID: id.next(), A: q.A.Row, B: q.B.Row,
		Answer: "different"})
	if !errors.Is(err, project.ErrStale) || !strings.Contains(err.Error(), "you stated \"same\"") {
		t.Errorf("another answer is refused by %v", err)
	}
}

// A pair on a screen stays until the page shows another one, and the turn says why its answer is
// not needed.
func TestAQuestionOnAScreenStays(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class", "super-instances", "20"), new(ids)
	answer := func(who string, a, b, question int, kind string) {
		t.Helper()
		must(t)(d.Answer(t.Context(), who, project.Step{ID: id.next(), A: a, B: b, Answer: kind,
			Question: question}))
	}
	q := askAs(t, d, "ann")
	if m := notNeeded(t, d, "ann", q); m != (project.Moot{}) {
		t.Errorf("a new question is said to be needless: %+v", m)
	}
	answer("bob", q.A.Row, q.B.Row, 0, "same")
	if m := notNeeded(t, d, "ann", q); m.Closed ||
		m.Words != "bob answered this pair meanwhile: same." {
		t.Errorf("what bob answered: %+v", m)
	}
	answer("ann", q.A.Row, q.B.Row, q.Number, "same") // it counts, too
	if s := d.State("ann"); s.Answers != 2 || s.Mine != 1 {
		t.Errorf("%d answers, %d of ann", s.Answers, s.Mine)
	}
	if m := notNeeded(t, d, "ann", q); !m.Closed {
		t.Errorf("what ann answered herself: %+v", m)
	}
	d.Show("ann", nil)
	next := askAs(t, d, "ann")
	if samePair(next, q.A.Row, q.B.Row) || next.Moot != nil {
		t.Errorf("after it comes %+v", next)
	}
	// By a third row the two of the next question are the same.
	third := 0
	for third == next.A.Row || third == next.B.Row || third == q.A.Row || third == q.B.Row {
		third++
	}
	answer("bob", next.A.Row, third, 0, "same")
	answer("bob", next.B.Row, third, 0, "same")
	if m := notNeeded(t, d, "ann", next); m.Closed ||
		m.Words != "By now other answers entail that the two are same." {
		t.Errorf("what follows from others: %+v", m)
	}
	must(t)(d.LeaveOut(t.Context(), "bob", id.next(), next.B.Row))
	if m := notNeeded(t, d, "ann", next); !m.Closed {
		t.Errorf("what was left out: %+v", m)
	}
	must(t)(d.Undo(t.Context(), "bob", id.next()))
	must(t)(d.Undo(t.Context(), "bob", id.next()))
	if m := notNeeded(t, d, "ann", next); m != (project.Moot{}) {
		t.Errorf("it is needed again: %+v", m)
	}
}

// A question ahead names the answers that settle it, too.
func TestWhatAnAnswerSettlesDoesNotFollowIt(t *testing.T) {
	settled := make(map[string]int)
	for _, settings := range [][]string{
		{"method", "cobra", "super-instances", "30"},
		{"method", "pckmeans", "clusters", "3", "strategy", "closest-pairs"},
	} {
		d := open(t, projectFile(t), "iris", append(settings, "label", "class")...)
		for range 40 {
			before := turn(t, d, "")
			q := before.Question
			if q == nil {
				break
			}
			said := truth(d, q.A.Row, q.B.Row)
			must(t)(d.Answer(t.Context(), "", project.Step{A: q.A.Row, B: q.B.Row, Answer: said,
				Question: q.Number}))
			for _, next := range before.Ahead {
				d.Show("", &[2]int{next.A.Row, next.B.Row})
				moot := turn(t, d, "").Question.Moot
				entailed := moot != nil && strings.Contains(moot.Words, "entail")
				if by := slices.Contains(next.SettledBy, said); by != entailed {
					t.Fatalf("after %s, %d and %d: settled by %v, and then %+v", said, next.A.Row,
						next.B.Row, next.SettledBy, moot)
				}
				if entailed {
					settled[said]++
				}
			}
			d.Show("", nil)
		}
	}
	if settled["same"] == 0 {
		t.Errorf("no question was settled by the one before: %v", settled)
	}
}

// What is taken back and brought back leads to the pair that was asked before, whatever the method,
// at the terminal and on a page.
func TestUndoThenRedoComesBackToTheSamePair(t *testing.T) {
	for _, settings := range [][]string{
		{"method", "kin"}, {"method", "cobras"}, {"method", "cobra", "super-instances", "20"},
		{"method", "evclus", "clusters", "3"},
		{"method", "pckmeans", "clusters", "3", "strategy", "closest-pairs"},
		{"method", "pckmeans", "clusters", "3", "strategy", "npu"},
	} {
		d := alone(t, projectFile(t), "iris", append(settings, "label", "class")...)
		var asked [][2]int
		for range 8 {
			q := asks(t, d)
			if q == nil {
				break
			}
			asked = append(asked, [2]int{q.A.Row, q.B.Row})
			must(t)(d.Answer(t.Context(), "", project.Step{A: q.A.Row, B: q.B.Row,
				Answer: truth(d, q.A.Row, q.B.Row), Question: q.Number}))
		}
		last := asks(t, d)
		for back := 1; back <= 3; back++ {
			for i := range back {
				must(t)(d.Undo(t.Context(), "", ""))
				if pair := asked[len(asked)-1-i]; !samePair(asks(t, d), pair[0], pair[1]) {
					t.Fatalf("%v: undo leads to %+v, not to %v", settings, asks(t, d), pair)
				}
			}
			for range back {
				must(t)(d.Redo(t.Context(), "", ""))
			}
			if !samePair(asks(t, d), last.A.Row, last.B.Row) {
				t.Errorf("%v: %d steps brought back lead to another pair", settings, back)
			}
		}
	}
}

// What a page shows next of itself is not on another screen by then.
func TestTheNextQuestionsOfAPageAreItsOwn(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class", "super-instances", "30"), new(ids)
	defer d.Present("ann")()
	defer d.Present("bob")()
	screens := map[string]project.Turn{"ann": turn(t, d, "ann"), "bob": turn(t, d, "bob")}
	for range 20 {
		for _, who := range []string{"ann", "bob", "bob", "ann"} {
			// The page goes on to the first question ahead before the reply is there.
			q, next := screens[who].Question, screens[who].Ahead[0]
			for name, other := range screens {
				if name != who && samePair(other.Question, next.A.Row, next.B.Row) {
					t.Fatalf("%s goes on to what %s has on the screen", who, name)
				}
			}
			d.Show(who, &[2]int{next.A.Row, next.B.Row})
			r := must(t)(d.Answer(t.Context(), who, project.Step{ID: id.next(), A: q.A.Row,
				B: q.B.Row, Answer: "unknown", Question: q.Number}))
			screens[who] = r.Turn
		}
	}
}
