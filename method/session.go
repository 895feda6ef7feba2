package method

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/ask"
)

// Session is a clustering under way that asks questions. Its state is a function of the problem,
// the parameters and the answers alone, so that it is taken up again by giving its answers to
// another one.
type Session struct {
	*ask.Session

	// Outcome returns what the answers so far amount to, for as long as ctx lasts. The session can
	// be used as before when that ends.
	Outcome func(ctx context.Context) (*Outcome, error)

	// Notes are sentences on what was chosen before the first question.
	Notes []string

	// Arbitrated means that who gives an answer that others contradict is to decide what becomes of
	// it, though one that is kept counts like all others (Keeps).
	Arbitrated bool

	refits *refits // of a session by a strategy; else nil
}

// Asking returns the steps of a method whose questions are its own: begin begins to ask them. Where
// nobody answers, alone is why the outcome stopped; "": as the session has it.
func Asking(begin func(ctx context.Context, p Problem) (*Session, error), alone string) Steps {
	return Steps{
		Fit: func(ctx context.Context, p Problem) (*Outcome, error) {
			s, err := begin(ctx, p)
			if err != nil {
				return nil, err
			}
			out, err := s.noted(ctx)
			if err == nil && alone != "" {
				out.Stopped = alone
			}
			return out, err
		},
		Begin: begin,
	}
}

// noted returns the outcome with the notes of the session before its own.
func (s *Session) noted(ctx context.Context) (*Outcome, error) {
	out, err := s.Outcome(ctx)
	if err != nil {
		return nil, err
	}
	out.Notes = slices.Concat(s.Notes, out.Notes)
	return out, nil
}
