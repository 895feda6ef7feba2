package ask

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// Reply is the reply of an oracle to a question: an answer, or what else a person may want.
type Reply uint8

// The replies. The zero value is "don't know".
const (
	DontKnow  Reply = iota // neither same nor different is known
	Same                   // a must-link
	Different              // a cannot-link
	Undo                   // take the last answer back
	Redo                   // bring back the answer taken back last
	Quit                   // stop asking, keeping all answers

	// These are replies of a [Terminal] with TerminalConfig.Steps set; [Drive] refuses them.

	Later       // ask about the pair when nothing else is left
	LeaveFirst  // the first object is bad data: it is not asked about, and belongs to no group
	LeaveSecond // the second object is
)

// Kind returns the link that a reply states; ok is false for replies that are no answers.
func (r Reply) Kind() (kind link.Kind, ok bool) {
	switch r {
	case DontKnow:
		return link.Unknown, true
	case Same:
		return link.MustLink, true
	case Different:
		return link.CannotLink, true
	}
	return link.Unknown, false
}

// Oracle answers questions.
type Oracle interface {
	Ask(ctx context.Context, q link.Question) (Reply, error)
}

// Func is a function that answers questions.
type Func func(ctx context.Context, q link.Question) (Reply, error)

// Ask calls the function.
func (f Func) Ask(ctx context.Context, q link.Question) (Reply, error) { return f(ctx, q) }

// Labels answers from the true class of each row: same where the classes of both rows are equal,
// don't know where one of them is negative (missing).
func Labels(classes []int32) Oracle {
	return Func(func(_ context.Context, q link.Question) (Reply, error) {
		if max(q.A, q.B) >= len(classes) || min(q.A, q.B) < 0 {
			return DontKnow, fmt.Errorf("ask: question about rows %d and %d of %d", q.A, q.B,
				len(classes))
		}
		switch a, b := classes[q.A], classes[q.B]; {
		case a < 0 || b < 0:
			return DontKnow, nil
		case a == b:
			return Same, nil
		}
		return Different, nil
	})
}

// Noisy answers as another oracle does, but with "don't know" with probability unknowns, and the
// opposite of the answer with probability errors. What becomes of a pair depends on the pair and
// the seed alone, whichever row comes first, so that a question asked again has the same answer.
// Both are shares from 0 to 1 that add up to at most 1, or it is a [*fault.Input]. Replies that are
// no answers pass.
func Noisy(o Oracle, errors, unknowns float64, seed uint64) (Oracle, error) {
	if !(errors >= 0 && unknowns >= 0 && errors+unknowns <= 1) {
		return nil, fault.Inputf("give two numbers from 0 to 1 that add up to at most 1",
			"%g of the answers wrong and %g unknown are no shares of them", errors, unknowns)
	}
	if errors == 0 && unknowns == 0 {
		return o, nil
	}
	return Func(func(ctx context.Context, q link.Question) (Reply, error) {
		reply, err := o.Ask(ctx, q)
		if err != nil || reply != Same && reply != Different {
			return reply, err
		}
		a, b := min(q.A, q.B), max(q.A, q.B)
		rng := rand.New(rand.NewPCG(seed^0x6e6f697379, uint64(a)<<32|uint64(b))) // "noisy"
		// the first number of near seeds is alike
		rng.Uint64()
		switch u := rng.Float64(); {
		case u < unknowns:
			return DontKnow, nil
		case u >= unknowns+errors:
			return reply, nil
		case reply == Same:
			return Different, nil
		}
		return Same, nil
	}), nil
}
