package method

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindred-go/kindred/ask"
)

// DefaultBudget is how many answers an oracle gives by default to a method that could go
// on asking for long.
const DefaultBudget = 100

// Answered begins to ask, takes the answers of an oracle and returns what they amount to. It stops
// when no question is left, after budget answers, or when the oracle quits. Budget 0 is no limit
// for a method whose questions come to an end soon (Endless is false), and [DefaultBudget] for
// others.
func (c *Configured) Answered(ctx context.Context, p Problem, o ask.Oracle, budget int) (*Outcome,
	error) {
	s, err := c.Begin(ctx, p)
	if err != nil {
		return nil, err
	}
	if s.refits != nil {
		s.refits.strict = true // nobody is there to answer otherwise
	}
	standard := budget == 0 && c.endless()
	if standard {
		budget = DefaultBudget
	}
	out, err := s.Answered(ctx, o, budget)
	if err != nil {
		return nil, err
	}
	if _, more := s.Next(); more && standard {
		out.Notef("%d answers were asked for, as no --budget is given", DefaultBudget)
	}
	return out, nil
}

// Answered takes the answers of an oracle, at most budget of them (0: no limit), until it stops or
// [ask.Drive] does, and returns what they amount to.
func (s *Session) Answered(ctx context.Context, o ask.Oracle, budget int) (*Outcome, error) {
	if err := ask.Drive(ctx, s.Session, o, budget, nil); err != nil &&
		!errors.Is(err, ask.ErrQuit) {
		return nil, err
	}
	return s.noted(ctx)
}

// endless reports whether the method could go on asking for long.
func (c *Configured) endless() bool { return c.Endless || c.Strategic() }

// FewerSuperInstances returns a note where more super-instances are asked for than there are rows.
func FewerSuperInstances(count int, p Problem) []string {
	if count <= p.Data.Rows {
		return nil
	}
	return []string{fmt.Sprintf("%d super-instances were asked for and there are %d rows: each "+
		"row is its own", count, p.Data.Rows)}
}
