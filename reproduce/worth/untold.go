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
		Name:  "untold",
		Title: "Wrong answers, untold and told: how far the index falls as answers come",
		Keys:  []string{"answers", "method", "sets", "best after"},
		Groups: []string{"area 0–100", "best of the mean curve", "after 200", "fall of it",
			"fall on a set", "fall in a session", "largest fall on a set"},
		Digits: 3, Plain: true,
		Notes: []string{"Falls are from the best checkpoint up to 200 answers to that at 200: of " +
			"the mean curve over sets; of the mean curve of each set, on average and at most; of " +
			"single sessions on average, where chance alone makes some."},
	}
	for _, c := range r.marks {
		for _, name := range calibrated {
			f := r.fallen(c, name)
			if f.sets == 0 {
				continue
			}
			t.AddCells([]string{c.title, name, fmt.Sprint(f.sets), words.Count(f.at, "answer")},
				printed(f.area), printed(f.best), printed(f.last), printed(f.ofMean),
				printed(f.onSet), printed(f.inSession), printed(f.largest))
		}
	}
	return t
}

// fallen is how far an asker's index falls as answers come.
type fallen struct {
	sets             int
	area, best, last float64 // means over sets: area over 100 answers, and of the mean curve
	at               int     // answers where that is best
	// of the mean curve, of that of a set on average and at most, and of a session on average
	ofMean, onSet, largest, inSession float64
}

// fallen returns it of an asker on the sets on which all of calibrated ran that run there.
func (r *record) fallen(c condition, name string) fallen {
	sets := r.where(func(s task) bool {
		return r.has(c.name, s.name, name) && (c.errors == 0 ||
			r.has(c.name, s.name, calibrated[0]) && r.has(c.name, s.name, calibrated[1]))
	})
	if len(sets) == 0 {
		return fallen{}
	}
	var each []float64
	for _, s := range sets {
		each = append(each, falls(r.curve(c.name, []task{s}, name)))
	}
	mean := r.curve(c.name, sets, name)
	best := slices.Max(mean)
	return fallen{
		sets: len(sets), area: r.average(c.name, sets, name, area100), best: best,
		last: mean[len(mean)-1], at: checkpoints[slices.Index(mean, best)], ofMean: falls(mean),
		onSet: frame.Mean(each).Value, largest: slices.Max(each),
		inSession: r.average(c.name, sets, name, fall),
	}
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
		Name:  "untold-" + c.name,
		Title: fmt.Sprintf("Untold and told on each set where %s", c.title),
		Keys:  []string{"set"}, Digits: 2, Plain: true, Long: true, Notes: []string{tunedNote},
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
