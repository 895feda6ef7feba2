//go:build ignore

package method

import (
	"context"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/link"
)

// Prompt is a question with what a person may be shown beside it.
type Prompt struct {
	Question link.Question
	// of an evidential method: the uncertain object (A) with its references; else nil
	Group *evclus.Group
}

// prompts are questions with nothing beside them.
func prompts(questions []link.Question) []Prompt {
	out := make([]Prompt, len(questions))
	for i, q := range questions {
		out[i].Question = q
	}
	return out
}

// Look has nothing to do: COBRA fits nothing between questions.
func (s *cobraSession) Look(ctx context.Context) error { return ctx.Err() }

func (s *cobraSession) Queue(most int) []Prompt { return prompts(s.Run.Queue(most)) }

func (s *evidentialSession) Queue(most int) []Prompt {
	groups := s.Run.Queue(most)
	first, _ := s.Next()
	out := make([]Prompt, len(groups))
	for i, g := range groups {
		out[i] = Prompt{
			Question: link.Question{
				A: g.Object, B: g.References[g.Ask].Object, Number: first.Number + i,
				Why: g.Why("the first", "the second"),
			},
			Group: &g,
		}
	}
	return out
}
