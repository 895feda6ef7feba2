package dataset

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// Gaps are the missing values of a table that was refused for them, so that a program can ask what
// to do: it is the Err of a [*fault.Input].
type Gaps struct {
	Values  int         // that are missing
	Rows    int         // of the table
	Lacking int         // rows that lack any
	Columns []GapColumn // that lack some, in the order of the table
	Choices []Missing   // the treatments that the data can have, the first of them the best
	// MissingKeep fills in the means, as the matrix has too many columns for predictions
	Means bool
}

// GapColumn is a column that lacks values.
type GapColumn struct {
	Name    string
	Missing int
}

// Error returns what is missing, as a clause.
func (g *Gaps) Error() string {
	return plural(g.Values, "missing value", "missing values") + " in " +
		plural(len(g.Columns), "column", "columns")
}

// About returns what a treatment does, as a clause for a person who chooses.
func (g *Gaps) About(m Missing) string {
	switch m {
	case MissingKeep:
		if g.Means {
			return "keep all rows: what is missing is filled in by the mean of its column"
		}
		return "keep all rows: what is missing is predicted from the other columns"
	case MissingDrop:
		return "leave out " + plural(g.Lacking, "row", "rows") + ", so that " +
			itoa(g.Rows-g.Lacking) + " stay"
	case MissingMedian:
		return "fill in the median of the column, or its most frequent word"
	case MissingMean:
		return "fill in the mean of the column, or its most frequent word"
	}
	return "refuse the data"
}

// Gaps returns the missing values of the features; nil when there are none.
func (t *Table) Gaps() *Gaps {
	var columns []int
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Role == Feature && c.Missing > 0 {
			columns = append(columns, i)
		}
	}
	if columns == nil {
		return nil
	}
	return t.gaps(columns)
}

func (t *Table) gaps(columns []int) *Gaps {
	g := &Gaps{Rows: t.Rows, Means: t.MatrixCols() > imputeCols,
		Choices: []Missing{MissingKeep, MissingDrop, MissingMedian, MissingMean}}
	for _, i := range columns {
		c := &t.Columns[i]
		g.Columns = append(g.Columns, GapColumn{c.Name, c.Missing})
		g.Values += c.Missing
	}
	for row := range t.Rows {
		for _, i := range columns {
			if math.IsNaN(t.values.At(row, t.Columns[i].store.slot)) {
				g.Lacking++
				break
			}
		}
	}
	if g.Lacking == g.Rows {
		g.Choices = slices.DeleteFunc(g.Choices, func(m Missing) bool { return m == MissingDrop })
	}
	return g
}

// refuse returns the fault of missing values in some columns, which names the first of them.
func (t *Table) refuse(columns []int) *fault.Input {
	gaps := t.gaps(columns)
	first := &fault.Input{File: t.Name, Row: math.MaxInt, Problem: "the value is missing",
		Err: gaps}
	for _, i := range columns {
		if c := &t.Columns[i]; c.FirstMissing < first.Row {
			first.Row, first.Column = c.FirstMissing, c.Name
		}
	}
	if gaps.Values > 1 {
		first.Problem = "the first of " + itoa(gaps.Values) + " missing values in " +
			plural(len(columns), "feature", "features")
	}
	if c := t.Column(first.Column); c >= 0 && t.Columns[c].Vector != "" {
		first.Column = t.Columns[c].Vector
		first.Problem = "a vector is missing, or numbers of it are"
		first.Fix = "keep all rows (--missing keep), or leave out those without a whole vector " +
			"(--missing drop)"
		return first
	}
	first.Fix = "keep all rows (--missing keep), drop such rows (--missing drop), fill them in " +
		"(--missing mean or median), or leave the column out (--drop " +
		words.Shell(first.Column) + ")"
	return first
}

// MatrixCols returns the number of columns of the matrix that [Table.Prepare] makes.
func (t *Table) MatrixCols() int {
	d := 0
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Role == Feature {
			column := t.encoded(c)
			d += column.Width()
		}
	}
	return d
}
