package worth

import (
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// untold sets kin that is not told the share of wrong answers beside kin that is, and how far both
// fall as answers come.
func (r *record) untold() frame.Table {
	t := frame.Table{
		Name: "untold", Title: "Wrong answers, untold and told: how far the index falls as answers " +
			"come",
		Keys: []string{"answers", "method", "sets", "best after"},
		Groups: []string{"area 0–100", "best of the mean curve", "after 200", "fall of it",
			"fall on a set", "fall in a session", "largest fall on a set"},
		Digits: 3, Plain: true,
		Notes: []string{"Falls are from the best checkpoint up to 200 answers to that at 200: of the " +
			"mean curve over sets; of the mean curve of each set, on average and at most; of single " +
			"sessions on average, where chance alone makes some."},
	}
	for _, c := range r.marks {
		for _, name := range calibrated {
			sets := r.where(func(s task) bool {
				return r.has(c.name, s.name, name) && (c.errors == 0 ||
					r.has(c.name, s.name, preferred) && r.has(c.name, s.name, calibrated[1]))
			})
			if len(sets) == 0 {
				continue
			}
			mean := r.curve(c.name, sets, name)
			var each []float64
			for _, s := range sets {
				each = append(each, falls(r.curve(c.name, []task{s}, name)))
			}
			best := slices.Max(mean)
			t.AddCells([]string{c.title, name, fmt.Sprint(len(sets)),
				words.Count(checkpoints[slices.Index(mean, best)], "answer")},
				printed(r.average(c.name, sets, name, area100)), printed(best),
				printed(mean[len(mean)-1]), printed(falls(mean)), printed(frame.Mean(each).Value),
				printed(r.average(c.name, sets, name, fall)), printed(slices.Max(each)))
		}
	}
	return t
}

// curve returns the mean over sets of an asker's index at the checkpoints up to 200 answers.
func (r *record) curve(part string, sets []task, name string) []float64 {
	var out []float64
	for _, at := range upTo(lastFew) {
		out = append(out, r.average(part, sets, name, ari(at)))
	}
	return out
}

// falling is the table of falls on each set.
func (r *record) falling(c condition) frame.Table {
	t := frame.Table{
		Name: "untold-" + c.name, Title: fmt.Sprintf("Untold and told on each set where %s", c.title),
		Keys: []string{"set"}, Digits: 2, Plain: true, Long: true, Notes: []string{tunedNote},
	}
	for _, name := range calibrated {
		t.Groups = append(t.Groups, name+": area 0–100", "best", "after 200", "fall")
	}
	for _, s := range r.tasks {
		if !r.has(c.name, s.name, calibrated[0]) || !r.has(c.name, s.name, calibrated[1]) {
			continue
		}
		var cells []frame.Cell
		for _, name := range calibrated {
			curve := r.curve(c.name, []task{s}, name)
			cells = append(cells, frame.Cell{Mean: r.of(c.name, s.name, name, area100)},
				printed(slices.Max(curve)), printed(curve[len(curve)-1]), printed(falls(curve)))
		}
		t.AddCells([]string{c.titled(s)}, cells...)
	}
	return t
}
