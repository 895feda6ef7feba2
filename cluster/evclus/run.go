package evclus

import (
	"context"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
)

// anchorAbove is the number of objects above which the fits between questions move linked rows
// alone, so that the next question comes within about a second: choosing how links enter takes five
// fits of all rows more.
const anchorAbove = 10_000

// Run is one session of questions (cevclus-2013 Algorithm 3): the object that the partition is
// least certain of is compared with the most certain object of each cluster, the nearest first.
// Ours: after each answer the links so far are fitted from the unconstrained solution, so that the
// next question is a function of the data, the configuration, the answers and the objects left out
// alone; pairs that are answered or entailed are not asked; an object with two unknown answers is
// set aside; outliers come after the ambiguous objects.
//
// Its [ask.Session] holds the questions and the answers. Nothing is fitted before a question is
// looked for. Objects that are left out are not asked about and stand for no cluster; they stay in
// the fit, as do answers about them.
//
// It is not safe for concurrent use.
type Run struct {
	*ask.Session
	chooser *chooser
}

// chooser chooses the questions of a run.
type chooser struct {
	f     *fitter
	base  *solution // without links
	quick bool      // fits between questions move linked rows alone, where Result chooses

	now    *linked // the solution under the answers that calm.at has; nil until they are looked at
	chosen *linked // the one of Result, where it is another; nil until it is asked for
	view   *view   // of now
	out    []int   // the objects left out that view is of
	calm   calm
}

var (
	_ ask.Settler = (*chooser)(nil)
	_ ask.Guesser = (*chooser)(nil)
)

// NewRun fits src without links and starts a run. Config.Links are given links. ctx also ends the
// fits between questions, which look at dissimilarities again: Config.Consume means nothing. It
// fails as [Fit] does, and where the configuration is to go by gradients, which would keep a person
// waiting.
func NewRun(ctx context.Context, src dissim.Source, cfg Config) (*Run, error) {
	given := cfg.Links
	cfg.Consume = false
	f, err := newFitter(src, cfg)
	if err != nil {
		return nil, err
	}
	if f.descends() {
		return nil, fault.Inputf("fit row by row (--optimizer irqp), with the conflict stress",
			"gradients are too slow between questions")
	}
	c := &chooser{f: f, quick: cfg.Constraints == Choose && f.n > anchorAbove}
	s, err := ask.Begin(ctx, f.n, given, cfg.Contradictions, c)
	if err != nil {
		return nil, err
	}
	f.links, f.asks = linkTerms{}, true
	if err := f.prepare(ctx); err != nil {
		return nil, err
	}
	if c.base, err = f.run(ctx); err != nil {
		return nil, stopped(err, "before there was a question")
	}
	f.finish(c.base, true)
	c.base.mass = f.res.Credal.Mass
	f.fr = newFrame(f.res.Credal.Focal) // clusters were numbered anew
	f.engine.refocus(f.fr)
	f.cfg.Progress, f.report = nil, reporter{}
	return &Run{s, c}, nil
}

// Questions fits the answers, and returns open questions, one an object.
func (c *chooser) Questions(ctx context.Context, known *ask.Ledger, most int) ([]ask.Prompt,
	error) {
	if err := c.look(ctx, known); err != nil {
		return nil, err
	}
	return c.view.prompts(known, most), nil
}

// Remaining estimates how many answers are left: one for each ambiguous object, none when the run
// is settled; and at most one for each of its clusters.
func (c *chooser) Remaining(known *ask.Ledger) (likely, most int) {
	likely, most = c.view.remaining(known)
	if c.Settled(known) {
		likely = 0
	}
	return likely, most
}

// Guess returns how plausible it is that two objects are of one cluster, in [0, 1], and why, in
// words: the mean of belief and plausibility in the latest fit, which may lack the latest answers.
// It fits nothing.
func (c *chooser) Guess(known *ask.Ledger, a, b int) (same float64, words string) {
	p := c.partition(&linked{solution: c.base})
	if kept, _ := known.Since(c.calm.at); kept == c.calm.at.Answers && c.calm.seen != nil {
		p = c.calm.seen.p
	}
	relation := p.Relation(a, b)
	return ask.Plausible(relation.BelSame(), relation.PlSame())
}
