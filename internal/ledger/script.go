package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindred-go/kindred/link"
)

// ErrWaiting is what [Ask] gives at the first pair that is not answered. A script returns it, wrapped or not.
var ErrWaiting = errors.New("ledger: the next question waits for its answer")

// ErrNothingAsked is returned by [Run.Answer] when no question is left.
var ErrNothingAsked = errors.New("ledger: there is no question to answer")

// Ask asks about a pair: it gives at once what is known, and [ErrWaiting] where that is nothing. Rows that are left out are not
// asked about: the answer is Unknown, unless more is known. A row and itself are the same.
type Ask func(q link.Question) (link.Kind, error)

// Script is a program that asks, and whose questions follow from the data and the answers alone. It is played from its
// beginning after every answer, so what costs time in it, and depends on the data alone, is best kept by its owner. It ends
// with nil when it has nothing left to ask, and passes on the errors of ask and of ctx.
type Script func(ctx context.Context, ask Ask) error

// Config says how a script is played.
type Config struct {
	// Script asks.
	Script Script
	// Ahead is played instead to see which questions are likely to follow the next one, as a Script that keeps what it comes
	// to must keep nothing then; nil: Script.
	Ahead Script
	// Entailed gives a script not only what was said about a pair, but also what links and answers entail.
	Entailed bool
	// Guess says which answer is likelier, to see which questions follow it; nil: unknown.
	Guess func(a, b int) link.Kind
}

// Run is one session of a script. It is not safe for concurrent use.
type Run struct {
	*Ledger
	ctx context.Context // of what happens between questions
	cfg Config

	seen int // revision that next is for; −1: none
	next link.Question
	more bool
	err  error
}

// NewRun starts a script on what a ledger holds. ctx also ends the work between questions, for good.
func NewRun(ctx context.Context, l *Ledger, cfg Config) *Run {
	if cfg.Ahead == nil {
		cfg.Ahead = cfg.Script
	}
	return &Run{Ledger: l, ctx: ctx, cfg: cfg, seen: -1}
}

// Err gives the error that ended the questions, if one did.
func (r *Run) Err() error { return r.err }

// Look plays the script up to its next question, after which [Run.Next] has nothing left to do. When ctx ends it
// gives the error of ctx, and the run is as before. Any other error of the script, and the end of the run's own context, end
// the questions for good.
func (r *Run) Look(ctx context.Context) error {
	if r.err != nil || r.seen == r.revision {
		return r.err
	}
	both, done := r.during(ctx)
	defer done()
	var next link.Question
	err := r.cfg.Script(both, func(q link.Question) (link.Kind, error) {
		if kind, ok := r.settled(q, r.Answered, r.Set()); ok {
			return kind, nil
		}
		next = q
		return link.Unknown, ErrWaiting
	})
	if err != nil && !errors.Is(err, ErrWaiting) {
		if r.ctx.Err() != nil || ctx.Err() == nil {
			r.err = err
		}
		return err
	}
	r.next, r.more, r.seen = next, err != nil, r.revision
	r.next.Number = len(r.answers) + 1
	return nil
}

// settled gives what a script is told at once.
func (r *Run) settled(q link.Question, answered func(a, b int) (link.Kind, bool), set *link.Set) (kind link.Kind, ok bool) {
	if q.A == q.B {
		return link.MustLink, true
	}
	if r.cfg.Entailed {
		kind, ok = known(answered, set, q.A, q.B)
	} else {
		kind, ok = answered(q.A, q.B)
	}
	return kind, ok || r.Out(q.A) || r.Out(q.B)
}

// during gives a context that ends with ctx or with that of the run, whichever is first.
func (r *Run) during(ctx context.Context) (both context.Context, done func()) {
	if ctx == r.ctx || r.ctx.Err() != nil {
		return r.ctx, func() {}
	}
	both, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(r.ctx, func() { cancel(context.Cause(r.ctx)) })
	return both, func() { stop(); cancel(nil) }
}

// Next gives the question to ask now, the same until it is answered; ok is false when nothing is left to ask, or when the
// script failed ([Run.Err]).
func (r *Run) Next() (q link.Question, ok bool) {
	if r.Look(r.ctx) != nil || !r.more {
		return link.Question{}, false
	}
	return r.next, true
}

// Answer takes the answer to the question that Next gives. It fails as [Ledger.Tell] does.
func (r *Run) Answer(kind link.Kind) error {
	if kind > link.CannotLink {
		return fmt.Errorf("ledger: %d is no kind of link", kind)
	}
	q, ok := r.Next()
	if !ok {
		return ErrNothingAsked
	}
	return r.Tell(link.Link{A: q.A, B: q.B, Kind: kind})
}

// Queue gives up to most questions about different pairs: the one of Next, and those that the script would ask after it if
// every one were answered as Guess has it. It moves nothing.
func (r *Run) Queue(most int) []link.Question {
	if _, ok := r.Next(); !ok || most < 1 {
		return nil
	}
	if most == 1 {
		return []link.Question{r.next}
	}
	ahead := newFork(r.Ledger)
	var questions []link.Question
	// What the script says of its end does not matter: the questions seen so far are good.
	_ = r.cfg.Ahead(r.ctx, func(q link.Question) (link.Kind, error) {
		if kind, ok := r.settled(q, ahead.answered, ahead.closure()); ok {
			return kind, nil
		}
		q.Number = len(r.answers) + 1 + len(questions)
		questions = append(questions, q)
		if len(questions) == most {
			return link.Unknown, ErrWaiting
		}
		kind := link.Unknown
		if r.cfg.Guess != nil {
			kind = r.cfg.Guess(q.A, q.B)
		}
		ahead.suppose(link.Link{A: q.A, B: q.B, Kind: kind})
		return kind, nil
	})
	return questions
}

// fork is what would be known if questions had been answered.
type fork struct {
	*Ledger
	supposed map[[2]int]link.Kind
	set      *link.Set // nil: that of the ledger
}

func newFork(l *Ledger) *fork { return &fork{Ledger: l, supposed: make(map[[2]int]link.Kind)} }

func (f *fork) answered(a, b int) (link.Kind, bool) {
	if kind, ok := f.supposed[[2]int{min(a, b), max(a, b)}]; ok {
		return kind, true
	}
	return f.Answered(a, b)
}

func (f *fork) closure() *link.Set {
	if f.set != nil {
		return f.set
	}
	return f.Set()
}

// suppose takes an answer that was not given. One that contradicts stays out of the closure.
func (f *fork) suppose(l link.Link) {
	if f.set == nil {
		f.set, _, _ = link.Build(f.n, f.Facts(), link.Keep)
	}
	_ = f.set.Add(l)
	f.supposed[l.Pair()] = l.Kind
}
