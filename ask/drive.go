package ask

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindred-go/kindred/link"
)

// Event is one step of a session, in the order they happened.
type Event struct {
	Reply Reply // Same, Different, DontKnow, Undo or Redo
	// what was answered; for Undo and Redo the pair whose answer they changed
	Question link.Question
}

// ErrQuit is returned by [Drive] when the oracle stopped the questions.
var ErrQuit = errors.New("ask: stopped by the one who answers")

// Finisher is an oracle that wants a word at the end, so that the last answer can still be taken
// back.
type Finisher interface {
	// Finish returns Undo to take the last answer back; any other reply ends the questions. More is
	// true when questions are left, and the budget is what ended them.
	Finish(ctx context.Context, more bool) (Reply, error)
}

// Heeder is an oracle that wants to know when a session is settled, and decides itself whether to
// go on. Others are not asked again then, unless there is a budget.
type Heeder interface {
	// Heed is called before the next question, once each time that the session settles.
	Heed()
}

// Idler is an oracle that wants to know when an undo or a redo found nothing to change.
type Idler interface {
	// Nothing is called before the question is asked again. The reply is Undo or Redo.
	Nothing(reply Reply)
}

// Drive asks until nothing is left to ask, budget answers are in effect (0: no limit), the session
// is settled (see [Heeder]), the oracle quits, or ctx is done. Record, if not nil, is given each
// event and keeps it before the next question is asked; an error from it ends the drive.
//
// It returns nil at the end of the questions or of the budget, [ErrQuit] when the oracle quit, and
// else the error that ended it: of ctx, the oracle, the session or record.
func Drive(ctx context.Context, s *Session, o Oracle, budget int, record func(Event) error) error {
	heeded := false // the oracle knows that the session is settled
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		q, more := s.Next()
		if s.Err() != nil {
			return s.Err()
		}
		done := !more || (budget > 0 && q.Number > budget)
		if !done {
			settled := s.Settled()
			if h, heeds := o.(Heeder); !heeds {
				done = settled && budget == 0
			} else if settled && !heeded {
				h.Heed()
			}
			heeded = settled
		}
		reply := Quit
		var err error
		if !done {
			reply, err = o.Ask(ctx, q)
		} else if f, wants := o.(Finisher); wants {
			reply, err = f.Finish(ctx, more)
		}
		if err != nil {
			return err
		}
		if done && reply != Undo {
			return nil
		}
		if reply == Quit {
			return ErrQuit
		}
		event, ok, err := take(s, q, reply)
		if err != nil {
			return err
		}
		if idler, wants := o.(Idler); wants && !ok {
			idler.Nothing(reply)
		}
		if ok && record != nil {
			if err := record(event); err != nil {
				return err
			}
		}
	}
}

// take passes a reply to the session; ok is false when it changed nothing.
func take(s *Session, q link.Question, reply Reply) (e Event, ok bool, err error) {
	if kind, isAnswer := reply.Kind(); isAnswer {
		return Event{Reply: reply, Question: q}, true, s.Answer(kind)
	}
	var changed link.Link
	switch reply {
	case Undo:
		changed, ok = s.Undo()
	case Redo:
		changed, ok = s.Redo()
	default:
		return e, false, fmt.Errorf("ask: %d is no reply", reply)
	}
	return Event{Reply: reply,
		Question: link.Question{A: changed.A, B: changed.B, Number: q.Number}}, ok, nil
}
