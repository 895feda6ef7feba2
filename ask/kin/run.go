package kin

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/ask/ledger"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// Run is one session of questions. Its methods to answer, take back, edit and resume are those of
// its [ledger.Run]. It is not safe for concurrent use.
type Run struct {
	*ledger.Run
	data dataset.Matrix
	base *base

	last *folded   // what the last look came to; nil: start anew
	kept []*folded // earlier ones, to go back to
}

// base is what does not change while questions are answered.
type base struct {
	cfg      Config
	n, d     int
	of       []int32   // node of each row
	rows     []float64 // rows of each node
	means    []float64 // m×d
	medoids  []int
	standing []int // row that is asked about for each node; −1: none may be
	plain    *graph
	first    starting // tentative groups
}

// folded is a play with the answers that it is of.
type folded struct {
	*play
	answers []link.Link
}

// New cuts the rows into super-instances and starts a run. Given links that contradict each other
// are a [*link.Contradiction], unless cfg keeps them. ctx also ends the work between questions.
func New(ctx context.Context, data dataset.Matrix, cfg Config) (*Run, error) {
	if err := cfg.check(data); err != nil {
		return nil, err
	}
	policy := cfg.Contradictions
	if _, _, err := link.Build(data.Rows, cfg.Given, policy); err != nil {
		return nil, err
	}
	if cfg.ErrorRate > 0 {
		policy = link.Keep // contradictions are what mistakes look like
	}
	l, err := ledger.New(data.Rows, cfg.Given, policy)
	if err != nil {
		return nil, err
	}
	parts, err := cobra.Build(ctx, data, cfg.parts(data.Rows))
	if err != nil {
		return nil, err
	}
	m := parts.Len()
	b := &base{cfg: cfg, n: data.Rows, d: data.Cols, of: parts.Of, means: parts.Means.F64,
		medoids: parts.Medoids, standing: parts.Medoids}
	for _, size := range parts.Sizes {
		b.rows = append(b.rows, float64(size))
	}
	apart, err := squares(ctx, b.means, m, b.d, cfg.Threads, nil)
	if err != nil {
		return nil, err
	}
	if b.plain, err = newGraph(ctx, apart, m); err != nil {
		return nil, err
	}
	if b.first, err = tentative(ctx, b.plain, b.rows); err != nil {
		return nil, err
	}
	r := &Run{data: data, base: b}
	r.Run = ledger.NewRun(ctx, l, ledger.Config{Script: r.script, Ahead: r.ahead, Guess: r.likely})
	return r, nil
}

// Exclude leaves rows out as bad data, in place of those of earlier calls: they are not asked about
// and in no cluster of the [Result]. Another member represents a super-instance whose medoid is
// left out. What was answered about rows that are left out still counts.
func (r *Run) Exclude(rows []int) {
	r.Run.Exclude(rows)
	b := *r.base
	b.standing = slices.Clone(b.medoids)
	nearest := make([]float64, len(b.standing))
	for s, row := range b.medoids {
		if r.Out(row) {
			b.standing[s] = -1
		}
	}
	var x []float64
	for row, s := range b.of {
		if !r.Out(b.medoids[s]) || r.Out(row) || b.cfg.Askable != nil && !b.cfg.Askable[row] {
			continue
		}
		x = r.data.AppendRow(x[:0], row)
		far := 0.0
		for j, v := range x {
			t := v - b.means[int(s)*b.d+j]
			far += float64(t * t)
		}
		if b.standing[s] < 0 || far < nearest[s] {
			b.standing[s], nearest[s] = row, far
		}
	}
	r.base, r.last, r.kept = &b, nil, nil
}

// begin is the play before the first answer: tentative groups, and what given links say.
func (r *Run) begin() *folded {
	b := r.base
	p := &play{base: b, walk: b.plain.walk(), hard: make([]bool, b.plain.m),
		said: make(map[[2]int]link.Kind), learnAt: learnFrom}
	for _, i := range b.first.nodes {
		p.found(i)
	}
	given := r.Given()
	p.set, _, _ = link.Build(b.n, given, link.Keep)
	for _, l := range given {
		p.said[l.Pair()] = l.Kind
		p.note(l)
		if p.cfg.ErrorRate > 0 || l.Kind != link.Unknown && p.set.Relation(l.A, l.B) == l.Kind {
			p.learn(l)
		}
	}
	return &folded{play: p}
}

// step is how many answers lie between plays that are kept, and mostKept how many are.
const step, mostKept = 8, 6

// fold brings the play to where the answers are.
func (r *Run) fold(ctx context.Context) (*folded, error) {
	answers := r.Run.Answers()
	f := r.last
	if f == nil || !starts(answers, f.answers) {
		for f = nil; f == nil && len(r.kept) > 0; {
			if last := r.kept[len(r.kept)-1]; starts(answers, last.answers) {
				f = &folded{last.clone(), last.answers}
			} else {
				r.kept = r.kept[:len(r.kept)-1]
			}
		}
		if f == nil {
			f = r.begin()
		}
		r.last = nil
	}
	for len(f.answers) < len(answers) {
		if done := len(f.answers); done%step == 0 && done > 0 &&
			(len(r.kept) == 0 || len(r.kept[len(r.kept)-1].answers) < done) {
			r.kept = append(r.kept, &folded{f.clone(), f.answers})
			if len(r.kept) > mostKept {
				r.kept = slices.Delete(r.kept, 0, 1)
			}
		}
		if err := f.take(ctx, answers[len(f.answers)]); err != nil {
			r.last = nil // it may be between two answers
			return nil, err
		}
		f.answers = answers[:len(f.answers)+1]
	}
	r.last = f
	return f, nil
}

func starts(all, with []link.Link) bool {
	return len(all) >= len(with) &&
		slices.EqualFunc(all[:len(with)], with,
			func(a, b link.Link) bool { return a.Pair() == b.Pair() && a.Kind == b.Kind })
}

// take takes in one more answer: to the question of this moment, or about any other pair.
func (p *play) take(ctx context.Context, l link.Link) error {
	q, ok, err := p.next(ctx)
	if err != nil {
		return err
	}
	p.over = false
	p.said[l.Pair()] = l.Kind
	p.note(l)
	asked := ok && l.Pair() == link.Link{A: q.A, B: q.B}.Pair()
	// it contradicts others, and is not met
	if err := p.set.Add(l); err != nil && p.cfg.ErrorRate == 0 {
		if asked {
			p.tell(link.Unknown)
		}
		return nil
	}
	if asked {
		p.foresee(l.Kind)
		p.tell(l.Kind)
	} else {
		p.learn(l)
	}
	return nil
}

// foresee counts the answers in a row that were the likelier ones, and those that were "different".
func (p *play) foresee(kind link.Kind) {
	same := p.now.same
	if p.now.node >= 0 {
		same = p.now.chance[p.now.of]
	}
	switch kind {
	case link.MustLink:
		p.unlike = 0
	case link.CannotLink:
		p.unlike++
	}
	switch {
	case kind == link.Unknown:
	case (kind == link.MustLink) == (same > 0.5):
		p.streak++
	default:
		p.streak = 0
	}
}

// script brings the play to the answers, and asks the next question.
func (r *Run) script(ctx context.Context, ask ledger.Ask) error {
	f, err := r.fold(ctx)
	if err != nil {
		return err
	}
	q, ok, err := f.next(ctx)
	if err != nil || !ok {
		if err != nil {
			r.last = nil
		}
		return err
	}
	_, err = ask(q)
	return err
}

// ahead asks the questions that come if answers are as guessed.
func (r *Run) ahead(ctx context.Context, ask ledger.Ask) error {
	f, err := r.fold(ctx)
	if err != nil {
		return err
	}
	p := f.clone()
	for {
		q, ok, err := p.next(ctx)
		if err != nil || !ok {
			return err
		}
		kind, err := ask(q)
		if err != nil {
			return err
		}
		if err := p.take(ctx, link.Link{A: q.A, B: q.B, Kind: kind}); err != nil {
			return err
		}
	}
}

// Questions are settled when no answer is expected to put more than settledAt of the rows right, by
// the masses at most settledWrong of them are in the wrong group, and the masses can be believed:
// the last settledAfter answers were as they foretold.
const settledAt, settledWrong, settledAfter = 0.001, 0.05, 8

// Settled reports whether more answers are unlikely to change much: none is expected to put more
// than one row in a thousand right, by what is known no more than one in twenty is wrong, and the
// last eight answers were the likelier ones.
func (r *Run) Settled() bool {
	if _, ok := r.Next(); !ok || r.last == nil || r.last.now == nil || len(r.last.answers) == 0 {
		return false
	}
	n := float64(r.base.n)
	return r.last.streak >= settledAfter && r.last.now.gain < settledAt*n &&
		r.last.wrong() < settledWrong*n
}

// wrong is how many rows are expected to be in the wrong group, ignorance aside.
func (p *play) wrong() float64 {
	f, out := p.masses(), 0.0
	for i, rows := range p.rows {
		sum, row := 0.0, f[i*p.size:(i+1)*p.size]
		for _, v := range row {
			sum += v
		}
		if sum > 0 {
			rows = float64(rows * (1 - slices.Max(row)/sum))
		}
		out += rows
	}
	return out
}

// Remaining estimates how many answers are left: likely ones for the nodes that are doubtful, as
// their most plausible group has less than nine tenths of the mass on groups, or most of their mass
// is ignorance; at most all pairs of nodes and groups.
func (r *Run) Remaining() (likely, most int) {
	if _, ok := r.Next(); !ok {
		return 0, 0
	}
	p := r.last
	f, live := p.masses(), p.live()
	left := 0
	for i := range p.m {
		if p.at[i] >= 0 || p.hard[i] || p.standing[i] < 0 {
			continue
		}
		left++
		sum, row := 0.0, f[i*p.size:(i+1)*p.size]
		for _, v := range row {
			sum += v
		}
		if sum < 0.5 || slices.Max(row) < Certainty*sum {
			likely++
		}
	}
	n := left + len(live)
	return max(1, likely), max(1, likely, n*(n-1)/2)
}
