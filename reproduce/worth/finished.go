package worth

import (
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// finished sets the default beside COBRA where the latter's questions are over: COBRA is made for
// its end, and areas count what it shows on the way, too.
func (r *record) finished() frame.Table {
	t := frame.Table{
		Name: "finished", Title: "COBRA when its questions are over, beside " + preferred +
			" after as many answers",
		Keys: []string{"answers", "sets", "method", "questions", preferred + " better – worse",
			"Wilcoxon"},
		Groups: []string{"adjusted Rand index", "of " + preferred},
		Digits: 3, Plain: true,
		Notes: []string{"Means over sets on which COBRA ends within 200 questions. Between " +
			"checkpoints the curve of " + preferred + " is a straight line, as for areas."},
	}
	add := func(c condition, name, which string, sets []task) {
		var questions, theirs, ours []float64
		for _, s := range sets {
			asked := r.of(c.name, s.name, name, askedIn).Value
			own := r.after(c.name, s.name, preferred, asked)
			if asked < lastFew && !math.IsNaN(own) {
				questions, ours = append(questions, asked), append(ours, own)
				theirs = append(theirs, r.of(c.name, s.name, name, ari(200)).Value)
			}
		}
		if len(ours) == 0 {
			return
		}
		won, p := duel(ours, theirs)
		t.AddCells([]string{c.title, fmt.Sprintf("%d%s", len(ours), which), name,
			fmt.Sprintf("%.0f", frame.Mean(questions).Value), won, p},
			printed(frame.Mean(theirs).Value), printed(frame.Mean(ours).Value))
	}
	for _, c := range r.marks {
		for _, some := range []struct {
			which string
			sets  []task
		}{{"", r.tasks}, {" not tuned on", c.apart(r.tasks)}} {
			for _, a := range r.askers {
				if a.Method == "cobra" {
					add(c, a.Name, some.which, some.sets)
				}
			}
		}
	}
	return t
}

// after returns the adjusted Rand index of an asker after so many answers, on a straight line
// between checkpoints; NaN where there is none.
func (r *record) after(part, set, name string, answers float64) float64 {
	i := slices.IndexFunc(checkpoints, func(at int) bool { return float64(at) >= answers })
	if i < 0 {
		return math.NaN()
	}
	to := r.of(part, set, name, ari(checkpoints[i])).Value
	if i == 0 {
		return to
	}
	from, low, high := r.of(part, set, name, ari(checkpoints[i-1])).Value,
		float64(checkpoints[i-1]), float64(checkpoints[i])
	return from + float64((to-from)*((answers-low)/(high-low)))
}
