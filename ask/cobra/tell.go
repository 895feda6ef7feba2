package cobra

import (
	"errors"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// Tell takes an answer about any pair of rows as if it had been asked now, its plausibility and
// source with it; what was taken back is forgotten. The run is then as [Run.Restore] leaves it when
// given all answers: an answer that the run would not ask for counts as a given link, and one about
// a pair that was answered already replaces that answer. It fails as [Run.Edit] does, and with a
// [*fault.Input] for a link that is none, and changes nothing then.
func (r *Run) Tell(l link.Link) error {
	at := -1
	if r.answered[pairOf(l)] {
		at = slices.IndexFunc(r.answers,
			func(old link.Link) bool { return pairOf(old) == pairOf(l) })
	}
	if at >= 0 {
		again := slices.Clone(r.answers)
		again[at] = l
		return r.adopt(again)
	}
	if err := r.learn(l); err != nil {
		return err
	}
	r.taken = nil
	r.record(l)
	return nil
}

// learn takes one more link into the closure. Where contradictions are kept, one that contradicts
// stays out of it.
func (r *Run) learn(l link.Link) error {
	var clash *link.Contradiction
	err := r.closure().Add(l)
	if r.policy == link.Keep && errors.As(err, &clash) {
		return nil
	}
	return err
}

// closure returns what the links and answers entail of rows.
func (r *Run) closure() *link.Set {
	if r.known == nil {
		// They were in a closure before: none is refused.
		r.known, _, _ = link.Build(len(r.si.Of), slices.Concat(r.given, r.answers), r.policy)
	}
	return r.known
}
