package ask

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// Noisy answers as another oracle does, but says "don't know" with probability unknowns, and the
// opposite of the answer with probability errors. What becomes of a pair depends on the pair and
// the seed alone, whichever row comes first, so that a question asked again has the same answer.
// Both are shares from 0 to 1 that add up to at most 1, or it is a [*fault.Input]. Replies that are
// no answers pass.
func Noisy(o Oracle, errors, unknowns float64, seed uint64) (Oracle, error) {
	if !(errors >= 0 && unknowns >= 0 && errors+unknowns <= 1) {
		return nil, &fault.Input{
			Problem: fmt.Sprintf("%g of the answers wrong and %g unknown are no shares of them",
				errors, unknowns),
			Fix: "give two numbers from 0 to 1 that add up to at most 1",
		}
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
