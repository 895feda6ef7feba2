package kin

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// apart are rows in so many groups in d dimensions, which are well apart.
func apart(n, groups, d int) dataset.Matrix {
	rng := rand.New(rand.NewPCG(11, uint64(groups)))
	centres := make([]float64, groups*d)
	for i := range centres {
		centres[i] = 10 * rng.Float64()
	}
	x := dataset.Matrix{Rows: n, Cols: d}
	for i := range n {
		for j := range d {
			x.F64 = append(x.F64, centres[i%groups*d+j]+0.5*rng.NormFloat64())
		}
	}
	return x
}

// score is the adjusted Rand index of a result for rows of apart.
func score(t *testing.T, run *Run, groups int) float64 {
	t.Helper()
	res, err := run.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	truth := make([]int, len(res.Labels))
	for i := range truth {
		truth[i] = 1 + i%groups
	}
	r, err := eval.Compare(res.Labels, truth)
	if err != nil {
		t.Fatal(err)
	}
	return r.AdjustedRand
}

// reply answers the next question, where rows are of groups by their number, and one answer in
// seven is "unknown".
func reply(t *testing.T, run *Run, groups, number int) {
	t.Helper()
	q, ok := run.Next()
	if !ok {
		t.Fatal("nothing is left to ask", run.Err())
	}
	kind := link.CannotLink
	switch {
	case number%7 == 6:
		kind = link.Unknown
	case q.A%groups == q.B%groups:
		kind = link.MustLink
	}
	if err := run.Answer(kind); err != nil {
		t.Fatal(err)
	}
}

// TestSurvey: what is brought up to date after each answer is what it would be if it were found
// anew.
func TestSurvey(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const n, groups = 4000, 250
	compared := 0
	for _, rate := range []float64{0, 0.1} {
		run, err := New(t.Context(), apart(n, groups, 6), Config{ErrorRate: rate})
		if err != nil {
			t.Fatal(err)
		}
		for number := range 30 {
			reply(t, run, groups, number)
			if number%10 == 9 { // as an answer that nobody was asked for
				if err := run.Tell(link.Link{A: number, B: number + groups,
					Kind: link.MustLink}); err != nil {
					t.Fatal(err)
				}
			}
			run.Next()
			if anew(t, run.chooser.last.play) {
				compared++
			}
		}
	}
	if compared < 20 {
		t.Errorf("what it is worth to ask about nodes was compared %d times", compared)
	}
}

// anew compares what is kept of groups with what it would be anew, and reports whether nodes were
// compared, too: unless groups have changed since the last question was chosen.
func anew(t *testing.T, p *play) bool {
	t.Helper()
	if live := len(p.live()); live <= allPairs {
		t.Fatalf("%d groups are few", live)
	}
	f := p.masses()
	got, kept := p.parts(f), p.known
	for _, c := range []struct {
		name      string
		got, want [][]entry
	}{
		{"groups", p.onGroups.out, gather(p.hits, p.group, p.passing(gather(p.hits, p.group, nil,
			p.size, 1, nil).out), p.size, 1, nil).out},
		{"parts", got.on, gather(f, got.of, nil, p.size, 1, nil).out},
	} {
		if !slices.EqualFunc(c.got, c.want, slices.Equal[[]entry]) {
			t.Fatalf("the masses on %s are others than anew", c.name)
		}
	}
	defer func() { p.known = kept }()
	p.known = p.newSurvey()
	p.known.in, p.known.steps = kept.in, make([][]union, len(kept.in))
	p.known.floor = make([]float64, len(kept.in))
	for range kept.block {
		p.known.nodes = append(p.known.nodes, nil)
	}
	p.known.grow(p.size)
	p.known.block = kept.block
	want := p.parts(f)
	if !slices.Equal(got.of, want.of) || !slices.Equal(got.score, want.score) ||
		got.count != want.count || len(got.pairs) != len(want.pairs) {
		t.Fatalf("%d parts, anew %d", got.count, want.count)
	}
	for g, ties := range kept.all.ties {
		if !slices.Equal(ties, p.known.all.ties[g]) {
			t.Fatalf("group %d has ties %v, anew %v", g, ties, p.known.all.ties[g])
		}
	}
	on := p.surest(want)
	if !slices.EqualFunc(kept.parts, on, slices.Equal[[]entry]) {
		return false
	}
	w := p.worth(on)
	for i, v := range kept.worth {
		if v < 0 || p.at[i] >= 0 {
			continue
		}
		if worth := w.each(i, want.count); worth != v {
			t.Fatalf("node %d is worth %g, anew %g", i, v, worth)
		}
	}
	return true
}

// TestManyGroups: hundreds of groups are found before anybody is asked, and answers do no harm;
// what is asked does not depend on the number of threads, nor on looks in between, and a context
// that is over ends the work.
func TestManyGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const n, groups, answers = 8000, 400, 15
	x := apart(n, groups, 10)
	var first []link.Link
	for _, threads := range []int{1, 3} {
		run, err := New(t.Context(), x, Config{Options: fit.Options{Threads: threads}})
		if err != nil {
			t.Fatal(err)
		}
		if count := run.chooser.base.expected; count < groups*8/10 || count > groups*12/10 {
			t.Errorf("%d groups are expected of %d", count, groups)
		}
		if threads > 1 {
			if before := score(t, run, groups); before < 0.9 {
				t.Errorf("index %.3f before the first answer", before)
			}
		}
		for number := range answers {
			reply(t, run, groups, number)
			if threads > 1 {
				run.Settled()
				run.Remaining()
				run.Queue(2)
			}
		}
		if first == nil {
			first = run.Answers()
		} else if !slices.Equal(first, run.Answers()) {
			t.Error("other questions on other threads")
		}
		if after := score(t, run, groups); after < 0.9 {
			t.Errorf("index %.3f after %d answers", after, answers)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(over, x, Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
}

// TestNodesOfNoGroup: nodes whose masses are all small are of no group, also where they had others
// before on another graph, and ties are the same on both sides.
func TestNodesOfNoGroup(t *testing.T) {
	const groups = 12
	run, err := New(t.Context(), apart(360, groups, 1), Config{})
	if err != nil {
		t.Fatal(err)
	}
	run.Next()
	p := run.chooser.last.play
	f, live := slices.Clone(p.masses()), p.live()
	survey := func() *survey {
		s := p.survey(f, live)
		for g, ties := range s.all.ties {
			for _, e := range ties {
				if _, ok := s.all.find(int(e.to), g); !ok {
					t.Errorf("group %d has a tie to %d, which has none", g, e.to)
				}
			}
		}
		return s
	}
	before := survey()
	for i := 0; i < p.m; i += 2 {
		if p.at[i] < 0 {
			f[i] = slices.Clone(f[i])
			for x := range f[i] {
				f[i][x].v *= smallMass / 2
			}
		}
	}
	other := *p.graph
	p.walk.graph = &other
	got := survey()
	if got != before {
		t.Fatal("the survey began anew")
	}
	p.known = nil
	want := survey()
	if !slices.Equal(got.top, want.top) || !slices.EqualFunc(got.nodes, want.nodes, slices.Equal) {
		t.Error("nodes of other groups than anew")
	}
}

// TestWidenEnds: groups are added only for as long as the context lasts.
func TestWidenEnds(t *testing.T) {
	run, err := New(t.Context(), apart(360, 12, 2), Config{})
	if err != nil {
		t.Fatal(err)
	}
	run.Next()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	p := run.chooser.last.play
	before := p.size
	p.unlike = mostUnlike
	if err := p.clone().widen(over); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
	if err := p.widen(t.Context()); err != nil || p.size == before {
		t.Errorf("%d groups, and then %d (%v)", before, p.size, err)
	}
}

// TestLooksThatEnd: where the context of a queue or of a result ends, the session is as before.
func TestLooksThatEnd(t *testing.T) {
	run, err := New(t.Context(), apart(360, 12, 2), Config{})
	if err != nil {
		t.Fatal(err)
	}
	for number := range 5 {
		reply(t, run, 12, number)
	}
	q, _ := run.Next()
	likely, most := run.Remaining()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, look := range map[string]func() error{
		"result": func() error { _, err := run.Result(over); return err },
		"between questions": func() error {
			run.chooser.last = nil
			_, _, _, err := run.chooser.look(over, run.Ledger)
			return err
		},
	} {
		if err := look(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if run.Settled() {
			t.Errorf("%s: settled", name)
		}
		if l, m := run.Remaining(); l != likely || m != most {
			t.Errorf("%s: %d of %d answers remain, before %d of %d", name, l, m, likely, most)
		}
		if again, ok := run.Next(); !ok || again != q {
			t.Errorf("%s: asks %v, before %v", name, again, q)
		}
	}
	res, err := run.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := run.chooser.last.play
	if _, err := run.credal(over, &rows{play: p}, nil, make([]int, p.n),
		res); !errors.Is(err, context.Canceled) {
		t.Errorf("masses: %v", err)
	}
}

// TestWorthOfFewParts: what it is worth to ask about a node is found anew where there are two parts
// in place of three, whatever is kept.
func TestWorthOfFewParts(t *testing.T) {
	run, err := New(t.Context(), apart(360, 12, 1), Config{})
	if err != nil {
		t.Fatal(err)
	}
	run.Next()
	p := run.chooser.last.play
	f := p.masses()
	p.survey(f, p.live())
	for i := range f { // a third of what is known of each node is ignorance
		f[i] = slices.Clone(f[i])
		for x := range f[i] {
			f[i][x].v *= 2. / 3
		}
	}
	for _, parts := range []int{fewTold, 2, fewTold + 1} {
		kept, err := p.chooseNode(t.Context(), f, parts)
		if err != nil {
			t.Fatal(err)
		}
		known := p.known
		p.known = nil
		anew, err := p.chooseNode(t.Context(), f, parts)
		p.known = known
		if err != nil || kept.node != anew.node || kept.gain != anew.gain {
			t.Errorf("%d parts: node %d is worth %g, anew node %d %g (%v)", parts, kept.node,
				kept.gain, anew.node, anew.gain, err)
		}
	}
}

// TestFewDifferentRows: where rows are equal, each of the different ones may be a group.
func TestFewDifferentRows(t *testing.T) {
	const n, groups, d = 1200, 60, 4
	x := apart(groups, groups, d)
	for x.Rows = n; len(x.F64) < n*d; {
		x.F64 = append(x.F64, x.F64[:groups*d]...)
	}
	run, err := New(t.Context(), x, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if b := run.chooser.base; b.plain.m != groups || b.most != groups {
		t.Errorf("%d nodes, of which %d may stand for groups", b.plain.m, b.most)
	}
	other := x
	other.F64 = slices.Clone(x.F64)
	other.F64[5] += 1e-9
	if run.chooser.base.alike(other) {
		t.Error("rows that differ are alike")
	}
	for number := range 20 {
		if number%10 == 0 {
			if got := score(t, run, groups); got < 0.9 {
				t.Errorf("index %.3f after %d answers", got, number)
			}
		}
		reply(t, run, groups, number)
	}
}
