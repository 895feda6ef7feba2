package ask

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindred-go/kindred/link"
)

// ErrNothingAsked is returned by [Session.Answer] when no question is left.
var ErrNothingAsked = errors.New("ask: there is no question to answer")

// Session is a clustering under way that asks questions. Its methods to add, take back, edit and
// restore answers, and to leave rows out, are those of its ledger. It is not safe for concurrent
// use.
type Session struct {
	*Ledger
	ctx     context.Context // of the work between questions
	chooser Chooser

	seen int // revision that next is for; −1: none
	next link.Question
	more bool
	err  error
}

// NewSession starts to ask on what a ledger holds. ctx also ends the work between questions, for
// good.
func NewSession(ctx context.Context, l *Ledger, c Chooser) *Session {
	return &Session{Ledger: l, ctx: ctx, chooser: c, seen: -1}
}

// Begin is NewSession on a new ledger of n rows. Given links that contradict each other are a
// [*link.Contradiction], unless the policy keeps them.
func Begin(ctx context.Context, n int, given []link.Link, policy link.Policy, c Chooser) (*Session,
	error) {
	l, err := NewLedger(n, given, policy)
	if err != nil {
		return nil, err
	}
	return NewSession(ctx, l, c), nil
}

// Err returns what ended the questions before their time; nil when nothing did.
func (s *Session) Err() error { return s.err }

// Look does the work that the next question needs, after which [Session.Next], [Session.Remaining]
// and [Session.Settled] have no more to do than to look things up. When ctx ends it returns an
// error that wraps that of ctx, and the session is as before. Any other error, and the end of the
// session's own context, end the questions for good ([Session.Err]).
func (s *Session) Look(ctx context.Context) error {
	if s.err != nil || s.seen == s.revision {
		return s.err
	}
	both, done := s.during(ctx)
	defer done()
	var found []Prompt
	err := both.Err()
	if err == nil {
		found, err = s.chooser.Questions(both, s.Ledger, 1)
	}
	if err != nil {
		if s.ctx.Err() != nil || ctx.Err() == nil {
			s.err = err
		}
		return err
	}
	s.next, s.more, s.seen = link.Question{}, len(found) > 0, s.revision
	if s.more {
		s.next = found[0].Question
		s.next.Number = len(s.answers) + 1
	}
	return nil
}

// during returns a context that ends with ctx or with that of the session, whichever is first.
func (s *Session) during(ctx context.Context) (both context.Context, done func()) {
	if ctx == s.ctx || s.ctx.Err() != nil {
		return s.ctx, func() {}
	}
	both, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })
	return both, func() { stop(); cancel(nil) }
}

// Next returns the question to ask now, the same until it is answered; ok is false when nothing is
// left to ask, or when something failed ([Session.Err]).
func (s *Session) Next() (q link.Question, ok bool) {
	if s.Look(s.ctx) != nil || !s.more {
		return link.Question{}, false
	}
	return s.next, true
}

// Answer takes the answer to the question that Next returns. It fails as [Ledger.Tell] does.
func (s *Session) Answer(kind link.Kind) error {
	if kind > link.CannotLink {
		return fmt.Errorf("ask: %d is no kind of link", kind)
	}
	q, ok := s.Next()
	if !ok {
		return errors.Join(ErrNothingAsked, s.err)
	}
	return s.Tell(link.Link{A: q.A, B: q.B, Kind: kind})
}

// Redo is [Ledger.Redo]. As before any answer to a question, it looks first, so that what the
// answer changes can be seen.
func (s *Session) Redo() (answer link.Link, ok bool) {
	s.Next()
	return s.Ledger.Redo()
}

// Queue returns up to most open questions about different pairs, as things stand: the one of Next
// first, then those that are likely to follow it. It moves nothing.
func (s *Session) Queue(most int) []Prompt {
	if _, ok := s.Next(); !ok || most < 1 {
		return nil
	}
	queue, _ := s.chooser.Questions(s.ctx, s.Ledger, most) // those seen before an error are good
	for i := range queue {
		queue[i].Number = s.next.Number + i
	}
	return queue
}

// Remaining estimates how many answers are left: how many are likely, and how many at most. Both
// are 0 when no question is.
func (s *Session) Remaining() (likely, most int) {
	if _, ok := s.Next(); !ok {
		return 0, 0
	}
	return s.chooser.Remaining(s.Ledger)
}

// Settles reports whether the method knows when further answers are unlikely to change anything.
// Neither number of [Session.Remaining] is a bound then.
func (s *Session) Settles() bool {
	_, can := s.chooser.(Settler)
	return can
}

// Settled reports whether further answers are unlikely to change anything.
func (s *Session) Settled() bool {
	c, can := s.chooser.(Settler)
	return can && s.Look(s.ctx) == nil && c.Settled(s.Ledger)
}

// Guess returns what is known of a pair: how plausible it is that both rows are of one cluster, in
// [0, 1], and why, in words. It is 1 or 0 where links and answers entail it. It may lack the latest
// answers, where those take time.
func (s *Session) Guess(a, b int) (same float64, words string) {
	if same, words, ok := s.Entailed(a, b); ok {
		return same, words
	}
	if g, can := s.chooser.(Guesser); can {
		return g.Guess(s.Ledger, a, b)
	}
	return 0.5, "nothing is known yet"
}
