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
	tasks   []task
	askers  []asker
	figures map[figureKey]frame.Figure // means over draws; none where nothing ran
	marks   []condition
}

type figureKey struct{ part, set, method, measure string }

func newRecord(all *frame.Results) *record {
	r := &record{Results: all, tasks: tasks(all.Plan), askers: askers(),
		figures: map[figureKey]frame.Figure{}}
	for _, c := range conditions {
		if r.Has(c.name) {
			r.marks = append(r.marks, c)
		}
	}
	values := map[figureKey][]float64{}
	names := measures()
	for _, run := range r.All() {
		for i, name := range names {
			key := figureKey{run.Part, run.Set, run.Method, name}
			values[key] = append(values[key], run.Values[i])
		}
	}
	for key, v := range values {
		r.figures[key] = frame.Mean(v)
	}
	return r
}

// of returns the mean of a measure over draws.
func (r *record) of(part, set, name, measure string) frame.Figure {
	if f, ok := r.figures[figureKey{part, set, name, measure}]; ok {
		return f
	}
	return frame.None
}

// ran returns the askers that ran on all of some sets, in the order of askers.
func (r *record) ran(part string, over []task) []asker {
	var out []asker
	for _, a := range r.askers {
		if len(over) > 0 && !slices.ContainsFunc(over,
			func(t task) bool { return !r.of(part, t.name, a.Name, area100).There() }) {
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

// rows returns the sets with at least least rows and at most most.
func (r *record) rows(least, most int) []task {
	return r.where(func(t task) bool { return t.x.Rows >= least && t.x.Rows <= most })
}

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
	seen := map[int]bool{}
	var out []reach
	for _, a := range r.askers {
		most := a.limit(r.Reduced)
		if seen[most] {
			continue
		}
		seen[most] = true
		if sets := r.rows(0, most); len(sets) > 0 {
			out = append(out, reach{most: most, sets: sets})
		}
	}
	slices.SortFunc(out, func(a, b reach) int { return cmp.Compare(b.most, a.most) })
	return out
}

// preferred is the method that the claims are about: the default way of asking.
const preferred = "kin"

// wins counts the sets on which a is larger than b, and on which b is larger than a.
func wins(a, b []float64) (won, lost int) {
	for i := range a {
		switch {
		case a[i] > b[i]+tie:
			won++
		case b[i] > a[i]+tie:
			lost++
		}
	}
	return won, lost
}

// tie is how near to each other areas are equal.
const tie = 1e-12
