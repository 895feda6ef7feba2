package cobras

import (
	"context"

	"github.com/kindred-go/kindred/ask/ledger"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// Run is one session of questions. Its methods to answer, take back, edit and resume are those of
// its [ledger.Run]. It is not safe for concurrent use.
type Run struct {
	*ledger.Run
	data dataset.Matrix
	cfg  Config
	tree *tree

	last *play // what the last look came to
}

// New starts a run. Given links that contradict each other are a [*link.Contradiction], unless cfg
// keeps them. ctx also ends the work between questions.
func New(ctx context.Context, data dataset.Matrix, cfg Config) (*Run, error) {
	if err := cfg.check(data); err != nil {
		return nil, err
	}
	if _, _, err := link.Build(data.Rows, cfg.Given, cfg.Contradictions); err != nil {
		return nil, err
	}
	policy := cfg.Contradictions
	if cfg.ErrorRate > 0 {
		policy = link.Keep // contradictions are what mistakes are found by
	}
	l, err := ledger.New(data.Rows, cfg.Given, policy)
	if err != nil {
		return nil, err
	}
	r := &Run{data: data, cfg: cfg}
	if r.tree, err = newTree(ctx, data, cfg, l.Out); err != nil {
		return nil, err
	}
	r.Run = ledger.NewRun(ctx, l, ledger.Config{Script: r.script, Ahead: r.ahead, Guess: r.likely})
	return r, nil
}

// Exclude leaves rows out as bad data, in place of those of earlier calls: they are not asked about
// and in no cluster of the [Result]. Another member represents a super-instance whose medoid is
// left out, and one without other members goes with the nearest. What was answered about rows that
// are left out still counts.
func (r *Run) Exclude(rows []int) {
	r.Run.Exclude(rows)
	r.tree.stamp++
}

// SettledAfter is how many answers in a row must change nothing for a run to be settled.
const SettledAfter = 20

// Settled reports whether the last answers up to a full merge, [SettledAfter] in a row, changed no
// cluster: more are unlikely to change much. Those given since count when the new super-instances
// are merged. This is ours; the authors let the person decide.
func (r *Run) Settled() bool {
	if r.Look(context.Background()) != nil {
		return false
	}
	return r.last.merged != nil && r.last.settled-r.last.changed >= SettledAfter
}

// script plays the questions, and keeps how far it came.
func (r *Run) script(ctx context.Context, ask ledger.Ask) error {
	p := r.play(ctx, ask)
	err := p.run()
	if ctx.Err() == nil {
		r.last = p
	}
	return err
}

// ahead plays the questions for those that come after the next one.
func (r *Run) ahead(ctx context.Context, ask ledger.Ask) error {
	guessed := false
	p := r.play(ctx, func(q link.Question) (link.Kind, error) {
		if _, ok := r.Answered(q.A, q.B); !ok {
			guessed = true
		}
		return ask(q)
	})
	p.ahead = func() bool { return guessed }
	return p.run()
}

// play sets a play up. Given links come first. Answers come when the play asks for them; one that
// it never asks for comes when there is nothing else to go on with, in the order of answers.
func (r *Run) play(ctx context.Context, ask ledger.Ask) *play {
	p := &play{ctx: ctx, tree: r.tree, ask: ask, doubt: newBelief(r.cfg.ErrorRate)}
	for _, l := range r.Given() {
		p.doubt.add(l, true)
	}
	answers, asked, at := r.Run.Answers(), make(map[[2]int]bool), 0
	place := make(map[[2]int]int, len(answers))
	for i, l := range answers {
		place[l.Pair()] = i
	}
	p.answered = func(a, b int) bool { _, ok := r.Answered(a, b); return ok }
	p.said = func(l link.Link) {
		asked[l.Pair()] = true
		if i, ok := place[l.Pair()]; ok {
			l = answers[i]
		}
		p.doubt.add(l, false)
	}
	p.told = func() bool {
		for ; at < len(answers); at++ {
			if l := answers[at]; !asked[l.Pair()] && l.Kind != link.Unknown {
				at++
				p.doubt.add(l, true)
				return true
			}
		}
		return false
	}
	return p
}

// Remaining estimates how many answers are left. There is always something to split until
// super-instances are single rows: most is what that takes if every two of them must be told apart,
// likely what it takes if each joins a cluster there is.
func (r *Run) Remaining() (likely, most int) {
	if _, ok := r.Next(); !ok {
		return 0, 0
	}
	p := r.last
	left := 0
	for _, s := range p.parts {
		if !p.whole[s] {
			left += len(s.rows) - 1
		}
	}
	open := p.groups.undecided()
	n := len(p.parts) + left
	likely = max(1, left+min(open, len(p.groups.list)))
	return likely, max(likely, n*(n-1)/2)
}
