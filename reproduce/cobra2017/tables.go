package cobra2017

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/eval"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// tables sets the paper's tables beside ours.
func tables(p frame.Plan, runs *frame.Runs) ([]frame.Table, []frame.Claim) {
	r := results{p, runs}
	var out []frame.Table
	for _, t := range []frame.Table{r.table1(), r.table2(), r.table3(), r.beyond(), r.scores(),
		r.found(), r.mistold(), r.seconds()} {
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out, r.claims()
}

func one(paper, ours frame.Figure) frame.Cell {
	return frame.Cell{Paper: paper, Mean: ours, Best: frame.None}
}

func (r results) table1() frame.Table {
	t := frame.Table{
		Name: "table1", Title: "Table 1. Questions until all pairs are known, at random and " +
			"closest pairs first, and of COBRA with 25 super-instances",
		Keys: []string{"data set", "instances", "pairs"}, Groups: orderNames,
		Notes: []string{"Means over orders of the rows, which break ties between pairs of one " +
			"distance. The paper's figures at random (transitivity and entailment) are beside " +
			"pairs of clusters."},
	}
	for _, set := range r.Sets {
		paper, ok := paperOrders[set.Name]
		if !ok || !r.Has(orders) {
			continue
		}
		row := frame.Row{Keys: []string{set.Title, strconv.Itoa(paper.rows),
			strconv.Itoa(paper.pairs)}}
		for i, theirs := range []frame.Figure{frame.Printed(paper.random), frame.None,
			frame.Printed(paper.closest), frame.Printed(paper.superInstance)} {
			row.Cells = append(row.Cells,
				one(theirs, r.mean(orders, set.Name, orders, orderNames[i], "questions")))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// counts writes wins and losses, the asterisk behind the greater number.
func counts(won, lost int, significant bool) string {
	switch {
	case significant && won > lost:
		return fmt.Sprintf("%d* : %d", won, lost)
	case significant:
		return fmt.Sprintf("%d : %d*", won, lost)
	}
	return fmt.Sprintf("%d : %d", won, lost)
}

func (r results) table2() frame.Table {
	t := frame.Table{
		Name: "table2", Title: "Table 2. COBRA against its competitors over the tasks: wins and " +
			"losses, and the mean margins in adjusted Rand index",
		Keys:   []string{"super-instances", "COBRA against", "wins : losses, paper", "ours"},
		Groups: []string{"share won", "margin of wins", "margin of losses"}, Digits: 2,
		Notes: []string{fmt.Sprintf("An asterisk, behind the greater number: significant by "+
			"Wilcoxon's signed-rank test, p < .05. The paper has %d tasks, and each line of ours "+
			"those that both methods were run on. Scores are means over folds.", paperTasks)},
	}
	t.Notes = append(t.Notes, r.leftOut(main)...)
	for _, s := range supers(r.Plan) {
		for _, c := range competitors {
			if row, ok := r.duel(c.name, s, paperDuels[c.name]); ok {
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

// duel is a line on COBRA against another method; ok is false where they have no task together.
func (r results) duel(other string, supers int, paper map[int]duel) (row frame.Row, ok bool) {
	p := r.play(other, supers)
	if p.tasks() == 0 {
		return row, false
	}
	text := counts(int(sum(p.won)), int(sum(p.lost)), p.significant())
	if drawn := int(sum(p.drawn)); drawn > 0 {
		text += fmt.Sprintf(" (%d equal)", drawn)
	}
	theirs, won, wins, losses := "", frame.None, frame.None, frame.None
	if d, ok := paper[supers]; ok {
		theirs = counts(d.won, d.lost, d.significant)
		won, wins, losses = frame.Printed(float64(d.won)/paperTasks), frame.Printed(d.marginWon),
			frame.Printed(d.marginLost)
	}
	return frame.Row{
		Keys: []string{strconv.Itoa(supers), other, theirs, text},
		Cells: []frame.Cell{one(won, frame.Mean(p.won)), one(wins, frame.Mean(p.wins)),
			one(losses, frame.Mean(p.losses))},
	}, true
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

// fiveMethods are those of table 3, COBRA first.
func fiveMethods() []string {
	out := []string{ours}
	for _, c := range competitors {
		out = append(out, c.name)
	}
	return out
}

func (r results) table3() frame.Table {
	t := frame.Table{
		Name: "table3", Title: "Table 3. Average ranks over the tasks, 1 the best",
		Keys:   []string{"super-instances", "method", "differs from COBRA, paper", "ours"},
		Groups: []string{"average rank"}, Digits: 2,
	}
	for _, s := range supers(r.Plan) {
		sets, scores := r.scored(fiveMethods(), s)
		if len(sets) < 2 {
			continue
		}
		each, err := ranks(scores)
		if err != nil {
			continue
		}
		differs := aligned(scores)
		for m, name := range fiveMethods() {
			paper := paperRanks[s][name]
			theirs, own := "", ""
			if m > 0 {
				theirs, own = said(paper.significant), "–"
				if differs != nil {
					own = fmt.Sprintf("%s (p %.3f)", said(differs[m] < alpha), differs[m])
				}
			}
			t.Rows = append(t.Rows, frame.Row{
				Keys:  []string{strconv.Itoa(s), name, theirs, own},
				Cells: []frame.Cell{one(frame.Printed(paper.mean), frame.Mean(each[m]))},
			})
		}
		t.Notes = append(t.Notes,
			fmt.Sprintf("At %d super-instances over the %d tasks that all five methods were run "+
				"on: %s.", s, len(sets), titles(sets)))
	}
	t.Notes = append(t.Notes, "Differences from COBRA by Friedman's aligned ranks with Holm's "+
		"correction, p < .05 (p after correction).")
	return t
}

func said(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func titles(sets []*frame.Set) string {
	var names []string
	for _, s := range sets {
		names = append(names, s.Title)
	}
	return strings.Join(names, ", ")
}

// aligned returns the p-value after Holm of each method's difference from the first; nil where
// there is none.
func aligned(scores [][]float64) []float64 {
	ranking, err := eval.AlignedRanks(scores)
	if err != nil {
		return nil
	}
	against, err := ranking.Against(0)
	if err != nil {
		return nil
	}
	out := make([]float64, len(scores[0]))
	for _, c := range against {
		out[c.Method] = c.Holm
	}
	return out
}

// others are the methods that are not in the paper.
var others = []string{splits, robust, spread}

func (r results) beyond() frame.Table {
	t := frame.Table{
		Name: "beyond", Title: "Beyond the paper: COBRA against methods that came after it, at " +
			"COBRA's number of questions",
		Keys:   []string{"super-instances", "COBRA against", "", "wins : losses"},
		Groups: []string{"share won", "margin of wins", "margin of losses"}, Digits: 2,
	}
	for _, s := range supers(r.Plan) {
		for _, name := range others {
			if row, ok := r.duel(name, s, nil); ok {
				t.Rows = append(t.Rows, row)
			}
		}
	}
	for i := range t.Rows {
		t.Rows[i].Keys = append(t.Rows[i].Keys[:2:2], t.Rows[i].Keys[3])
	}
	t.Keys = append(t.Keys[:2:2], t.Keys[3])
	return t
}

// scores shows what tables 2 and 3 are made of.
func (r results) scores() frame.Table {
	methods := append(fiveMethods(), others...)
	t := frame.Table{
		Name: "scores", Title: "Behind tables 2 and 3: adjusted Rand index over the rows set " +
			"aside, and the questions of COBRA, of which the others asked as many",
		Keys: []string{"task", "super-instances", "questions"}, Groups: methods, Digits: 3,
		Plain: true, Spread: true, Long: true,
		Notes: []string{"Means and standard deviations over folds."},
	}
	for _, set := range r.Sets {
		for _, s := range supers(r.Plan) {
			questions := r.at(set.Name, ours, s, "questions")
			if !questions.There() {
				continue
			}
			row := frame.Row{Keys: []string{set.Title, strconv.Itoa(s),
				fmt.Sprintf("%.1f", questions.Value)}}
			for _, m := range methods {
				row.Cells = append(row.Cells, one(frame.None, r.at(set.Name, m, s, "ari")))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// found shows the numbers of clusters.
func (r results) found() frame.Table {
	t := frame.Table{
		Name: "clusters", Title: "Section 4. The number of clusters that COBRA finds, beside the " +
			"true one", Keys: []string{"task", "classes"}, Digits: 1, Plain: true, Spread: true,
		Notes: []string{"Means and standard deviations over folds. All methods except COBRA " +
			"knew the number of classes."},
	}
	for _, s := range supers(r.Plan) {
		t.Groups = append(t.Groups, fmt.Sprintf("%d super-instances", s))
	}
	for _, set := range r.Sets {
		row := frame.Row{Keys: []string{set.Title, strconv.Itoa(set.Classes)}}
		there := false
		for _, s := range supers(r.Plan) {
			f := r.at(set.Name, ours, s, "clusters")
			there = there || f.There()
			row.Cells = append(row.Cells, one(frame.None, f))
		}
		if there {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
