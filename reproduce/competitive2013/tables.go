package competitive2013

import (
	"fmt"
	"math"
	"strconv"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// tables makes the paper's tables, and ours, of the runs.
func tables(p frame.Plan, runs *frame.Runs) (tables []frame.Table, claims []frame.Claim) {
	c := compiler{p, runs}
	if p.Has("tables") {
		if t := c.differences(0); len(t.Rows) > 0 {
			violated := c.violations("table3",
				"Table III. Violated cannot-links less those of LCVQE (smaller is better)",
				"violated")
			nearest := c.violations("table3-nearest",
				"Table III, had LCVQE's clusters been those of the nearest prototypes",
				"other_violated")
			tables = append(tables, t)
			if pendigits := c.pendigits(); len(pendigits.Rows) > 0 {
				tables = append(tables, pendigits)
			}
			tables = append(tables, violated, nearest)
			claims = append(claims, c.counted(t)...)
			claims = append(claims, c.fewer(violated)...)
		}
	}
	if p.Has("figure1") {
		t, more := c.figure1()
		tables, claims = append(tables, t...), append(claims, more...)
	}
	if p.Has("readings") {
		tables = append(tables, c.readings()...)
	}
	if p.Has("kdd") {
		t, more := c.streams()
		tables, claims = append(tables, t...), append(claims, more...)
	}
	if p.Has("beyond") {
		tables = append(tables, c.beyond()...)
	}
	return tables, claims
}

// compiler makes tables of runs.
type compiler struct {
	frame.Plan
	runs *frame.Runs
}

// cell sums a measure up over the draws: of each, the mean over starts and the start of least
// squared error. minus, unless "", is a method whose measure less is subtracted; the measure of the
// others is what.
func (c compiler) cell(paper frame.Figure, part, set string, settings []string, method, what, minus,
	less string) frame.Cell {
	var means, bests []float64
	for draw := 1; draw <= c.Trials; draw++ {
		mean, best := 0.0, 0.0
		for _, s := range settings {
			key := frame.Key{Part: part, Set: set, Setting: s, Draw: draw}
			m, b := c.score(key, method, what)
			if minus != "" {
				m2, b2 := c.score(key, minus, less)
				m, b = m-m2, b-b2
			}
			mean, best = mean+m, best+b
		}
		means = append(means, mean/float64(len(settings)))
		bests = append(bests, best/float64(len(settings)))
	}
	return frame.Cell{Paper: paper, Mean: frame.Mean(means), Best: frame.Mean(bests)}
}

// score returns the mean of a measure over starts, and that of the start with the least squared
// error; NaN without runs.
func (c compiler) score(key frame.Key, method, what string) (mean, best float64) {
	values, errors := c.runs.Of(key, method, what), c.runs.Of(key, method, "squared")
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
	c.bySet(&t, prefix, labelled, func(set string, column int, settings []string) []frame.Cell {
		var cells []frame.Cell
		for _, m := range t.Groups {
			cells = append(cells,
				c.cell(frame.Printed(paperNMI[m][set][column]), part, set, settings, m,
					readings[i].nmi(m), lcvqe, readings[i].nmi(lcvqe)))
		}
		return cells
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
	c.bySet(&t, "", labelled[1:], func(set string, column int, settings []string) []frame.Cell {
		var cells []frame.Cell
		for _, m := range t.Groups {
			cells = append(cells,
				c.cell(frame.Printed(paperViolated[m][set][column]), "tables", set, settings, m,
					"violated", lcvqe, less))
		}
		return cells
	})
	return t
}

// bySet adds a row for each data set and number of labelled objects, and one for their average, to
// a table.
func (c compiler) bySet(t *frame.Table, prefix string, numbers []int,
	cells func(set string, column int, settings []string) []frame.Cell) {
	for _, set := range c.Sets {
		if _, known := paperNMI[crpcl][set.Name]; !known {
			continue
		}
		name := set.Title
		var all []string
		for column, n := range numbers {
			all = append(all, prefix+setting(n))
			t.Rows = append(t.Rows,
				frame.Row{Keys: []string{name, strconv.Itoa(n)},
					Cells: cells(set.Name, column, all[column:column+1])})
			name = ""
		}
		t.Rows = append(t.Rows,
			frame.Row{Keys: []string{"", "average"}, Cells: cells(set.Name, len(numbers), all),
				Sum: true})
	}
}

// pendigits is table II.
func (c compiler) pendigits() frame.Table {
	return frame.Table{
		Name: "table2", Title: "Table II. NMI on Pendigits: mean (standard deviation over the " +
			"draws)",
		Keys: []string{"labelled a class"}, Groups: methods, Digits: 2, Spread: true,
		Rows: c.pendigitsBy(0),
	}
}

// pendigitsBy returns the rows of table II by readings[i].
func (c compiler) pendigitsBy(i int) (rows []frame.Row) {
	part, prefix := place(i)
	for _, set := range c.Sets {
		if set.Name != "pendigits" {
			continue
		}
		for column, n := range labelled {
			row := frame.Row{Keys: []string{strconv.Itoa(n)}}
			for _, m := range methods {
				paper := told(paperPendigits[m][column])
				row.Cells = append(row.Cells,
					c.cell(paper, part, set.Name, []string{prefix + setting(n)}, m,
						readings[i].nmi(m), "", ""))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// readings shows how other readings of the protocol do: how many figures of table I agree, and
// table II.
func (c compiler) readings() []frame.Table {
	one := frame.Table{
		Name: "readings", Title: "Other readings of the Protocol: figures of table I that agree, " +
			"and how far they are off",
		Keys: []string{"reading", "agree", "agree as best", "same side", "differ", "mean off by",
			"best start off by"}, Digits: 3,
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
			frame.Differs} {
			line = append(line, strconv.Itoa(verdicts[v]))
		}
		one.Rows = append(one.Rows,
			frame.Row{Keys: append(line, one.Show(frame.Printed(mean)),
				one.Show(frame.Printed(best)))})
		if i == 0 {
			continue // table II itself
		}
		name := r.name
		for _, row := range c.pendigitsBy(i) {
			row.Keys = []string{name, row.Keys[0]}
			two.Rows = append(two.Rows, row)
			name = ""
		}
	}
	var tables []frame.Table
	for _, t := range []frame.Table{one, two} {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// told returns a mean and a standard deviation of the paper, over ten repetitions.
func told(v [2]float64) frame.Figure { return frame.Figure{Value: v[0], Spread: v[1], N: 10} }

// counted makes the paper's counts over the cells of table I.
func (c compiler) counted(t frame.Table) []frame.Claim {
	atLeast := func(g int) func(cells []frame.Figure) bool {
		return func(cells []frame.Figure) bool { return frame.Round(cells[g].Value, t.Digits) >= 0 }
	}
	return []frame.Claim{
		count(t, "C-RPCL's NMI equal to LCVQE's or better", atLeast(0)),
		count(t, "O-LCVQE's NMI equal to LCVQE's or better", atLeast(1)),
		count(t, "C-RPCL's NMI better than O-LCVQE's", func(cells []frame.Figure) bool {
			return frame.Round(cells[0].Value, t.Digits) > frame.Round(cells[1].Value, t.Digits)
		}),
	}
}

// fewer makes the paper's counts over the cells of table III.
func (c compiler) fewer(t frame.Table) []frame.Claim {
	var claims []frame.Claim
	for g, m := range t.Groups {
		claims = append(claims,
			count(t, "LCVQE violates fewer cannot-links than "+m,
				func(cells []frame.Figure) bool {
					return frame.Round(cells[g].Value, t.Digits) > 0
				}))
	}
	return claims
}

// count counts the rows of a table whose figures satisfy holds: the paper's, and ours.
func count(t frame.Table, says string, holds func(cells []frame.Figure) bool) frame.Claim {
	var paper, mean, best, of int
	pick := func(row frame.Row, which func(frame.Cell) frame.Figure) int {
		var f []frame.Figure
		for _, c := range row.Cells {
			f = append(f, which(c))
		}
		if holds(f) {
			return 1
		}
		return 0
	}
	for _, row := range t.Rows {
		if row.Sum {
			continue
		}
		of++
		paper += pick(row, func(c frame.Cell) frame.Figure { return c.Paper })
		mean += pick(row, func(c frame.Cell) frame.Figure { return c.Mean })
		best += pick(row, func(c frame.Cell) frame.Figure { return c.Best })
	}
	share := func(n int) string {
		return fmt.Sprintf("%d of %d (%.0f %%)", n, of, 100*float64(n)/float64(of))
	}
	return frame.Claim{Says: says, Paper: share(paper), Mean: share(mean), Best: share(best)}
}
