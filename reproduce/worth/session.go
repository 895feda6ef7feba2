package worth

import (
	"context"
	"math"
	"time"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// checkpoints are the numbers of answers after which a partition is looked at: those that tables
// show, and some between, so that areas under the curve follow how fast it rises.
var checkpoints = []int{0, 5, 10, 15, 20, 25, 35, 50, 75, 100, 150, 200}

// shown are the checkpoints that are measures.
var shown = []int{0, 10, 25, 50, 100, 200}

// curve is what a session came to.
type curve struct {
	// adjusted Rand index over all rows at each checkpoint, or at the last answer where the
	// questions ended before
	All     []float64
	Free    []float64 // the same over rows nobody was asked about; NaN where there is none
	Asked   int       // questions asked
	Seconds float64
}

// follow drives a session up to the last checkpoint. "Don't know" counts as an answer.
func follow(ctx context.Context, m *method.Configured, p method.Problem, o ask.Oracle) (curve,
	error) {
	start := time.Now()
	var c curve
	session, err := m.Begin(ctx, p)
	if err != nil {
		return c, err
	}
	truth := frame.FromOne(p.Classes)
	over := false
	for _, at := range checkpoints {
		moved := len(c.All) == 0
		for !over && c.Asked < at {
			if err := ctx.Err(); err != nil {
				return c, err
			}
			q, more := session.Next()
			if session.Err() != nil {
				return c, session.Err()
			}
			if over = !more; over {
				break
			}
			reply, err := o.Ask(ctx, q)
			if err != nil {
				return c, err
			}
			kind, _ := reply.Kind()
			if err := session.Answer(kind); err != nil {
				return c, err
			}
			c.Asked, moved = c.Asked+1, true
		}
		if !moved {
			c.All, c.Free = append(c.All, c.All[len(c.All)-1]),
				append(c.Free, c.Free[len(c.Free)-1])
			continue
		}
		out, err := session.Outcome(ctx)
		if err != nil {
			return c, err
		}
		all, err := eval.Compare(out.Labels, truth)
		if err != nil {
			return c, err
		}
		free, err := eval.CompareUntouched(out.Labels, truth, session.Answers())
		if err != nil { // none is left
			free.AdjustedRand = math.NaN()
		}
		c.All, c.Free = append(c.All, all.AdjustedRand), append(c.Free, free.AdjustedRand)
	}
	c.Seconds = time.Since(start).Seconds()
	return c, nil
}
