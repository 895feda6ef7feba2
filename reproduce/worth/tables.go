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

func tables(all *frame.Results) {
	r := newRecord(all)
	r.Add(r.choose())
	notes := rankingNotes // below the first ranking
	rank := func(c condition, name, which string, sets []task, long bool) {
		if t := r.ranking(c, sets); len(t.Rows) > 1 {
			t.Name, t.Long = "ranking-"+c.name+name, long
			t.Title = fmt.Sprintf("Ranking where %s: means over %s %s", c.title,
				words.Count(len(sets), "set"), which)
			t.Notes, notes = notes, nil
			r.Add(t)
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
	r.Add(r.finished(), r.list())
	for i, c := range r.marks {
		r.Add(r.perSet(c, "own", "that are given nothing",
			func(a asker) bool { return !a.KnowsClusters }))
		if i == 0 {
			r.Add(r.perSet(c, "given", "that are given the number of clusters",
				func(a asker) bool { return a.KnowsClusters }))
		}
	}
	for _, c := range r.marks {
		r.Add(r.manyTable(c))
	}
	r.Add(r.texts(), r.silence(), r.untold())
	for _, c := range r.marks {
		r.Add(r.falling(c))
	}
	r.Add(r.calibration(), r.binned(), r.settled())
	for _, c := range r.marks {
		r.Add(r.own(c))
	}
	r.Add(r.cost())
	if len(r.Tables) == 0 {
		r.Tables = append(r.Tables, r.choose()) // whose note is why there is nothing to choose by
	}
	r.claims()
	r.silentClaims()
	r.groupClaim()
	r.statedClaims()
}

// printed is a cell of a figure without a spread.
func printed(v float64) frame.Cell { return frame.Cell{Mean: frame.Printed(v)} }

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
		names := []string{area100, area200}
		for _, at := range shown {
			names = append(names, ari(at))
		}
		var cells []frame.Cell
		for _, name := range append(names, free(100)) {
			cells = append(cells, printed(r.average(c.name, sets, a.Name, name)))
		}
		t.AddCells(append([]string{a.Name, a.knows(), fmt.Sprint(first[j]),
			fmt.Sprintf("%.1f", ranks[j])}, beside[j]...), cells...)
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
	case a.KnowsClusters:
		return "number of clusters"
	case a.KnowsErrors:
		return "share of wrong answers"
	}
	return "nothing"
}

// compared returns the mean rank of each column of areas (sets × askers), and how each compares
// with that of control: wins, and the p-values. Without a control, or on one set, the latter are
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
			beside[j][0], beside[j][1] = duel(a, b)
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

// duel returns on how many sets a is larger, and b, and the p-value of the signed ranks; "" without
// one.
func duel(a, b []float64) (won, p string) {
	d := frame.Against(a, b, tie)
	return fmt.Sprintf("%d – %d", d.Won, d.Lost), chance(d.P)
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
	for _, a := range r.askers {
		if fits(a) && slices.ContainsFunc(r.tasks,
			func(s task) bool { return r.has(c.name, s.name, a.Name) }) {
			t.Groups = append(t.Groups, a.Name)
		}
	}
	for _, s := range r.tasks {
		t.AddSome([]string{c.titled(s), fmt.Sprint(s.x.Rows), fmt.Sprint(s.x.Cols),
			fmt.Sprint(s.clusters)}, func(name string) frame.Cell {
			return frame.Cell{Mean: r.of(c.name, s.name, name, area100)}
		})
	}
	return t
}

// cost reports how many questions each asker has, and how long it takes.
func (r *record) cost() frame.Table {
	t := frame.Table{
		Name: "cost", Title: "Questions asked, and seconds a session of 200 answers (300 where " +
			"groups are many) takes, looking at 13 to 17 partitions",
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
		t.AddCells([]string{a.Name, fmt.Sprint(len(took) * r.Trials)},
			printed(frame.Mean(questions).Value), printed(frame.Mean(took).Value),
			printed(slices.Max(took)))
	}
	return t
}
