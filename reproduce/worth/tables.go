package worth

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/reproduce/frame"
)

func tables(p frame.Plan, runs *frame.Runs) ([]frame.Table, []frame.Claim) {
	r := newRecord(p, runs)
	var out []frame.Table
	out = append(out, r.choose())
	rank := func(c condition, name, which string, sets []task, long bool) {
		if t := r.ranking(c, sets); len(t.Rows) > 1 {
			t.Name, t.Long = "ranking-"+c.name+name, long
			t.Title = fmt.Sprintf("Ranking where %s: means over %s %s", c.title,
				words.Count(len(sets), "set"), which)
			if len(out) == 1 {
				t.Notes = rankingNotes
			}
			out = append(out, t)
		}
	}
	for i, reach := range r.reaches() {
		for _, c := range r.marks {
			which := fmt.Sprintf("of up to %d rows", reach.most)
			if i > 0 {
				rank(c, fmt.Sprintf("-%d", reach.most), which, reach.sets, true)
				continue
			}
			rank(c, "", which, reach.sets, false)
			rank(c, "-fresh", which+" that kin was not tuned on", c.apart(reach.sets), false)
		}
	}
	if t := r.finished(); len(t.Rows) > 0 {
		out = append(out, t)
	}
	for i, c := range r.marks {
		out = append(out, r.perSet(c, "own", "that are given nothing",
			func(a asker) bool { return !a.Given }))
		if i == 0 {
			out = append(out, r.perSet(c, "given", "that are given the number of clusters",
				func(a asker) bool { return a.Given }))
		}
	}
	out = append(out, r.cost())
	out = slices.DeleteFunc(out, func(t frame.Table) bool { return len(t.Rows) == 0 })
	if len(out) == 0 {
		out = append(out, r.choose()) // whose note is why there is nothing to choose by
	}
	return out, r.claims()
}

// ranking compares all askers that run on all of some sets, the best first.
func (r *record) ranking(c condition, sets []task) frame.Table {
	t := frame.Table{
		Keys: []string{"method", "knows", "best on", "mean rank",
			preferred + " better – worse", "Wilcoxon", "Holm"},
		Groups: []string{"area 0–100", "area 0–200"},
		Digits: 3, Plain: true,
	}
	for _, at := range shown {
		t.Groups = append(t.Groups, fmt.Sprintf("after %d", at))
	}
	t.Groups = append(t.Groups, "others after 100")
	ran := r.ran(c.name, sets)
	if len(ran) < 2 {
		return t
	}
	slices.SortStableFunc(ran, func(a, b asker) int {
		return cmp.Compare(r.average(c.name, sets, b.Name, area100),
			r.average(c.name, sets, a.Name, area100))
	})
	areas := make([][]float64, len(sets)) // sets × askers
	first := make([]int, len(ran))        // sets on which each has the largest area
	for i, s := range sets {
		for _, a := range ran {
			areas[i] = append(areas[i], r.of(c.name, s.name, a.Name, area100).Value)
		}
		for j, v := range areas[i] {
			if v >= slices.Max(areas[i])-tie {
				first[j]++
			}
		}
	}
	ranks, beside := compared(areas,
		slices.IndexFunc(ran, func(a asker) bool { return a.Name == preferred }))
	for j, a := range ran {
		row := frame.Row{Keys: append([]string{a.Name, a.knows(), fmt.Sprint(first[j]),
			fmt.Sprintf("%.1f", ranks[j])}, beside[j]...)}
		names := []string{area100, area200}
		for _, at := range shown {
			names = append(names, ari(at))
		}
		for _, name := range append(names, free(100)) {
			row.Cells = append(row.Cells,
				frame.Cell{Mean: frame.Printed(r.average(c.name, sets, a.Name, name)),
					Best: frame.None, Paper: frame.None})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

var rankingNotes = []string{
	"Adjusted Rand index over all rows; its area is that under the curve over the answers, " +
		"divided by their number. Where the questions ended before, the last partition counts " +
		"on. Others are rows that no answer is about.",
	"Wilcoxon: two-sided p-value of signed ranks of areas 0–100 beside the default. Holm: that " +
		"of aligned ranks, corrected for the number of methods. Mean ranks are those of areas " +
		"0–100 within sets.",
}

// knows returns what an asker knows beside the rows and the answers.
func (a asker) knows() string {
	switch {
	case a.Given:
		return "number of clusters"
	case a.Told:
		return "share of wrong answers"
	}
	return "nothing"
}

// compared returns the mean rank of each column of areas (sets × askers), and how each stands
// beside that of control: wins, and the p-values. Without a control, or on one set, the latter are
// empty.
func compared(areas [][]float64, control int) (ranks []float64, beside [][]string) {
	k := len(areas[0])
	beside = make([][]string, k)
	for j := range beside {
		beside[j] = []string{"", "", ""}
	}
	friedman, err := eval.Friedman(areas)
	if err != nil {
		return make([]float64, k), beside
	}
	if control < 0 || len(areas) < 2 {
		return friedman.Ranks, beside
	}
	for j := range beside {
		if a, b := column(areas, control), column(areas, j); j != control {
			won, lost := wins(a, b)
			beside[j][0] = fmt.Sprintf("%d – %d", won, lost)
			if w, err := eval.Wilcoxon(a, b); err == nil {
				beside[j][1] = chance(w.P)
			}
		}
	}
	if aligned, err := eval.AlignedRanks(areas); err == nil {
		if all, err := aligned.Against(control); err == nil {
			for _, c := range all {
				beside[c.Method][2] = chance(c.Holm)
			}
		}
	}
	return friedman.Ranks, beside
}

func column(rows [][]float64, j int) []float64 {
	out := make([]float64, len(rows))
	for i, row := range rows {
		out[i] = row[j]
	}
	return out
}

// chance writes a p-value.
func chance(p float64) string {
	switch {
	case math.IsNaN(p):
		return ""
	case p < 0.001:
		return "< .001"
	}
	return strings.TrimPrefix(fmt.Sprintf("%.3f", p), "0")
}

// perSet returns the areas of some askers on each set.
func (r *record) perSet(c condition, name, which string, fits func(asker) bool) frame.Table {
	t := frame.Table{
		Name: fmt.Sprintf("areas-%s-%s", name, c.name),
		Title: fmt.Sprintf("Area over the first 100 answers on each set where %s: methods %s",
			c.title, which),
		Keys: []string{"set", "rows", "columns", "classes"}, Digits: 2, Plain: true, Long: true,
		Notes: []string{"Rows without duplicates. Means over the repetitions with 95 % " +
			"intervals; – where a method is not run, mostly as the set has too many rows for " +
			"what it costs.", tunedNote},
	}
	var ran []asker
	for _, a := range r.askers {
		if fits(a) && slices.ContainsFunc(r.tasks,
			func(s task) bool { return r.of(c.name, s.name, a.Name, area100).There() }) {
			ran, t.Groups = append(ran, a), append(t.Groups, a.Name)
		}
	}
	for _, s := range r.tasks {
		title := s.title
		if !c.fresh(s.name) {
			title += tuned
		}
		row := frame.Row{Keys: []string{title, fmt.Sprint(s.x.Rows), fmt.Sprint(s.x.Cols),
			fmt.Sprint(s.clusters)}}
		some := false
		for _, a := range ran {
			f := r.of(c.name, s.name, a.Name, area100)
			some = some || f.There()
			row.Cells = append(row.Cells, frame.Cell{Mean: f, Best: frame.None, Paper: frame.None})
		}
		if some {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// cost reports how many questions each asker has, and how long it takes.
func (r *record) cost() frame.Table {
	t := frame.Table{
		Name: "cost", Title: "Questions asked, at most 200, and seconds a session of 200 answers " +
			"takes, looking at twelve partitions",
		Keys:   []string{"method", "sessions"},
		Groups: []string{"questions", "seconds", "seconds at most"}, Digits: 2, Plain: true,
		Long: true,
		Notes: []string{"Means over sets and conditions, and the slowest set. Sessions run " +
			"beside each other, so seconds are an order of magnitude."},
	}
	for _, a := range r.askers {
		var questions, took []float64
		for _, c := range r.marks {
			for _, s := range r.tasks {
				if f := r.of(c.name, s.name, a.Name, seconds); f.There() {
					questions, took = append(questions,
						r.of(c.name, s.name, a.Name, askedIn).Value), append(took, f.Value)
				}
			}
		}
		if len(took) == 0 {
			continue
		}
		t.Rows = append(t.Rows,
			frame.Row{Keys: []string{a.Name, fmt.Sprint(len(took) * r.plan.Trials)},
				Cells: []frame.Cell{
					{Mean: frame.Printed(frame.Mean(questions).Value), Best: frame.None,
						Paper: frame.None},
					{Mean: frame.Printed(frame.Mean(took).Value), Best: frame.None,
						Paper: frame.None},
					{Mean: frame.Printed(slices.Max(took)), Best: frame.None, Paper: frame.None},
				}})
	}
	return t
}
