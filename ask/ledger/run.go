package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindred-go/kindred/link"
)

// ErrNothingAsked is returned by [Run.Answer] when no question is left.
var ErrNothingAsked = errors.New("ledger: there is no question to answer")

// Asks chooses questions from what is known alone. A [Config] is one, and so is an active strategy.
type Asks interface {
	// Questions returns up to most open questions about different pairs: the one to ask now, and
	// those that are likely to follow. None is the end.
	Questions(ctx context.Context, known Knowledge, most int) ([]link.Question, error)
}

// Run is one session of questions. It is not safe for concurrent use.
type Run struct {
	*Ledger
	ctx  context.Context // of what happens between questions
	asks Asks

	seen int // revision that next is for; −1: none
	next link.Question
	more bool
	err  error
}

// NewRun starts to ask on what a ledger holds. ctx also ends the work between questions, for good.
func NewRun(ctx context.Context, l *Ledger, asks Asks) *Run {
	return &Run{Ledger: l, ctx: ctx, asks: asks, seen: -1}
}

// Err returns the error that ended the questions, if one did.
func (r *Run) Err() error { return r.err }

// Look finds the next question, after which [Run.Next] has nothing left to do. When ctx ends it
// returns the error of ctx, and the run is as before. Any other error, and the end of the run's own
// context, end the questions for good.
func (r *Run) Look(ctx context.Context) error {
	if r.err != nil || r.seen == r.revision {
		return r.err
	}
	both, done := r.during(ctx)
	defer done()
	found, err := r.asks.Questions(both, r.Ledger, 1)
	if err != nil {
		if r.ctx.Err() != nil || ctx.Err() == nil {
			r.err = err
		}
		return err
	}
	r.next, r.more, r.seen = link.Question{}, len(found) > 0, r.revision
	if r.more {
		r.next = found[0]
		r.next.Number = len(r.answers) + 1
	}
	return nil
}

// during returns a context that ends with ctx or with that of the run, whichever is first.
func (r *Run) during(ctx context.Context) (both context.Context, done func()) {
	if ctx == r.ctx || r.ctx.Err() != nil {
		return r.ctx, func() {}
	}
	both, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(r.ctx, func() { cancel(context.Cause(r.ctx)) })
	return both, func() { stop(); cancel(nil) }
}

// Next returns the question to ask now, the same until it is answered; ok is false when nothing is
// left to ask, or when something failed ([Run.Err]).
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
		return errors.Join(ErrNothingAsked, r.err)
	}
	return r.Tell(link.Link{A: q.A, B: q.B, Kind: kind})
}

// Queue returns up to most questions about different pairs: the one of Next, and those that are
// likely to follow it. It moves nothing.
func (r *Run) Queue(most int) []link.Question {
	if _, ok := r.Next(); !ok || most < 1 {
		return nil
	}
	if most == 1 {
		return []link.Question{r.next}
	}
	questions, _ := r.asks.Questions(r.ctx, r.Ledger, most) // those seen before an error are good
	for i := range questions {
		questions[i].Number = r.next.Number + i
	}
	return questions
}
