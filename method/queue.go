package method

import (
	"context"

	"github.com/kindred-go/kindred/evclus"
	"github.com/kindred-go/kindred/link"
)

// Prompt is a question with what a person may be shown beside it.
type Prompt struct {
	Question link.Question
	Group    *evclus.Group // of an evidential method: the uncertain object (A) with its references; else nil
}

func (s *cobraSession) Look(ctx context.Context) error { return ctx.Err() }

func (s *cobraSession) Queue(most int) []Prompt {
	var out []Prompt
	for _, q := range s.Run.Queue(most) {
		out = append(out, Prompt{Question: q})
	}
	return out
}

func (s *cobraSession) OutcomeContext(ctx context.Context) (*Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.Outcome()
}

func (s *evidentialSession) Queue(most int) []Prompt {
	var out []Prompt
	for i, g := range s.Run.Queue(most) {
		out = append(out, Prompt{
			Question: link.Question{A: g.Object, B: g.References[g.Ask].Object, Number: len(s.Answers()) + 1 + i, Why: g.Why("the first", "the second")},
			Group:    &g,
		})
	}
	return out
}

func (s *evidentialSession) OutcomeContext(ctx context.Context) (*Outcome, error) { return s.Outcome() }
