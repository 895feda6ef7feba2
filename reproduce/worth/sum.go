package worth

import (
	"cmp"
	"math"
	"slices"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// record is a run of the experiment as tables and pictures look at it.
type record struct {
	*frame.Results
	tasks  []task
	askers []asker
	marks  []condition
}

func newRecord(all *frame.Results) *record {
	r := &record{Results: all, tasks: tasks(all.Plan), askers: askers()}
	for _, c := range conditions {
		if r.Has(c.name) {
			r.marks = append(r.marks, c)
		}
	}
	return r
}

// of returns the mean of a measure over draws.
func (r *record) of(part, set, name, measure string) frame.Figure {
	return r.Mean(frame.Key{Part: part, Set: set, Setting: name}, 1, name, measure)
}

// has reports whether an asker ran on a set.
func (r *record) has(part, set, name string) bool { return r.of(part, set, name, area100).There() }

// ran returns the askers that ran on all of some sets, in the order of askers.
func (r *record) ran(part string, over []task) []asker {
	var out []asker
	for _, a := range r.askers {
		if len(over) > 0 && !slices.ContainsFunc(over,
			func(t task) bool { return !r.has(part, t.name, a.Name) }) {
			out = append(out, a)
		}
	}
	return out
}

// over returns the values of a measure of one asker on some sets.
func (r *record) over(part string, sets []task, name, measure string) []float64 {
	out := make([]float64, len(sets))
	for i, t := range sets {
		out[i] = r.of(part, t.name, name, measure).Value
	}
	return out
}

// average is the mean over sets, those aside on which there is none.
func (r *record) average(part string, sets []task, name, measure string) float64 {
	return frame.Mean(r.over(part, sets, name, measure)).Value
}

// best returns the asker of the largest mean area over sets on all of which it ran; ok is false
// when there is none.
func (r *record) best(part string, sets []task, fits func(asker) bool) (best asker, mean float64,
	ok bool) {
	mean = math.Inf(-1)
	for _, a := range r.ran(part, sets) {
		if v := r.average(part, sets, a.Name, area100); fits(a) && v > mean {
			best, mean, ok = a, v, true
		}
	}
	return best, mean, ok
}

// where returns the sets that fit.
func (r *record) where(fits func(task) bool) []task {
	var out []task
	for _, t := range r.tasks {
		if fits(t) {
			out = append(out, t)
		}
	}
	return out
}

// reach is a number of rows up to which some askers run, and those with a larger reach too.
type reach struct {
	most int
	sets []task
}

// reaches returns the limits of askers, the widest first: the fewer rows the sets have, the more
// askers there are to compare.
func (r *record) reaches() []reach {
	var out []reach
	for _, a := range r.askers {
		most := a.limit(r.Reduced)
		sets := r.where(func(t task) bool { return t.x.Rows <= most })
		if len(sets) > 0 &&
			!slices.ContainsFunc(out, func(known reach) bool { return known.most == most }) {
			out = append(out, reach{most: most, sets: sets})
		}
	}
	slices.SortFunc(out, func(a, b reach) int { return cmp.Compare(b.most, a.most) })
	return out
}

// preferred is the method that the claims are about: the default way of asking.
const preferred = "kin"

// tie is how near to each other areas are equal.
const tie = 1e-12
