package competitive2013

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// tables makes the paper's tables, and ours, of the runs.
func tables(r *frame.Results) {
	c := compiler{r}
	if r.Has("tables") {
		if t := c.differences(0); len(t.Rows) > 0 {
			violated := c.violations("table3",
				"Table III. Violated cannot-links less those of LCVQE (smaller is better)",
				"violated")
			c.Add(t, c.pendigits(), violated, c.violations("table3-nearest",
				"Table III, had LCVQE's clusters been those of the nearest prototypes",
				"other_violated"))
			c.counted(t)
			c.fewer(violated)
		}
	}
	if r.Has("figure1") {
		c.figure1()
	}
	if r.Has("readings") {
		c.readings()
	}
	if r.Has("kdd") {
		c.streams()
	}
	if r.Has("beyond") {
		c.beyond()
	}
}

// compiler makes tables and pictures of runs.
type compiler struct{ *frame.Results }

// score is what a cell is made of: a measure of a method in some settings, less that of another
// method, if any.
type score struct {
	part, set         string
	settings          []string
	method, measure   string
	less, lessMeasure string
	draws             int // repetitions that count; 0: all
}

// cell sums a score up over the draws: of each, the mean over starts and the start of least squared
// error.
func (c compiler) cell(paper frame.Figure, s score) frame.Cell {
	if s.draws == 0 {
		s.draws = c.Trials
	}
	var means, bests []float64
	for draw := 1; draw <= s.draws; draw++ {
		mean, best := 0.0, 0.0
		for _, setting := range s.settings {
			key := frame.Key{Part: s.part, Set: s.set, Setting: setting, Draw: draw}
			m, b := c.overStarts(key, s.method, s.measure)
			if s.less != "" {
				m2, b2 := c.overStarts(key, s.less, s.lessMeasure)
				m, b = m-m2, b-b2
			}
			mean, best = mean+m, best+b
		}
		means = append(means, mean/float64(len(s.settings)))
		bests = append(bests, best/float64(len(s.settings)))
	}
	return frame.Cell{Paper: paper, Mean: frame.Mean(means), Best: frame.Mean(bests)}
}

// overStarts returns the mean of a measure over starts, and that of the start with the least
// squared error; NaN without runs.
func (c compiler) overStarts(key frame.Key, method, what string) (mean, best float64) {
	values, errors := c.Of(key, method, what), c.Of(key, method, "squared")
	if len(values) == 0 {
		return math.NaN(), math.NaN()
	}
	least := 0
	for i, v := range values {
		mean += v
		if errors[i] < errors[least] {
			least = i
		}
	}
	return mean / float64(len(values)), values[least]
}

// differences is table I by readings[i].
func (c compiler) differences(i int) frame.Table {
	t := frame.Table{
		Name: "table1", Title: "Table I. NMI less that of LCVQE (greater is better)",
		Keys: []string{"data set", "labelled a class"}, Groups: []string{crpcl, olcvqe}, Digits: 3,
		Signed: true,
		Notes: []string{"Without labelled objects C-RPCL is RPCL, O-LCVQE is WTA, and LCVQE is " +
			"k-means. NMI over all objects."},
	}
	part, prefix := place(i)
	c.bySet(&t, prefix, labelled, func(set string, column int, settings []string,
		m string) frame.Cell {
		return c.cell(frame.Printed(paperNMI[m][set][column]), score{part: part, set: set,
			settings: settings, method: m, measure: readings[i].nmi(m), less: lcvqe,
			lessMeasure: readings[i].nmi(lcvqe)})
	})
	return t
}

// violations is table III, with the links that LCVQE's partition violates by a measure.
func (c compiler) violations(name, title, less string) frame.Table {
	t := frame.Table{
		Name: name, Title: title,
		Keys: []string{"data set", "labelled a class"}, Groups: []string{crpcl, olcvqe}, Digits: 1,
		Signed: true,
	}
	c.bySet(&t, "", labelled[1:], func(set string, column int, settings []string,
		m string) frame.Cell {
		return c.cell(frame.Printed(paperViolated[m][set][column]), score{part: "tables", set: set,
			settings: settings, method: m, measure: "violated", less: lcvqe,
			lessMeasure: less})
	})
	return t
}

// bySet adds a row for each data set and number of labelled objects, and one for their average, to
// a table.
func (c compiler) bySet(t *frame.Table, prefix string, numbers []int,
	cell func(set string, column int, settings []string, group string) frame.Cell) {
	for _, set := range c.Using("tables") {
		name := set.Title
		var all []string
		for column, n := range numbers {
			all = append(all, prefix+setting(n))
			t.Add([]string{name, strconv.Itoa(n)}, func(group string) frame.Cell {
				return cell(set.Name, column, all[column:], group)
			})
			name = ""
		}
		t.Add([]string{"", "average"}, func(group string) frame.Cell {
			return cell(set.Name, len(numbers), all, group)
		})
		t.Rows[len(t.Rows)-1].Sum = true
	}
}

// pendigits is table II.
func (c compiler) pendigits() frame.Table {
	t := frame.Table{
		Name: "table2", Title: "Table II. NMI on Pendigits: mean (standard deviation over the " +
			"draws)",
		Keys: []string{"labelled a class"}, Groups: methods, Digits: 2, Spread: true,
	}
	c.addPendigits(&t, 0)
	return t
}

// addPendigits adds the rows of table II by readings[i], whose keys begin with others.
func (c compiler) addPendigits(t *frame.Table, i int, keys ...string) {
	if c.Set(figure1Set) == nil {
		return
	}
	part, prefix := place(i)
	for column, n := range labelled {
		t.Add(append(slices.Clone(keys), strconv.Itoa(n)), func(m string) frame.Cell {
			return c.cell(printedOf(paperPendigits[m][column]), score{part: part, set: figure1Set,
				settings: []string{prefix + setting(n)}, method: m, measure: readings[i].nmi(m)})
		})
		for k := range keys {
			keys[k] = ""
		}
	}
}

// readings shows how other readings of the protocol do: how many figures of table I agree, and
// table II.
func (c compiler) readings() {
	one := frame.Table{
		Name: "readings", Title: "Other readings of the Protocol: figures of table I that agree, " +
			"and how far they are off",
		Keys: []string{"reading", "agree", "agree as best", "same side", "differ",
			"too few to tell", "mean off by", "best start off by"}, Digits: 3,
	}
	two := c.pendigits()
	two.Name, two.Title, two.Keys, two.Rows = "table2-readings", two.Title+", by other readings",
		[]string{"reading", "labelled a class"}, nil
	two.Again = true
	for i, r := range readings {
		part, _ := place(i)
		t := c.differences(i)
		if !c.Has(part) || len(t.Rows) == 0 {
			continue
		}
		verdicts, mean, best := t.Verdicts()
		line := []string{r.name}
		for _, v := range []frame.Verdict{frame.Agrees, frame.AgreesBest, frame.SameSide,
			frame.Differs, frame.TooFew} {
			line = append(line, strconv.Itoa(verdicts[v]))
		}
		one.AddCells(append(line, one.Show(frame.Printed(mean)), one.Show(frame.Printed(best))))
		if i > 0 { // the first is table II itself
			c.addPendigits(&two, i, r.name)
		}
	}
	c.Add(one, two)
}

// printedOf returns a mean and a standard deviation of the paper, over ten repetitions.
func printedOf(v [2]float64) frame.Figure { return frame.Reported(v[0], v[1], 10) }

// counted makes the paper's counts over the cells of table I.
func (c compiler) counted(t frame.Table) {
	atLeast := func(g int) func(cells []float64) bool {
		return func(cells []float64) bool { return cells[g] >= 0 }
	}
	c.count(t, "C-RPCL's NMI equal to LCVQE's or better", "27 of 40", atLeast(0))
	c.count(t, "O-LCVQE's NMI equal to LCVQE's or better", "47 %", atLeast(1))
	c.count(t, "C-RPCL's NMI better than O-LCVQE's", "75 %",
		func(cells []float64) bool { return cells[0] > cells[1] })
	c.count(t, "C-RPCL's NMI equal to O-LCVQE's", "",
		func(cells []float64) bool { return cells[0] == cells[1] })
}

// fewer makes the paper's counts over the cells of table III.
func (c compiler) fewer(t frame.Table) {
	for g, m := range t.Groups {
		c.count(t, "LCVQE violates fewer cannot-links than "+m, "24 of 32",
			func(cells []float64) bool { return cells[g] > 0 })
	}
}

// count counts the rows of a table whose rounded figures satisfy holds: of the paper's, beside what
// its text prints of all sets, "" for nothing, and of ours.
func (c compiler) count(t frame.Table, text, printed string, holds func(cells []float64) bool) {
	share := func(which func(frame.Cell) frame.Figure) string {
		var share frame.Share
		for _, row := range t.Rows {
			var cells []float64
			for _, cell := range row.Cells {
				cells = append(cells, frame.Round(which(cell).Value, t.Digits))
			}
			if !row.Sum {
				share.Count(holds(cells))
			}
		}
		return fmt.Sprintf("%s (%.3g %%)", share, 100*float64(share.N)/float64(share.Of))
	}
	paper := "by its table " + share(func(c frame.Cell) frame.Figure { return c.Paper })
	if printed != "" && len(c.Using("tables")) == len(paperNMI[crpcl]) {
		paper = printed + " in its text, " + paper
	}
	c.Claims = append(c.Claims, frame.Claim{Text: text, Paper: paper,
		Mean: share(func(c frame.Cell) frame.Figure { return c.Mean }),
		Best: share(func(c frame.Cell) frame.Figure { return c.Best })})
}
