package project_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/kindred-go/kindred/project"
)

// Two people never have the same question, and what one answers settles it for the other.
func TestPeopleGetDifferentQuestions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	d := open(t, projectFile(t), "iris", "label", "class")
	defer d.Present("ann")()
	defer d.Present("bob")()
	for i := range 20 {
		a, b := askAs(t, d, "ann"), askAs(t, d, "bob")
		if samePair(a, b.A.Row, b.B.Row) {
			t.Fatalf("both are asked about %d and %d", a.A.Row, a.B.Row)
		}
		who, q := "ann", a
		if i%3 == 0 {
			who, q = "bob", b
		}
		must(t)(d.Answer(t.Context(), who,
			project.Step{ID: fmt.Sprint("s", i), A: q.A.Row, B: q.B.Row,
				Answer: truth(d, q.A.Row, q.B.Row), Question: q.Number}))
	}
	s := d.State("ann")
	if s.Mine != 13 || s.Answers != 20 || len(s.People) != 2 || !s.People[0].Active ||
		s.People[0].Name != "ann" {
		t.Errorf("ann has %d of %d answers; people %+v", s.Mine, s.Answers, s.People)
	}
	// Undo is of one's own steps alone.
	r := must(t)(d.Undo(t.Context(), "bob", "undo"))
	if r.Event.Target != 19 || d.State("ann").Mine != 13 {
		t.Errorf("bob took back event %d", r.Event.Target)
	}
	var first int64
	events, _ := d.History(0, 100)
	for _, e := range events {
		if e.Who == "bob" && e.InEffect && e.Step != "undo" {
			first = e.Seq
		}
	}
	if _, err := d.Edit(t.Context(), "ann", "edit", first, "unknown", false, nil); !errors.Is(err,
		project.ErrForbidden) {
		t.Errorf("ann edits bob's answer: %v", err)
	}
}

// With overlap, people answer the same pairs; what they disagree about is kept, counts as unknown,
// and is listed.
func TestDisagreementIsKept(t *testing.T) {
	d := open(t, projectFile(t), "iris", "label", "class")
	if err := d.SetSharing(t.Context(), project.Sharing{Overlap: 1}); err != nil {
		t.Fatal(err)
	}
	q := askAs(t, d, "ann")
	must(t)(d.Answer(t.Context(), "ann",
		project.Step{ID: "a", A: q.A.Row, B: q.B.Row, Answer: "same", Question: 1}))
	o := askAs(t, d, "bob")
	if o.Source != "overlap" || !samePair(o, q.A.Row, q.B.Row) {
		t.Fatalf("bob is asked %+v, want ann's pair", o)
	}
	r := must(t)(d.Answer(t.Context(), "bob",
		project.Step{ID: "b", A: o.A.Row, B: o.B.Row, Answer: "different", Question: 1}))
	if r.State.Disagreements != 1 || d.Effective()[0].Link != "unknown" {
		t.Fatalf("%d disagreements, the pair counts as %s", r.State.Disagreements,
			d.Effective()[0].Link)
	}
	disputes := d.Disputes()
	if len(disputes) != 1 || len(disputes[0].Answers) != 2 || disputes[0].Counts != "unknown" {
		t.Fatalf("disputes %+v", disputes)
	}
	for _, p := range r.State.People {
		if p.Agreement == nil || *p.Agreement != 0 || p.Shared != 1 {
			t.Errorf("%s agrees in %v of %d", p.Name, p.Agreement, p.Shared)
		}
	}
	// Believed less, bob is outvoted.
	if err := d.Reliability(t.Context(), "bob", 0.3); err != nil {
		t.Fatal(err)
	}
	if err := d.SetSharing(t.Context(), project.Sharing{Discount: true}); err != nil {
		t.Fatal(err)
	}
	if got := d.Effective()[0]; got.Link != "same" || got.Plausibility <= 0.5 {
		t.Errorf("with discounting the pair counts as %s, %g", got.Link, got.Plausibility)
	}
	if err := d.Reliability(t.Context(), "cleo", 0.5); err != nil {
		t.Errorf("the reliability of someone who is still to come: %v", err)
	}
	if err := d.Reliability(t.Context(), "bob", 0); err == nil {
		t.Error("a reliability of 0 is taken")
	}
}

// Asked again, a person shows how consistent they are.
func TestQuestionsAreRepeated(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	d := open(t, projectFile(t), "iris", "label", "class")
	if err := d.SetSharing(t.Context(), project.Sharing{Repeat: 0.25}); err != nil {
		t.Fatal(err)
	}
	repeats := 0
	for i := range 40 {
		q := turn(t, d, "ann").Question
		if q == nil {
			break
		}
		answer := truth(d, q.A.Row, q.B.Row)
		if q.Source == "repeat" {
			if repeats++; repeats == 2 {
				answer = "unknown"
			}
		}
		r := must(t)(d.Answer(t.Context(), "ann",
			project.Step{ID: fmt.Sprint("s", i), A: q.A.Row, B: q.B.Row, Answer: answer,
				Question: q.Number}))
		if r.Event.Repeat != (q.Source == "repeat") {
			t.Errorf("answer %d to a %s question is marked %v", i, q.Source, r.Event.Repeat)
		}
	}
	p := d.State("ann").People[0]
	if repeats < 5 || p.Repeated != repeats || p.Consistency == nil ||
		*p.Consistency != float64(repeats-1)/float64(repeats) {
		t.Errorf("%d repeats; %+v", repeats, p)
	}
}

// Many people at once, with undo and slips: what the groups are is a function of what counts alone.
func TestManyPeopleAtOnce(t *testing.T) {
	d := open(t, projectFile(t), "wine", "label", "class")
	people, answers := 6, 25
	if testing.Short() {
		people, answers = 3, 8
	}
	var all sync.WaitGroup
	for k := range people {
		all.Go(func() {
			who, r := fmt.Sprint("person", k), rand.New(rand.NewPCG(1, uint64(k)))
			defer d.Present(who)()
			for i := range answers {
				turn, err := d.Turn(t.Context(), who)
				if err != nil || turn.Question == nil {
					continue
				}
				q := turn.Question
				answer := truth(d, q.A.Row, q.B.Row)
				if r.IntN(12) == 0 {
					answer = "unknown"
				}
				_, err = d.Answer(t.Context(), who,
					project.Step{ID: fmt.Sprint(who, "-", i), A: q.A.Row, B: q.B.Row,
						Answer: answer, Question: q.Number})
				if err != nil && !errors.Is(err, project.ErrStale) {
					t.Error(err)
				}
				if r.IntN(6) == 0 {
					if _, err := d.Undo(t.Context(), who, ""); err != nil &&
						!errors.Is(err, project.ErrNothing) {
						t.Error(err)
					}
				}
				d.State(who)
				d.Places(t.Context())
			}
		})
	}
	all.Wait()
	got, _, err := d.Outcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fresh := open(t, projectFile(t), "wine", "label", "class")
	var links []project.Pair
	for _, l := range d.Effective() {
		links = append(links, project.Pair{A: l.A.Row, B: l.B.Row, Link: l.Link})
	}
	must(t)(fresh.Links(t.Context(), "", "all", links, false))
	want, _, err := fresh.Outcome(t.Context())
	if err != nil || !slices.Equal(got.Labels, want.Labels) {
		t.Errorf("%d answers by many people and at once give other groups (%v)", len(links), err)
	}
}

// Evidential questions put the uncertain object in the middle and a reference of each cluster
// around it.
func TestEvidentialQuestions(t *testing.T) {
	d := open(t, projectFile(t), "wine", "label", "class", "method", "evclus", "clusters", "3",
		"scale", "zscore")
	q := askAs(t, d, "")
	if q.Candidates == nil || len(q.Candidates.References) < 2 ||
		q.Candidates.References[q.Candidates.Ask].Card.Row != q.B.Row || len(q.Candidates.May) < 1 {
		t.Fatalf("the question is %+v", q)
	}
	// Another reference of the same object may be answered about instead.
	other := q.Candidates.References[(q.Candidates.Ask+1)%len(q.Candidates.References)]
	r := must(t)(d.Answer(t.Context(), "",
		project.Step{ID: "other", A: q.A.Row, B: other.Card.Row,
			Answer: truth(d, q.A.Row, other.Card.Row), Question: 1}))
	if r.State.Answers != 1 || !r.State.Estimated {
		t.Errorf("%+v", r.State)
	}
	answerAll(t, d, "", 12)
	if ari := ari(t, d); ari < 0.9 {
		t.Errorf("ARI %.3f", ari)
	}
	m, err := d.Object(t.Context(), q.A.Row)
	if err != nil || len(m.Masses) == 0 || m.Why == "" || len(m.Answers) == 0 {
		t.Errorf("the object is %+v, %v", m, err)
	}
	p, err := d.Places(t.Context())
	if err != nil || len(p.Cluster) != 178 || p.Flags[q.A.Row]&project.FlagAsked == 0 {
		t.Error(p.Revision, err)
	}
	mp, err := d.Map(t.Context())
	if err != nil || len(mp.Points) != 2*178 {
		t.Error(len(mp.Points), err)
	}
	if g, err := d.Guess(t.Context(), 0, 177); err != nil || g.Same < 0 || g.Same > 1 ||
		g.Words == "" {
		t.Error(g, err)
	}
	if doubts, total, err := d.Doubts(t.Context(), 0, 5); err != nil || total < len(doubts) {
		t.Error(doubts, total, err)
	}
}
