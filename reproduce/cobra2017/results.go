package cobra2017

import (
	"fmt"

	"github.com/kindred-go/kindred/eval"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// results makes tables and pictures of runs.
type results struct{ *frame.Results }

// folds returns a measure of a method in each fold; none where it was not run.
func (r results) folds(part, set, setting, method, measure string) []float64 {
	return r.Over(frame.Key{Part: part, Set: set, Setting: setting}, 0, method, measure)
}

// mean over the folds: the final score of a method on a set (§4).
func (r results) mean(part, set, setting, method, measure string) frame.Figure {
	return frame.Mean(r.folds(part, set, setting, method, measure))
}

// at returns a measure of a method at so many super-instances in the cross-validation.
func (r results) at(set, method string, supers int, measure string) frame.Figure {
	return r.mean(main, set, method, named(method, supers), measure)
}

// scored are the sets on which all of these methods have a score at so many super-instances, and
// the scores, sets × methods.
func (r results) scored(methods []string, supers int) (sets []*frame.Set, scores [][]float64) {
	for _, set := range r.Sets {
		row := make([]float64, len(methods))
		whole := true
		for i, m := range methods {
			f := r.at(set.Name, m, supers, "ari")
			row[i] = f.Value
			whole = whole && f.There()
		}
		if whole {
			sets, scores = append(sets, set), append(scores, row)
		}
	}
	return sets, scores
}

// leftOut returns which competitors were not run on which tasks of a part, as they take too long, a
// sentence each.
func (r results) leftOut(part string) (notes []string) {
	for _, c := range competitors {
		var without []*frame.Set
		for _, set := range r.Sets {
			if !within(r.Plan, c, part, set.X) {
				without = append(without, set)
			}
		}
		switch {
		case len(without) > 0 && len(without) == len(r.Sets):
			notes = append(notes, c.name+" takes too long here and is left out.")
		case len(without) > 0:
			notes = append(notes,
				fmt.Sprintf("Left out, as %s takes long there: %s.", c.name, titles(without)))
		}
	}
	return notes
}

// alpha is the level of significance of the paper.
const alpha = .05

// tie is the difference below which scores are equal.
const tie = 1e-9

// play sets COBRA beside another method over the tasks that both have.
func (r results) play(other string, supers int) frame.Duel {
	_, scores := r.scored([]string{ours, other}, supers)
	var a, b []float64
	for _, s := range scores {
		a, b = append(a, s[0]), append(b, s[1])
	}
	return frame.Against(a, b, tie)
}

// ranks of methods on each set, from 1, the best: methods × sets.
func ranks(scores [][]float64) ([][]float64, error) {
	var out [][]float64
	for _, row := range scores {
		r, err := eval.Friedman([][]float64{row})
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = make([][]float64, len(row))
		}
		for m, v := range r.Ranks {
			out[m] = append(out[m], v)
		}
	}
	return out, nil
}

// bound is the estimated lower bound on the questions of COBRA (§3.1).
func bound(supers float64, classes int) float64 {
	k := float64(classes)
	return supers - k + k*(k-1)/2
}
