package cobra2017

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/eval"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// tables sets the paper's tables beside ours.
func tables(all *frame.Results) {
	r := results{all}
	r.Add(r.table1(), r.table2(), r.table3(), r.beyond(), r.scores(), r.found(), r.misled(),
		r.seconds())
	r.claims()
}

func one(paper, ours frame.Figure) frame.Cell { return frame.Cell{Paper: paper, Mean: ours} }

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
		theirs := map[string]float64{inOrder: paper.random, nearFirst: paper.closest,
			superInsts: paper.superInstance}
		t.Add([]string{set.Title, strconv.Itoa(paper.rows), strconv.Itoa(paper.pairs)},
			func(name string) frame.Cell {
				cell := one(frame.None, r.mean(orders, set.Name, orders, name, "questions"))
				if v, printed := theirs[name]; printed {
					cell.Paper = frame.Printed(v)
				}
				return cell
			})
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
	for _, s := range superCounts {
		for _, c := range competitors {
			r.addDuel(&t, c.name, s, paperDuels[c.name])
		}
	}
	return t
}

// addDuel adds a line on COBRA against another method, unless they have no task together. Without
// figures of the paper there is no column for its wins and losses.
func (r results) addDuel(t *frame.Table, other string, supers int, paper map[int]duel) {
	p := r.play(other, supers)
	if p.Tasks() == 0 {
		return
	}
	text := counts(p.Won, p.Lost, p.P < alpha)
	if p.Drawn > 0 {
		text += fmt.Sprintf(" (%d equal)", p.Drawn)
	}
	won, wins, losses := frame.None, frame.None, frame.None
	keys := []string{strconv.Itoa(supers), other}
	if d, ok := paper[supers]; ok {
		keys = append(keys, counts(d.won, d.lost, d.significant))
		won, wins, losses = frame.Printed(float64(d.won)/paperTasks), frame.Printed(d.marginWon),
			frame.Printed(d.marginLost)
	}
	share := make([]float64, p.Tasks()) // 1 for each that is won
	for i := range p.Won {
		share[i] = 1
	}
	t.AddCells(append(keys, text), one(won, frame.Mean(share)), one(wins, frame.Mean(p.Wins)),
		one(losses, frame.Mean(p.Losses)))
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
	for _, s := range superCounts {
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
				theirs, own = yesNo(paper.significant), "–"
				if differs != nil {
					own = fmt.Sprintf("%s (p %.3f)", yesNo(differs[m] < alpha), differs[m])
				}
			}
			t.AddCells([]string{strconv.Itoa(s), name, theirs, own},
				one(frame.Printed(paper.mean), frame.Mean(each[m])))
		}
		t.Notes = append(t.Notes,
			fmt.Sprintf("At %d super-instances over the %d tasks that all five methods were run "+
				"on: %s.", s, len(sets), titles(sets)))
	}
	t.Notes = append(t.Notes, "Differences from COBRA by Friedman's aligned ranks with Holm's "+
		"correction, p < .05 (p after correction).")
	return t
}

func yesNo(yes bool) string {
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
		Keys:   []string{"super-instances", "COBRA against", "wins : losses"},
		Groups: []string{"share won", "margin of wins", "margin of losses"}, Digits: 2,
	}
	for _, s := range superCounts {
		for _, name := range others {
			r.addDuel(&t, name, s, nil)
		}
	}
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
		for _, s := range superCounts {
			questions := r.at(set.Name, ours, s, "questions")
			if !questions.There() {
				continue
			}
			t.Add([]string{set.Title, strconv.Itoa(s), fmt.Sprintf("%.1f", questions.Value)},
				func(m string) frame.Cell { return one(frame.None, r.at(set.Name, m, s, "ari")) })
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
	of := map[string]int{}
	for _, s := range superCounts {
		name := fmt.Sprintf("%d super-instances", s)
		of[name], t.Groups = s, append(t.Groups, name)
	}
	for _, set := range r.Sets {
		t.AddSome([]string{set.Title, strconv.Itoa(set.Classes)}, func(name string) frame.Cell {
			return one(frame.None, r.at(set.Name, ours, of[name], "clusters"))
		})
	}
	return t
}
