package cobras

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
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
	cfg  Config
	tree *tree
	out  []int // the rows left out that tree.stamp is of

	last *play // what the last look came to
	anew bool  // of each play

	likeness ask.Likeness
	x, y     []float64 // rows that are compared
}

var (
	_ ask.Settler = (*chooser)(nil)
	_ ask.Guesser = (*chooser)(nil)
)

// New starts a run. Given links that contradict each other are a [*link.Contradiction], unless cfg
// keeps them. ctx also ends the work between questions.
func New(ctx context.Context, data dataset.Matrix, cfg Config) (*Run, error) {
	if err := cfg.check(data); err != nil {
		return nil, err
	}
	l, err := ask.NewLedger(data.Rows, cfg.Links, cfg.Contradictions)
	if err == nil && cfg.ErrorRate > 0 { // contradictions are what mistakes are found by
		l, err = ask.NewLedger(data.Rows, cfg.Links, link.Keep)
	}
	if err != nil {
		return nil, err
	}
	c := &chooser{data: data, cfg: cfg}
	if c.tree, err = newTree(ctx, data, cfg, l.Out); err != nil {
		return nil, err
	}
	return &Run{ask.NewSession(ctx, l, c), c}, nil
}

// SettledAfter is how many answers in a row must change nothing for a run to be settled.
const SettledAfter = 20

// Settled reports whether the last answers up to a full merge, [SettledAfter] in a row, changed no
// cluster: more are unlikely to change much. Those given since count when the new super-instances
// are merged. This is ours; the authors let the person decide.
func (c *chooser) Settled(*ask.Ledger) bool {
	return c.last.merged != nil && c.last.settled-c.last.changed >= SettledAfter
}

// Questions plays the questions. The play up to the next one is kept; others are for those that
// come after it.
func (c *chooser) Questions(ctx context.Context, known *ask.Ledger, most int) ([]ask.Prompt,
	error) {
	return ask.Scripted{
		Script: func(ctx context.Context, answer ask.Answerer) error {
			p := c.play(ctx, known, answer)
			err := p.run()
			if ctx.Err() == nil {
				c.last = p
			}
			return err
		},
		Ahead: func(ctx context.Context, answer ask.Answerer) error {
			guessed := false
			p := c.play(ctx, known, func(q link.Question) (link.Kind, error) {
				if _, ok := known.Answered(q.A, q.B); !ok {
					guessed = true
				}
				return answer(q)
			})
			p.ahead = func() bool { return guessed }
			return p.run()
		},
		Guess: func(a, b int) (float64, string) { return c.Guess(known, a, b) },
	}.Questions(ctx, known, most)
}

// play sets a play up. Given links come first. Answers come when the play asks for them; one that
// it never asks for comes when there is nothing else to go on with, in the order of answers.
func (c *chooser) play(ctx context.Context, known *ask.Ledger, answer ask.Answerer) *play {
	if out := known.Excluded(); !slices.Equal(out, c.out) {
		c.out = out
		c.tree.stamp++
	}
	_, answers := known.Since(ask.Mark{})
	p := &play{ctx: ctx, tree: c.tree, ask: answer, anew: c.anew, lacks: len(c.out) > 0,
		doubt: newBelief(c.cfg.ErrorRate, len(known.Given())+len(answers))}
	for _, l := range known.Given() {
		p.doubt.add(l, true)
	}
	asked, at := make(map[[2]int]bool), 0
	p.answered = func(a, b int) bool { _, ok := known.Answered(a, b); return ok }
	p.said = func(l link.Link) {
		asked[l.Pair()] = true
		if answer, ok := known.Answer(l.A, l.B); ok {
			l = answer
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
// super-instances are single rows: most is what that takes if every two of them must be compared,
// likely what it takes if each joins a cluster there is.
func (c *chooser) Remaining(*ask.Ledger) (likely, most int) {
	p := c.last
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
