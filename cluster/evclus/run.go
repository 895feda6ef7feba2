package evclus

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// ErrNothingAsked is returned by [Run.Answer] when no question is left.
var ErrNothingAsked = errors.New("evclus: there is no question to answer")

// anchorAbove is the number of objects above which the fits between questions move linked rows
// alone, so that the next question comes within a second.
const anchorAbove = 20_000

// Run is one session of questions (cevclus-2013 Algorithm 3): the object that the partition is
// least certain of is compared with the most certain object of each cluster, the nearest first.
// Ours: after each answer the links so far are fitted from the unconstrained solution, so that the
// next question is a function of the data, the configuration, the answers and the objects left out
// alone; pairs that are answered or entailed are not asked; an object with two unknown answers is
// set aside; outliers come after the ambiguous objects.
//
// Several people are served from [Run.Queue], whose answers go in by [Run.Tell] in any order;
// [Run.Look] fits them, and may be cut short; [Run.Exclude] leaves out objects that are bad data.
//
// It is not safe for concurrent use.
type Run struct {
	ctx     context.Context // of the fits between questions
	f       *fitter
	base    *solution   // without links
	quick   bool        // fits between questions move linked rows alone, where Result chooses
	given   []link.Link // Config.Links
	answers []link.Link
	taken   []link.Link // answers taken back, for Redo; the last one is last

	now      *linked   // the solution under the links; nil when answers came since
	chosen   *linked   // the one of Result, where it is another; nil until it is asked for
	known    *link.Set // closure of links and answers
	asked    map[[2]int]bool
	doubt    map[int]int // unknown answers about an object
	excluded []bool      // objects left out as bad data; nil: none
	view     *view       // what questions are chosen from; nil when answers came since
	calm     calm
	err      error
}

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
		return nil, &fault.Input{Problem: "gradients are too slow between questions",
			Fix: "fit row by row (--optimizer irqp), with the conflict stress"}
	}
	r := &Run{ctx: ctx, f: f, given: slices.Clone(given), quick: cfg.Constraints == Choose &&
		f.n > anchorAbove}
	f.links = linkTerms{}
	if err := f.prepare(ctx); err != nil {
		return nil, err
	}
	if r.base, err = f.run(ctx); err != nil {
		return nil, stopped(err, "before there was a question")
	}
	f.finish(r.base, true)
	r.base.mass = f.res.Credal.Mass
	f.fr = newFrame(cfg.Clusters, f.res.Credal.Focal) // clusters were numbered anew
	f.engine.refocus(f.fr)
	f.cfg.Progress, f.told = nil, teller{}
	return r, r.adopt(nil)
}

// Answers returns the effective answers in the order they were given.
func (r *Run) Answers() []link.Link { return slices.Clone(r.answers) }

// Err returns the error that ended the questions, if one did: that of the context.
func (r *Run) Err() error { return r.err }

// Next returns the question to ask now, the same until it is answered. ok is false when nothing is
// left to ask, or when a fit failed ([Run.Err]).
func (r *Run) Next() (q link.Question, ok bool) {
	if r.look(); r.err != nil {
		return link.Question{}, false
	}
	g, ok := r.view.group(r)
	if !ok {
		return link.Question{}, false
	}
	return link.Question{A: g.Object, B: g.References[g.Ask].Object, Number: len(r.answers) + 1,
		Why: g.Why("the first", "the second")}, true
}

// Group returns the object in question with its references, as a person may be shown them together.
func (r *Run) Group() (g Group, ok bool) {
	if r.look(); r.err != nil {
		return Group{}, false
	}
	return r.view.group(r)
}

// Answer takes the answer to the question that Next gives.
func (r *Run) Answer(kind link.Kind) error {
	if kind > link.CannotLink {
		return fmt.Errorf("evclus: %d is no kind of link", kind)
	}
	q, ok := r.Next()
	if !ok {
		return ErrNothingAsked
	}
	return r.Tell(link.Link{A: q.A, B: q.B, Kind: kind})
}

// record takes an answer that the closure has.
func (r *Run) record(l link.Link) {
	r.answers = append(r.answers, l)
	r.note(l)
	r.now, r.chosen, r.view = nil, nil, nil
	r.calm.told(len(r.answers))
}

// note keeps a pair from being asked about again.
func (r *Run) note(l link.Link) {
	pair := l.Pair()
	again := r.asked[pair] // given links may name a pair more than once
	r.asked[pair] = true
	if l.Kind == link.Unknown && !again {
		r.doubt[l.A]++
		r.doubt[l.B]++
	}
}

// Undo takes the last answer back and returns it; ok is false when there is none.
func (r *Run) Undo() (answer link.Link, ok bool) {
	if len(r.answers) == 0 {
		return link.Link{}, false
	}
	last := r.answers[len(r.answers)-1]
	taken := append(r.taken, last)
	if err := r.adopt(r.answers[:len(r.answers)-1]); err != nil {
		return link.Link{}, false // fewer links that did not clash cannot clash
	}
	r.taken = taken
	return last, true
}

// Redo returns the answer that was taken back last once more. A new answer forgets what was taken
// back.
func (r *Run) Redo() (answer link.Link, ok bool) {
	if len(r.taken) == 0 {
		return link.Link{}, false
	}
	if r.look(); r.err != nil { // what each answer changes is counted
		return link.Link{}, false
	}
	last := r.taken[len(r.taken)-1]
	r.taken = r.taken[:len(r.taken)-1]
	if r.learn(last) != nil {
		return link.Link{}, false
	}
	r.record(last)
	return last, true
}

// Edit changes the earlier answer about objects a and b; the other answers stay. A change that
// contradicts them is a [*link.Contradiction] and leaves the run as it was, unless contradictions
// are kept.
func (r *Run) Edit(a, b int, kind link.Kind) error {
	at := slices.IndexFunc(r.answers,
		func(l link.Link) bool { return l.A == a && l.B == b || l.A == b && l.B == a })
	if at < 0 || kind > link.CannotLink {
		return fmt.Errorf("evclus: there is no answer about objects %d and %d to change", a, b)
	}
	edited := slices.Clone(r.answers)
	edited[at].Kind = kind
	return r.adopt(edited)
}

// Restore returns a run the answers of an earlier session, in order, and those that were taken back
// then, the one to redo first being last. A pair answered twice keeps its last answer. It replaces
// what the run had, and fails as [Run.Edit] does. If these are the first answers of the run, the
// next look takes the last of them in one by one, so that one that was settled is so again.
func (r *Run) Restore(answers, taken []link.Link) error {
	all := link.Latest(answers)
	if err := r.adopt(all); err != nil {
		return err
	}
	r.calm.expect(len(all))
	r.taken = slices.Clone(taken)
	return nil
}

// adopt makes answers the answers of the run.
func (r *Run) adopt(answers []link.Link) error {
	links := slices.Concat(r.given, answers)
	known, _, err := link.Build(r.f.n, links, r.f.cfg.Contradictions)
	if err != nil {
		return err
	}
	shared := 0
	for shared < min(len(answers), len(r.answers)) && answers[shared] == r.answers[shared] {
		shared++
	}
	r.calm.rewind(shared)
	r.known, r.answers, r.taken = known, slices.Clone(answers), nil
	r.asked, r.doubt = make(map[[2]int]bool), make(map[int]int)
	for _, l := range links {
		r.note(l)
	}
	r.now, r.chosen, r.view = nil, nil, nil
	return nil
}

// Remaining estimates how many answers are left: one for each ambiguous object, none when the run
// is settled; and at most one for each of its clusters.
func (r *Run) Remaining() (likely, most int) {
	if r.look(); r.err != nil {
		return 0, 0
	}
	likely, most = r.view.remaining(r)
	if r.calm.settled(len(r.answers)) {
		likely = 0
	}
	return likely, most
}
