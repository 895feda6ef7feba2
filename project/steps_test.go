package project_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// ids returns a new id for each step.
type ids int

func (i *ids) next() string { *i++; return fmt.Sprintf("step-%d", *i) }

func turn(t testing.TB, d *project.Project, who string) project.Turn {
	t.Helper()
	got, err := d.Turn(t.Context(), who)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func askAs(t testing.TB, d *project.Project, who string) *project.Question {
	t.Helper()
	q := turn(t, d, who).Question
	if q == nil {
		t.Fatal("there is no question")
	}
	return q
}

func must(t testing.TB) func(project.Reply, error) project.Reply {
	return func(r project.Reply, err error) project.Reply {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func samePair(q *project.Question, a, b int) bool {
	return q.A.Row == a && q.B.Row == b || q.A.Row == b && q.B.Row == a
}

// Undo brings the question back, and redo the answer; both outlive a restart.
func TestUndoAcrossARestart(t *testing.T) {
	path, id := projectFile(t), new(ids)
	d := open(t, path, "iris", "label", "class")
	answerAll(t, d, "", 10)
	before := ari(t, d)
	first := askAs(t, d, "")
	must(t)(d.Answer(t.Context(), "",
		project.Step{ID: id.next(), A: first.A.Row, B: first.B.Row, Answer: "same",
			Question: first.Number}))
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = open(t, path, "iris")
	if s := d.State(""); s.Answers != 11 || !s.CanUndo || s.Settings["label"] != "class" {
		t.Fatalf("after the restart: %d answers, can undo %v, label %q", s.Answers, s.CanUndo,
			s.Settings["label"])
	}
	r := must(t)(d.Undo(t.Context(), "", id.next()))
	if q := r.Turn.Question; q == nil || !samePair(q, first.A.Row, first.B.Row) {
		t.Errorf("undo asks %v again, want %d and %d", q, first.A.Row, first.B.Row)
	}
	if after := ari(t, d); after != before || r.State.Answers != 10 || !r.State.CanRedo {
		t.Errorf("undo leaves ARI %g of %d answers, want %g of 10", after, r.State.Answers, before)
	}
	for range 10 {
		must(t)(d.Undo(t.Context(), "", id.next()))
	}
	if _, err := d.Undo(t.Context(), "", id.next()); !errors.Is(err, project.ErrNothing) {
		t.Errorf("an undo of nothing gives %v", err)
	}
	for range 11 {
		r = must(t)(d.Redo(t.Context(), "", id.next()))
	}
	if r.State.Answers != 11 || r.State.CanRedo {
		t.Errorf("all brought back: %d answers, can redo %v", r.State.Answers, r.State.CanRedo)
	}
}

// The same step sent twice counts once, and returns the first result.
func TestAStepIsTakenOnce(t *testing.T) {
	d := open(t, projectFile(t), "iris", "label", "class")
	q := askAs(t, d, "")
	s := project.Step{ID: "once", A: q.A.Row, B: q.B.Row, Answer: "same", Question: 1}
	first := must(t)(d.Answer(t.Context(), "", s))
	again := must(t)(d.Answer(t.Context(), "", s))
	if first.Event.Seq != again.Event.Seq || again.State.Answers != 1 {
		t.Errorf("events %d and %d, %d answers", first.Event.Seq, again.Event.Seq,
			again.State.Answers)
	}
	// A second tab that answers the same otherwise learns that it is late.
	s.ID, s.Answer = "other", "different"
	if _, err := d.Answer(t.Context(), "", s); !errors.Is(err, project.ErrStale) {
		t.Errorf("another answer about the pair gives %v", err)
	}
	if _, err := d.Answer(t.Context(), "ann",
		project.Step{ID: "once", A: q.A.Row, B: q.B.Row, Answer: "same"}); !errors.Is(err,
		project.ErrReused) {
		t.Errorf("someone else's id gives %v", err)
	}
}

// The id of a step is that of this step alone: with another one it is refused, and nothing is kept;
// with the same one it returns the first result, whatever came since.
func TestTheIDOfAnotherStepIsRefused(t *testing.T) {
	d := open(t, projectFile(t), "iris", "label", "class")
	type call = func(id string) (project.Reply, error)
	answer := func(a, b int, answer string) call {
		return func(id string) (project.Reply, error) {
			return d.Answer(t.Context(), "", project.Step{ID: id, A: a, B: b, Answer: answer})
		}
	}
	links := func(pairs ...project.Pair) call {
		return func(id string) (project.Reply, error) {
			return d.Links(t.Context(), "", id, pairs, false)
		}
	}
	skip := func(a, b int) call {
		return func(id string) (project.Reply, error) { return d.Skip(t.Context(), "", id, a, b) }
	}
	bad := func(row int) call {
		return func(id string) (project.Reply, error) { return d.LeaveOut(t.Context(), "", id, row) }
	}
	name := func(row int, name string) call {
		return func(id string) (project.Reply, error) {
			return d.NameGroup(t.Context(), "", id, row, name)
		}
	}
	undo := func(id string) (project.Reply, error) { return d.Undo(t.Context(), "", id) }
	redo := func(id string) (project.Reply, error) { return d.Redo(t.Context(), "", id) }
	edit := func(seq int64, answer string) call {
		return func(id string) (project.Reply, error) {
			return d.Edit(t.Context(), "", id, seq, answer, false, nil)
		}
	}
	drop := func(seq int64) call {
		return func(id string) (project.Reply, error) {
			return d.Drop(t.Context(), "", id, seq, nil)
		}
	}
	pairs := []project.Pair{{A: 0, B: 1, Link: "same"}, {A: 10, B: 11, Link: "same"},
		{A: 12, B: 13, Link: "unknown"}}
	steps := []struct {
		what   call
		others []call
	}{
		{answer(0, 1, "same"), []call{answer(0, 1, "different"), answer(0, 2, "same"),
			answer(1, 0, "same"), skip(0, 1), undo, bad(0), answer(0, 1000, "same"), edit(1, "same")}},
		{links(pairs...), []call{links(pairs[1]), answer(10, 11, "same"),
			links(pairs[0], pairs[1], project.Pair{A: 12, B: 13, Link: "same"}),
			links(append(pairs, project.Pair{A: 14, B: 15, Link: "same"})...)}},
		{skip(20, 21), []call{skip(20, 22), answer(20, 21, "unknown")}},
		{bad(30), []call{bad(31), name(30, "")}},
		{name(40, "bees"), []call{name(41, "bees"), name(40, "birds")}},
		{undo, []call{redo, drop(1)}},
		{redo, []call{undo}},
		{edit(1, "unknown"), []call{edit(1, "same"), edit(2, "unknown"), drop(1)}},
		{drop(2), []call{drop(3), edit(2, "unknown")}},
	}
	var first []project.Reply
	for i, s := range steps {
		first = append(first, must(t)(s.what(fmt.Sprint("step-", i))))
	}
	revision := d.State("").Revision
	for i, s := range steps {
		if again, err := s.what(fmt.Sprint("step-", i)); err != nil ||
			again.Event.Seq != first[i].Event.Seq {
			t.Errorf("step %d again is event %d, %v", i, again.Event.Seq, err)
		}
		for k, other := range s.others {
			if _, err := other(fmt.Sprint("step-", i)); !errors.Is(err, project.ErrReused) {
				t.Errorf("step %d, its id for other step %d: %v", i, k, err)
			}
		}
	}
	if got := d.State("").Revision; got != revision {
		t.Errorf("revision %d became %d", revision, got)
	}
}

// A = B, B = C, and then A ≠ C: refused with the chain; kept as a doubt when asked; settled when an
// answer of the chain changes.
func TestAContradictionIsShownAndResolved(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class"), new(ids)
	must(t)(d.Links(t.Context(), "", id.next(),
		[]project.Pair{{A: 1, B: 2, Link: "same"}, {A: 2, B: 3, Link: "same"}}, false))
	_, err := d.Answer(t.Context(), "",
		project.Step{ID: id.next(), A: 1, B: 3, Answer: "different"})
	var clash *project.Contradiction
	if !errors.As(err, &clash) || len(clash.Clash.Chain) != 2 || len(clash.Clash.Objects) != 3 {
		t.Fatalf("the contradiction is %v", err)
	}
	if s := d.State(""); s.Answers != 1 || s.Stated != 2 || s.Contradictions != 0 {
		t.Errorf("a refused answer left %d answers and %d contradictions", s.Answers,
			s.Contradictions)
	}
	r := must(t)(d.Answer(t.Context(), "",
		project.Step{ID: id.next(), A: 1, B: 3, Answer: "different", Keep: true}))
	if r.State.Contradictions != 1 || !r.Event.Doubt {
		t.Errorf("kept as a doubt: %d contradictions, %+v", r.State.Contradictions, r.Event)
	}
	clashes := d.Clashes()
	if len(clashes) != 1 || clashes[0].Words != "2 = 3, 3 = 4, but 2 ≠ 4" || !clashes[0].Weighed {
		t.Fatalf("the contradictions are %+v", clashes)
	}
	if n := len(d.Effective()); n != 3 { // kin weighs it against the others
		t.Errorf("%d answers count", n)
	}
	r = must(t)(d.Edit(t.Context(), "", id.next(), clashes[0].Chain[0].Seq, "different", false,
		&r.State.Revision))
	if r.State.Contradictions != 0 || r.State.Answers != 3 {
		t.Errorf("after the correction: %d contradictions, %d answers", r.State.Contradictions,
			r.State.Answers)
	}
	var counts []string
	for _, l := range d.Effective() {
		counts = append(counts, fmt.Sprintf("%s %s %s", l.A.ID, l.Link, l.B.ID))
	}
	if want := []string{"2 different 3", "3 same 4", "2 different 4"}; !slices.Equal(counts, want) {
		t.Errorf("what counts is %q, want %q", counts, want)
	}
	stale := int64(1)
	if _, err := d.Drop(t.Context(), "", id.next(), clashes[0].Chain[1].Seq,
		&stale); !errors.Is(err, project.ErrStale) {
		t.Errorf("a drop by an old view gives %v", err)
	}
}

// An answer that was kept though others contradicted it has a voice where those are weighed: another
// person who answers otherwise disagrees with it, and contradicts nothing.
func TestAKeptAnswerHasAVoice(t *testing.T) {
	d := open(t, projectFile(t), "iris", "label", "class")
	chain := must(t)(d.Links(t.Context(), "ann", "",
		[]project.Pair{{A: 1, B: 2, Link: "same"}, {A: 2, B: 3, Link: "same"}}, false))
	must(t)(d.Answer(t.Context(), "ann", project.Step{A: 1, B: 3, Answer: "different", Keep: true}))
	must(t)(d.Drop(t.Context(), "ann", "", chain.Event.Seq, nil))
	r, err := d.Links(t.Context(), "bob", "", []project.Pair{{A: 1, B: 3, Link: "same"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	if r.Event.Doubt || len(d.Disputes()) != 1 {
		t.Errorf("%+v, and %d disputes", r.Event, len(d.Disputes()))
	}
}

// Links given at once that contradict each other are refused as a whole.
func TestLinksAreOneStep(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class"), new(ids)
	bad := []project.Pair{{A: 1, B: 2, Link: "same"}, {A: 2, B: 3, Link: "same"},
		{A: 3, B: 1, Link: "different"}}
	var clash *project.Contradiction
	if _, err := d.Links(t.Context(), "", id.next(), bad, false); !errors.As(err, &clash) {
		t.Fatalf("links that clash give %v", err)
	}
	if s := d.State(""); s.Revision != 0 {
		t.Errorf("refused links left revision %d", s.Revision)
	}
	r := must(t)(d.Links(t.Context(), "", id.next(), bad, true))
	if r.State.Answers != 1 || r.State.Stated != 3 || r.State.Contradictions != 1 {
		t.Errorf("kept: %s, %d contradictions", r.State.Count(), r.State.Contradictions)
	}
	if r = must(t)(d.Undo(t.Context(), "", id.next())); r.State.Stated != 0 {
		t.Errorf("undo of links given at once leaves %d", r.State.Stated)
	}
	if r = must(t)(d.Redo(t.Context(), "", id.next())); r.State.Stated != 3 {
		t.Errorf("redo of links given at once brings back %d", r.State.Stated)
	}
}

// A pair put off comes back when nothing else is left; an object left out as bad data is never
// asked about, nor in a group.
func TestSkipAndBadData(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class", "super-instances", "8"), new(ids)
	q := askAs(t, d, "")
	r := must(t)(d.Skip(t.Context(), "", id.next(), q.A.Row, q.B.Row))
	if next := r.Turn.Question; next == nil || samePair(next, q.A.Row, q.B.Row) ||
		r.State.Skipped != 1 {
		t.Fatalf("after a skip: %+v, %d skipped", next, r.State.Skipped)
	}
	bad := r.Turn.Question.A.Row
	r = must(t)(d.LeaveOut(t.Context(), "", id.next(), bad))
	if r.State.Bad != 1 {
		t.Errorf("%d left out", r.State.Bad)
	}
	last := ""
	for n := 0; ; n++ {
		q := turn(t, d, "").Question
		if q == nil || n > 200 {
			break
		}
		if q.A.Row == bad || q.B.Row == bad {
			t.Fatal("bad data are asked about")
		}
		last = q.Source
		must(t)(d.Answer(t.Context(), "",
			project.Step{ID: id.next(), A: q.A.Row, B: q.B.Row, Answer: truth(d, q.A.Row, q.B.Row),
				Question: q.Number}))
	}
	out, _, err := d.Outcome(t.Context())
	if err != nil || out.Labels[bad] != 0 {
		t.Errorf("bad data are in group %d (%v)", out.Labels[bad], err)
	}
	if m, err := d.Object(t.Context(), bad); err != nil || !m.Bad {
		t.Errorf("the object left out is %+v, %v", m, err)
	}
	t.Log("the last question was", last)
}

// Names stay with their objects when groups join.
func TestGroupsKeepTheirNames(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class", "super-instances", "6"), new(ids)
	clusters, _, err := d.Clusters(t.Context())
	if err != nil || len(clusters) < 2 {
		t.Fatal(clusters, err)
	}
	a, b := clusters[0].Medoid.Row, clusters[1].Medoid.Row
	must(t)(d.NameGroup(t.Context(), "", id.next(), a, " short <b>petals</b> "))
	must(t)(d.NameGroup(t.Context(), "", id.next(), b, "long petals"))
	must(t)(d.Answer(t.Context(), "", project.Step{ID: id.next(), A: a, B: b, Answer: "same"}))
	d.Outcome(t.Context())
	clusters, _, _ = d.Clusters(t.Context())
	if want := []string{"short <b>petals</b>", "long petals"}; !slices.Equal(clusters[0].Names,
		want) {
		t.Errorf("the joined group is called %q, want %q", clusters[0].Names, want)
	}
	if _, err := d.NameGroup(t.Context(), "", id.next(), a, "two\nlines"); err == nil {
		t.Error("a name of two lines is taken")
	}
}

// The data of a project must be those that it was begun with.
func TestOtherDataAreRefused(t *testing.T) {
	path := projectFile(t)
	open(t, path, "iris", "label", "class").Close()
	if _, err := project.Open(t.Context(), project.Config{Path: path, Data: "wine"}); err == nil {
		t.Error("other data are taken")
	}
	d, err := project.Open(t.Context(),
		project.Config{Path: path, Data: "wine", Carry: true, Recipe: input.New()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := project.Open(t.Context(), project.Config{Path: path}); !errors.Is(err,
		store.ErrInUse) {
		t.Errorf("a project opened twice gives %v", err)
	}
	d.Close()
	if _, err := d.Turn(t.Context(), ""); !errors.Is(err, project.ErrClosed) {
		t.Errorf("a turn of a closed project gives %v", err)
	}
}
