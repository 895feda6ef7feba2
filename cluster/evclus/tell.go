package evclus

import (
	"errors"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
)

// Tell takes an answer about any pair of objects as if it had been asked now, its plausibility and
// source with it; what was taken back is forgotten. The run then asks as [Run.Restore] has it ask
// when given all answers: one about a pair that was answered already replaces that answer. It fails
// as [Run.Edit] does, and with a [*fault.Input] for a link that is none, and changes nothing then.
// Nothing is fitted before a question is looked for.
func (r *Run) Tell(l link.Link) error {
	at := -1
	if r.asked[l.Pair()] {
		at = slices.IndexFunc(r.answers, func(old link.Link) bool { return old.Pair() == l.Pair() })
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
	err := r.known.Add(l)
	if r.f.cfg.Contradictions == link.Keep && errors.As(err, &clash) {
		return nil
	}
	return err
}

// Exclude leaves objects out of the questions as bad data, in place of those of earlier calls: they
// are not asked about and stand for no cluster. They stay in the fit, as do answers about them.
// Objects that are not there mean nothing. It fits nothing.
func (r *Run) Exclude(objects []int) {
	r.excluded = nil
	for _, i := range objects {
		if i < 0 || i >= r.f.n {
			continue
		}
		if r.excluded == nil {
			r.excluded = make([]bool, r.f.n)
		}
		r.excluded[i] = true
	}
	if r.view != nil {
		r.view.choose(r)
	}
}

// Excluded returns the objects that are left out, rising.
func (r *Run) Excluded() []int {
	var out []int
	for i, bad := range r.excluded {
		if bad {
			out = append(out, i)
		}
	}
	return out
}

// Guess says of two objects how plausible it is that they are of one cluster, in [0, 1], and why,
// in words: 1 or 0 where links and answers entail it, else the mean of belief and plausibility in
// the latest fit, which may lack the latest answers. It fits nothing.
func (r *Run) Guess(a, b int) (same float64, words string) {
	if min(a, b) < 0 || max(a, b) >= r.f.n {
		return 0.5, "nothing is known of objects that are not there"
	}
	switch r.known.Relation(a, b) {
	case link.MustLink:
		return 1, "the same, as the answers so far entail"
	case link.CannotLink:
		return 0, "different, as the answers so far entail"
	}
	relation := r.latest().Relation(a, b)
	believed, plausible := min(1, relation.BelSame()), min(1, relation.PlSame())
	return (believed + plausible) / 2,
		fmt.Sprintf("same: plausible %.2f, believed %.2f", plausible, believed)
}

// latest returns the latest partition there is.
func (r *Run) latest() *credal.Partition {
	switch {
	case r.now != nil:
		return r.partition(r.now)
	case r.calm.seen != nil:
		return r.calm.seen.p
	}
	return r.partition(&linked{solution: r.base})
}

// Queue returns up to most open questions as things stand, one per object, in the order of
// [Run.Group], which comes first: each asks for the nearest of its references that is open. It
// changes nothing.
func (r *Run) Queue(most int) []Group {
	if r.look(); r.err != nil {
		return nil
	}
	return r.view.groups(r, most)
}
