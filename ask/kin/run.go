package kin

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// Run is one session of questions, which its [ask.Session] holds. It is not safe for concurrent
// use.
type Run struct {
	*ask.Session
	chooser *chooser
}

// chooser chooses the questions of a run.
type chooser struct {
	data dataset.Matrix
	base *base
	out  []int // the rows left out that base is of

	last *folded   // what the last look came to; nil: start anew
	kept []*folded // earlier ones, to go back to
}

var (
	_ ask.Settler = (*chooser)(nil)
	_ ask.Guesser = (*chooser)(nil)
)

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
	near     [][]int32 // nodes around each node, itself first
	reach    []float32 // n×surrounding: weight of the nodes around that of each row

	tree         *dendrogram.Tree // of the nodes, by Ward's method
	clusters     [][]int          // nodes of each tentative group
	centres      []int            // node at the centre of each
	start        *walk            // on plain, that ends at the centres
	most         int              // tentative groups there may be
	expected     int              // groups there are by the distances alone
	stability    float64          // how well half of the rows foretells groups of the others
	height       float64          // at which Ward's method joins as many
	heightWeight float64          // of the logarithm of heights in scores
	sizeWeight   float64          // and of that of sizes
}

// folded is a play with the answers that it is of.
type folded struct {
	*play
	mark ask.Mark
}

// New cuts the rows into super-instances and starts a run. Given links that contradict each other
// are a [*link.Contradiction], unless cfg keeps them. ctx also ends the work between questions.
func New(ctx context.Context, data dataset.Matrix, cfg Config) (*Run, error) {
	if err := cfg.check(data); err != nil {
		return nil, err
	}
	policy := cfg.Contradictions
	if cfg.ErrorRate > 0 {
		policy = link.Keep
	}
	l, err := ask.NewLedger(data.Rows, cfg.Links, policy)
	if err == nil && !cfg.Reliable && policy != link.Keep { // contradictions are what mistakes look like
		l, err = ask.NewLedger(data.Rows, cfg.Links, link.Keep)
	}
	if err != nil {
		return nil, err
	}
	const counted, built = 0.3, 0.8 // shares of the work
	report := cfg.Progress
	cfg.Progress = fit.Part(report, 0, counted)
	found := &estimated{best: cfg.Expected, foretold: 1}
	if found.best == 0 {
		if found, err = estimate(ctx, data, cfg); err != nil {
			return nil, err
		}
	}
	cfg.Progress = fit.Part(report, counted, built)
	build, own := cobra.Build, cfg.parts(data.Rows, found.best)
	if own.SuperInstances > manyNodes {
		build = cobra.BuildMany
	}
	parts, err := build(ctx, data, own)
	if err != nil {
		return nil, err
	}
	m := parts.Len()
	b := &base{cfg: cfg, n: data.Rows, d: data.Cols, of: parts.Of, means: parts.Means.F64,
		medoids: parts.Medoids, most: max(1, int(mostGroups*float64(m))), stability: found.foretold}
	if m < own.SuperInstances && b.alike(data) {
		b.most = m
	}
	for _, size := range parts.Sizes {
		b.rows = append(b.rows, float64(size))
	}
	if b.plain, err = newGraph(ctx, b.means, m, b.d, cfg.Threads, nil); err != nil {
		return nil, err
	}
	if err := b.divide(ctx, found.best, fit.Part(report, built, 1)); err != nil {
		return nil, err
	}
	if err := b.surround(ctx, data); err != nil {
		return nil, err
	}
	if whole := fit.Share(report); whole != nil {
		whole(1)
	}
	b.standing = b.stand(data, l)
	c := &chooser{data: data, base: b}
	return &Run{ask.NewSession(ctx, l, c), c}, nil
}

// leave finds who stands for the nodes where other rows are left out than before: another member
// stands for one whose medoid is.
func (c *chooser) leave(known *ask.Ledger) {
	out := known.Excluded()
	if slices.Equal(out, c.out) {
		return
	}
	b := *c.base
	b.standing = b.stand(c.data, known)
	c.base, c.out, c.last, c.kept = &b, out, nil, nil
}

// begin is the play before the first answer: tentative groups, and given links.
func (c *chooser) begin(ctx context.Context, known *ask.Ledger) (*folded, error) {
	b := c.base
	p := &play{base: b, walk: b.start.clone(), hard: make([]bool, b.plain.m),
		said: make(map[[2]int]link.Kind), learnAt: learnFrom, rate: b.cfg.ErrorRate}
	if b.cfg.infers() {
		p.rate = supposedRate
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for range b.start.ends {
		p.first()
	}
	p.model = newPairModel(p.middle(), compact(b.expected))
	if p.known != nil {
		p.known.split(p.model.even)
	}
	given := known.Given()
	var against []*link.Contradiction
	p.set, against, _ = link.Build(b.n, given, link.Keep)
	p.against = len(against)
	for _, l := range given {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.said[l.Pair()] = l.Kind
		p.note(l)
	}
	for _, l := range p.know(given) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p.rate > 0 || l.Kind != link.Unknown && p.set.Relation(l.A, l.B) == l.Kind {
			p.learn(l)
		}
	}
	return &folded{play: p}, nil
}

// step is how many answers lie between plays that are kept, and mostKept how many are.
const step, mostKept = 8, 6

// fold brings the play to where the answers are.
func (c *chooser) fold(ctx context.Context, known *ask.Ledger) (*folded, error) {
	c.leave(known)
	f := c.last
	if f == nil || !f.holds(known) {
		for f = nil; f == nil && len(c.kept) > 0; {
			if last := c.kept[len(c.kept)-1]; last.holds(known) {
				f = &folded{last.clone(), last.mark}
			} else {
				c.kept = c.kept[:len(c.kept)-1]
			}
		}
		c.last = nil
		if f == nil {
			var err error
			if f, err = c.begin(ctx, known); err != nil {
				return nil, err
			}
		}
	}
	now := known.Mark()
	_, fresh := known.Since(f.mark)
	for i, l := range fresh {
		// of many answers at once only the last plays are kept
		if done := f.mark.Answers; len(fresh)-i <= mostKept*step && done%step == 0 && done > 0 &&
			(len(c.kept) == 0 || c.kept[len(c.kept)-1].mark.Answers < done) {
			c.kept = append(c.kept, &folded{f.clone(), f.mark})
			if len(c.kept) > mostKept {
				c.kept = slices.Delete(c.kept, 0, 1)
			}
		}
		if err := f.take(ctx, l); err != nil {
			c.last = nil // it may be between two answers
			return nil, err
		}
		now.Answers = f.mark.Answers + 1
		f.mark = now
	}
	c.last = f
	return f, nil
}

// holds reports whether the answers of a play are still as they were.
func (f *folded) holds(known *ask.Ledger) bool {
	kept, _ := known.Since(f.mark)
	return kept == f.mark.Answers
}

// take takes in one more answer: to the question of this moment, or about any other pair.
func (p *play) take(ctx context.Context, l link.Link) error {
	q, ok, err := p.next(ctx)
	if err != nil {
		return err
	}
	p.over, p.view = false, nil
	p.outlook = max(1, p.outlook-1)
	p.before = p.outlook
	p.said[l.Pair()] = l.Kind
	p.note(l)
	asked := ok && l.Pair() == link.Link{A: q.A, B: q.B}.Pair()
	// it contradicts others, and is not met
	if err := p.set.Add(l); err != nil {
		p.against++
		if p.rate == 0 {
			if asked {
				p.answer(link.Unknown)
			}
			return nil
		}
	}
	if asked {
		p.foresee(l.Kind)
		p.answer(l.Kind)
	} else {
		p.learn(l)
	}
	p.infer()
	return nil
}

// foresee learns from an answer how probable it is that groups are one, and counts the answers in a
// row that were the likelier ones.
func (p *play) foresee(kind link.Kind) {
	likely := p.now.likely()
	again := p.now.verdict > 0
	switch kind {
	case link.Unknown:
		return
	case link.MustLink:
		p.unlike = 0
	default:
		if !again {
			p.unlike++
		}
	}
	if p.now.node < 0 && !again {
		p.model.learn(p.now.score, kind == link.MustLink, p.rate)
	}
	if (kind == link.MustLink) == (likely > 0.5) {
		p.streak++
	} else {
		p.streak = 0
	}
}

// look brings the play to the answers and to the next question; ok is false when nothing is left.
func (c *chooser) look(ctx context.Context, known *ask.Ledger) (f *folded, q link.Question, ok bool,
	err error) {
	if f, err = c.fold(ctx, known); err != nil {
		return nil, q, false, err
	}
	if err = ctx.Err(); err != nil {
		return nil, q, false, err
	}
	if q, ok, err = f.next(ctx); err != nil {
		c.last = nil // it may be between two questions
	}
	return f, q, ok, err
}

// current returns what the last look came to, and looks again where the context of another ended on
// the way; nil: that failed.
func (c *chooser) current(known *ask.Ledger) *folded {
	if c.last == nil {
		if _, _, _, err := c.look(context.Background(), known); err != nil {
			return nil
		}
	}
	return c.last
}

// Questions returns the next question, and those that come if answers are as guessed.
func (c *chooser) Questions(ctx context.Context, known *ask.Ledger, most int) ([]ask.Prompt,
	error) {
	f, q, ok, err := c.look(ctx, known)
	if err != nil || !ok {
		return nil, err
	}
	if most == 1 {
		return []ask.Prompt{{Question: q}}, nil
	}
	ahead := func(ctx context.Context, answer ask.Answerer) error {
		p := f.clone()
		asked := make(map[int]bool) // rows whose group was asked for
		for {
			q, ok, err := p.next(ctx)
			if err != nil || !ok {
				return err
			}
			kind := link.CannotLink
			if p.now.likely() > 0.5 {
				kind = link.MustLink
			}
			if q.Groups || !asked[q.A] { // others follow from its answer
				if kind, err = answer(q); err != nil {
					return err
				}
				asked[q.A] = asked[q.A] || !q.Groups
			}
			if err := p.take(ctx, link.Link{A: q.A, B: q.B, Kind: kind}); err != nil {
				return err
			}
		}
	}
	return ask.Scripted{Script: ahead, Guess: f.guess}.Questions(ctx, known, most)
}

// Questions are settled when no answer is expected to put more than settledAt of the rows right, by
// the masses at most settledWrong of them are in the wrong group, and the masses can be believed:
// the last settledAfter answers were as they foretold. The number of groups must be beyond doubt,
// and few of the answers contradict others.
const settledAt, settledWrong, settledAfter = 0.00015, 0.05, 12

// Settled reports whether more answers are unlikely to change much: none is expected to put more
// than one row in seven thousand right, by what is known no more than one in twenty is wrong, the
// last twelve answers were the likelier ones, and the number of groups is known.
func (c *chooser) Settled(known *ask.Ledger) bool {
	f := c.current(known)
	if f == nil || f.now == nil || f.mark.Answers == 0 {
		return false
	}
	n := float64(c.base.n)
	if view := f.seen(); f.fewest(view) != view.most ||
		c.base.cfg.infers() && f.rate > believedRate {
		return false
	}
	return f.streak >= settledAfter && f.now.gain < settledAt*n && f.wrong() < settledWrong*n
}

// wrong is how many rows are expected to be in the wrong group, ignorance aside.
func (p *play) wrong() float64 {
	out := 0.0
	for i, row := range p.seen().on {
		rows := p.rows[i]
		if sum := total(row); sum > 0 {
			rows = float64(rows * (1 - greatest(row)/sum))
		}
		out += rows
	}
	return out
}

// Remaining estimates how many answers are left: likely ones as play.outlook has them, at most all
// pairs of nodes and groups, or, where answers may be wrong, of rows that were not asked about.
func (c *chooser) Remaining(known *ask.Ledger) (likely, most int) {
	p := c.current(known)
	if p == nil {
		return 1, 1
	}
	most = max(1, p.pairsLeft())
	return min(max(1, int(p.outlook+0.5)), most), most
}

// pairsLeft bounds the pairs that may be asked about still.
func (p *play) pairsLeft() int {
	pairs := func(n int) int { return n * (n - 1) / 2 }
	left, standing := 0, 0
	for i, row := range p.standing {
		if p.undecided(i) {
			left++
		}
		if row >= 0 {
			standing++
		}
	}
	if p.rate == 0 {
		return pairs(left + len(p.live()))
	}
	out := pairs(standing)
	for pair := range p.said {
		if p.standing[p.of[pair[0]]] == pair[0] && p.standing[p.of[pair[1]]] == pair[1] {
			out--
		}
	}
	return out
}
