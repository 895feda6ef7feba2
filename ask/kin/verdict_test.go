package kin

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// TestVotes: by hand, an answer that is wrong one time in ten turns even odds into nine to one, a
// second one that agrees into 81 to one, and one that does not back into even ones.
func TestVotes(t *testing.T) {
	for _, c := range []struct {
		votes
		want float64
	}{
		{votes{0.5, 0, 0}, 0.5}, {votes{0.5, 1, 0}, 0.9}, {votes{0.5, 2, 0}, 81.0 / 82},
		{votes{0.5, 0, 1}, 0.1}, {votes{0.5, 1, 1}, 0.5}, {votes{0.2, 1, 0}, 9.0 / 13},
	} {
		if got := c.same(0.1); got < c.want-1e-12 || got > c.want+1e-12 {
			t.Errorf("%+v: %g, want %g", c.votes, got, c.want)
		}
	}
}

// TestAWrongVerdictIsTurned: of the two answers about groups that are two the first is wrong. Those
// about the verdict that follow part them again, what was known of others stays, and the wrong
// answer does not hold for its own rows either.
func TestAWrongVerdictIsTurned(t *testing.T) {
	for _, each := range []int{50, 53, 60, 80} {
		for _, first := range []link.Kind{link.MustLink, link.CannotLink} {
			turnAWrongVerdict(t, each, first, func(run *Run, q link.Question, kind link.Kind) error {
				return run.Answer(kind)
			})
		}
	}
}

// TestAWrongAnswerOfSomebody: answers are outvoted that somebody gave at some time, too, the other
// way round.
func TestAWrongAnswerOfSomebody(t *testing.T) {
	turnAWrongVerdict(t, 60, link.CannotLink, func(run *Run, q link.Question, kind link.Kind) error {
		return run.Tell(link.Link{A: q.B, B: q.A, Kind: kind, Source: "ann",
			Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	})
}

// TestBothKindsOfAnswers: where answers about two groups are of both kinds, these decide, and not
// what holds between some of their nodes.
func TestBothKindsOfAnswers(t *testing.T) {
	x, _ := balls(2, 40)
	for _, c := range []struct {
		votes votes
		same  bool
	}{{votes{0.9, 1, 0}, false}, {votes{0.9, 2, 1}, true}} {
		run, err := New(t.Context(), x, Config{Options: fit.Options{Seed: 1}})
		if err != nil {
			t.Fatal(err)
		}
		f, _, _, err := run.chooser.look(t.Context(), run.Ledger)
		if err != nil {
			t.Fatal(err)
		}
		p := f.clone()
		a, b := p.standing[p.ends[0]], p.standing[p.ends[1]]
		if err := p.set.Add(link.Link{A: a, B: b, Kind: link.CannotLink}); err != nil {
			t.Fatal(err)
		}
		p.closeGroups(&query{node: -1, one: p.group[0], two: p.group[1], votes: c.votes,
			same: c.votes.same(p.rate), a: a, b: b})
		if same := p.group[0] == p.group[1]; same != c.same {
			t.Errorf("%+v: one group: %v", c.votes, same)
		}
	}
}

func turnAWrongVerdict(t *testing.T, each int, first link.Kind,
	answer func(*Run, link.Question, link.Kind) error) {
	t.Helper()
	x, classes := balls(3, each)
	run, err := New(t.Context(), x, Config{Options: fit.Options{Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	truth := func(a, b int) link.Kind {
		if classes[a] == classes[b] {
			return link.MustLink
		}
		return link.CannotLink
	}
	lied, turned := false, false
	for range 60 {
		q, ok := run.Next()
		if !ok {
			break
		}
		kind := truth(q.A, q.B)
		if q.Groups && !lied && kind != first {
			kind, lied = first, true
		}
		if err := answer(run, q, kind); err != nil {
			t.Fatal(err)
		}
		p := run.chooser.current(run.Ledger).play
		turned = turned || slices.ContainsFunc(p.verdicts, func(v verdict) bool {
			return v.same != (first == link.MustLink) && v.votes.yes > 0 && v.votes.no > 0
		})
		check(t, p)
	}
	if !lied {
		t.Fatalf("%d, %v: no question came whose answer could be wrong", each, first)
	}
	if !turned {
		t.Errorf("%d, %v: no verdict was turned", each, first)
	}
	res, err := run.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if res.Clusters != 3 {
		t.Errorf("%d, %v: %d clusters of 3", each, first, res.Clusters)
	}
	for a := range classes {
		for b := range a {
			if (res.Labels[a] == res.Labels[b]) != (classes[a] == classes[b]) {
				t.Fatalf("%d, %v: rows %d and %d are not as they are in truth", each, first, a, b)
			}
		}
	}
}

// balls are rows in so many groups far apart, each of so many.
func balls(groups, each int) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := dataset.Matrix{Rows: groups * each, Cols: 2}
	var classes []int32
	for i := range x.Rows {
		g := i % groups
		x.F64 = append(x.F64, float64(10*g)+rng.NormFloat64(), float64(10*(g%2))+rng.NormFloat64())
		classes = append(classes, int32(g))
	}
	return x, classes
}

// check fails where groups are not as the verdicts in force, and the answers about nodes, have it.
func check(t *testing.T, p *play) {
	t.Helper()
	for g, of := range p.apart {
		if _, own := of[g]; own {
			t.Fatalf("group %d is apart from itself", g)
		}
		for h := range of {
			if !p.apart.has(h, g) {
				t.Fatalf("group %d is apart from %d, which is not from it", g, h)
			}
		}
	}
	for l, g := range p.group {
		if g < 0 || g >= p.size {
			t.Fatalf("end %d is of group %d of %d", l, g, p.size)
		}
	}
	sets := p.united(p.anchors(), -1)
	for l, g := range p.group {
		for o, h := range p.group {
			if sets.Root(int32(l)) == sets.Root(int32(o)) && g != h {
				t.Fatalf("ends %d and %d are one by verdicts, and of groups %d and %d", l, o, g, h)
			}
		}
	}
}

// begun returns the play of a run about some rows that has chosen its first question.
func begun(t *testing.T, x dataset.Matrix) *play {
	t.Helper()
	run, err := New(t.Context(), x, Config{})
	if err != nil {
		t.Fatal(err)
	}
	run.Next()
	return run.chooser.current(run.Ledger).play
}

// again answers a question about the verdict at a place.
func (p *play) again(at int, kind link.Kind) {
	p.now = &query{node: -1, verdict: at + 1, votes: p.verdicts[at].votes}
	p.answer(kind)
}

// TestDontKnowTurnsNothing: what is known is not turned by somebody who does not know, nor by an
// answer that says the same, though the votes are against what links and answers imply.
func TestDontKnowTurnsNothing(t *testing.T) {
	x, _ := balls(3, 60)
	for _, kind := range []link.Kind{link.Unknown, link.MustLink} {
		p := begun(t, x)
		p.join(0, 1)
		p.verdicts = []verdict{{one: 0, two: 1, same: true, votes: votes{prior: 0.3, no: 1}}}
		p.again(0, kind)
		if v := p.verdicts[0]; !v.same || p.group[0] != p.group[1] || p.now != nil {
			t.Errorf("%v: %+v, and groups %d and %d", kind, v, p.group[0], p.group[1])
		}
		if closed := p.verdicts[0].closed; closed != (kind == link.Unknown) {
			t.Errorf("%v: not to be asked about again: %v", kind, closed)
		}
	}
}

// TestOutvotedAnswersImplyNothing: where a wrong answer joined rows of two groups, and more answers
// part these, a row that is the same as one of the second goes there, and not to the first; and where
// it parted rows of one group, there are no more groups than there were.
func TestOutvotedAnswersImplyNothing(t *testing.T) {
	x, _ := balls(3, 60)
	p := begun(t, x)
	i := slices.Index(p.at, -1)
	a, b, row := p.standing[p.ends[0]], p.standing[p.ends[1]], p.standing[i]
	wrong := link.Link{A: a, B: b, Kind: link.MustLink}
	for _, l := range []link.Link{wrong, {A: row, B: b, Kind: link.MustLink}} {
		if err := p.set.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	p.part(0, 1)
	p.verdicts = []verdict{{one: 0, two: 1, votes: votes{prior: 0.5, yes: 1, no: 3},
		answers: []link.Link{wrong}}}
	q := &query{node: i, chance: make([]float64, p.size), yes: make([]bool, p.size)}
	q.chance[1], q.yes[1] = 1, true
	p.closeNode(q)
	if g := p.group[p.at[i]]; g != 1 {
		t.Errorf("it is of group %d, want 1", g)
	}

	p = begun(t, x)
	p.join(0, 1)
	view := p.seen()
	want := p.fewest(view)
	wrong.Kind = link.CannotLink
	if err := p.set.Add(wrong); err != nil {
		t.Fatal(err)
	}
	p.verdicts = []verdict{{one: 0, two: 1, same: true, votes: votes{prior: 0.5, yes: 3, no: 1},
		answers: []link.Link{wrong}}}
	if got := p.fewest(view); got != want {
		t.Errorf("at least %d groups, want %d", got, want)
	}
}

// TestTwoVerdictsPart: groups that two verdicts part stay so when one of these is turned.
func TestTwoVerdictsPart(t *testing.T) {
	x, _ := balls(3, 60)
	p := begun(t, x)
	p.join(0, 1)
	p.part(0, 2)
	p.verdicts = []verdict{{one: 0, two: 1, same: true, votes: votes{prior: 0.5, yes: 2}},
		{one: 0, two: 2, votes: votes{prior: 0.5, no: 1}},
		{one: 1, two: 2, votes: votes{prior: 0.5, no: 3}}}
	if surest := p.parting()[[2]int{0, 2}]; surest != 2 {
		t.Errorf("the surest verdict that parts them is %d, want 2", surest)
	}
	turn := func(at, yes int) {
		for range yes {
			p.again(at, link.MustLink)
		}
	}
	turn(1, 2)
	if p.group[0] == p.group[2] || !p.apart.has(0, 2) {
		t.Error("turning one of two verdicts joins what the other parts")
	}
	turn(2, 4)
	if p.group[0] != p.group[2] {
		t.Error("they are apart though both verdicts are turned")
	}
}

// TestOneGroup: where all is one group, and all answers say so, one is found.
func TestOneGroup(t *testing.T) {
	x, _ := balls(1, 300)
	run, err := New(t.Context(), x, Config{})
	if err != nil {
		t.Fatal(err)
	}
	for range 40 {
		if _, ok := run.Next(); !ok {
			break
		}
		if err := run.Answer(link.MustLink); err != nil {
			t.Fatal(err)
		}
	}
	if res, err := run.Result(t.Context()); err != nil || res.Clusters != 1 || res.Fewest != 1 {
		t.Errorf("%d clusters, at least %d: %v", res.Clusters, res.Fewest, err)
	}
}

// TestExpectedIsBounded: however many groups are named, no more super-instances are made than may be.
func TestExpectedIsBounded(t *testing.T) {
	if got := (Config{}).parts(1_000_000, 50_000).SuperInstances; got != MaxSuperInstances {
		t.Errorf("%d super-instances, want %d", got, MaxSuperInstances)
	}
}
