package dataset

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// Preparation reports how a table becomes a matrix. The zero value scales to [0, 1], keeps
// duplicates and refuses missing values.
type Preparation struct {
	Scale      Scale      // zero: ScaleMinMax
	Missing    Missing    // zero: MissingRefuse, a fault with [Gaps], as of the command
	Duplicates Duplicates // zero: DuplicatesKeep
	Uncounted  bool       // duplicates that are kept are not counted either

	// Weights of columns that are features, above 0, multiply their columns of the matrix once they
	// are scaled: those of a category, a date or of vectors alike. nil: all are 1
	Weights map[string]float64

	// Unit brings each row to length 1 once its columns are scaled and weighed, so that squared
	// Euclidean distances are 2 − 2 cos. Rows of zeros are then a [*fault.Input].
	Unit bool

	// Plain scales the columns of a category one by one, as the first edition did. Zero: they share a
	// divisor. With ScaleZScore their variances add up to 1, as that of a number is; with ScaleMinMax
	// to 1/12, as that of a number that is spread evenly over [0, 1], unless two values of it would
	// then be more than 1 apart, which is as far as two numbers can be.
	Plain bool

	// Earlier scales the columns of a category one by one with ScaleMinMax alone, as before they
	// shared a divisor there
	Earlier bool

	// Consume lets the table's own numbers become the matrix where they can, which halves the
	// memory; Cell then shows nothing for features, and the table cannot be prepared again. Zero:
	// the table stays whole.
	Consume bool

	// ID names a row of the table in errors. nil: [Table.ID].
	ID func(row int) string

	Threads int // goroutines; 0: one per processor. Results never depend on it
}

// Prepared is a table as a matrix.
type Prepared struct {
	X     Matrix   // n×d; read-only where the table was not consumed, as it may be the table's own
	Names []string // of the d columns; a category becomes "colour=red", "colour=green", …
	Rows  []int32  // the table's row of each row of X, ascending; nil when X has all of them

	// rows equal to an earlier one in all features, whether kept or not; 0 where they are not counted
	Duplicates int
	Dropped    int      // rows left out for missing values
	Notes      []string // what was done, a sentence each
	Filled     string   // the one of them on missing values that were filled in; "" where none were
	Encoding   Encoding // does the same to another table
}

var errConsumed = errors.New("dataset: the table's values were consumed by an earlier preparation")

// Prepare makes the matrix of the table's features: missing values are treated first, then
// categories become 0/1 columns and dates what [Dates] says, duplicates are found, and the columns
// are scaled (of dates see [EncodedTime]). It fails with a [*fault.Input] when there are no
// features, or missing values that are to be refused.
func (t *Table) Prepare(ctx context.Context, p Preparation) (*Prepared, error) {
	if t.consumed {
		return nil, errConsumed
	}
	weights, err := t.weights(p.Weights)
	if err != nil {
		return nil, err
	}
	e := Encoding{Missing: p.Missing, Scale: p.Scale, Unit: p.Unit, Single: t.values.Single()}
	for i := range t.Columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if c := &t.Columns[i]; c.Role == Feature {
			fill, err := t.fill(c, p.Missing)
			if err != nil {
				return nil, err
			}
			column := t.encoded(c)
			column.Fill = fill
			column.Weight = weights[i]
			e.Columns = append(e.Columns, column)
		}
	}
	if len(e.Columns) == 0 {
		return nil, &fault.Input{File: t.Name, Problem: "no column can be a feature",
			Fix: "name some with --features"}
	}
	maps, err := e.bind(t)
	if err != nil {
		return nil, err
	}
	if p.Missing == MissingKeep {
		if e.Imputation, err = e.learn(ctx, t, maps, p.Threads); err != nil {
			return nil, err
		}
		for i := range maps {
			maps[i].keep = true
			if c := &e.Columns[i]; c.Type == Number || c.Type == Boolean {
				c.Fill = &e.Imputation.Center[maps[i].at]
			}
		}
	}
	out := &Prepared{Names: e.Names()}
	if out.Rows, err = e.rowsWithValues(ctx, t, maps); err != nil {
		return nil, err
	}
	owned, err := t.encode(ctx, e, maps, p, out)
	if err != nil {
		return nil, err
	}
	if err := out.dropDuplicates(ctx, p, owned); err != nil {
		return nil, err
	}
	if err := e.fitScale(ctx, t.Name, out.X, p); err != nil {
		return nil, err
	}
	if err := e.scaleWhole(ctx, t, out.X, p.Threads); err != nil {
		return nil, err
	}
	if err := e.scaleColumns(ctx, out.X, p.Threads); err != nil {
		return nil, err
	}
	if p.Unit {
		if err := unitRows(ctx, t.Name, out.X, t.namer(out.Rows, p.ID), p.Threads); err != nil {
			return nil, err
		}
	}
	out.Encoding = e
	out.note(t, maps, p)
	return out, nil
}

// encoded returns what becomes of a column, before missing values and scaling.
func (t *Table) encoded(c *Column) EncodedColumn {
	column := EncodedColumn{Source: c.Name, Type: c.Type, Others: c.store.others}
	if c.Type == Category {
		column.Levels = slices.Clone(c.store.levels)
	}
	if c.Type == Time {
		column.Time = t.encodeTime(c)
	}
	return column
}

// encode fills out.X. owned is false when X is the table's own matrix, which must not be written.
func (t *Table) encode(ctx context.Context, e Encoding, maps []columnMap, p Preparation,
	out *Prepared) (owned bool, err error) {
	n := t.Rows
	if out.Rows != nil {
		n = len(out.Rows)
		out.Dropped = t.Rows - n
	}
	same := out.Rows == nil && len(maps) == t.values.Cols // nothing to leave out, fill in or spread
	spread := false
	for i := range maps {
		spread = spread || maps[i].category || maps[i].time != nil
		same = same && !(t.Columns[maps[i].column].Missing > 0)
	}
	same = same && !spread
	_, weighed := e.weights()
	switch {
	case same && (p.Consume || p.Scale == ScaleNone && !weighed && !p.Unit):
		out.X, owned = t.values, p.Consume
	case p.Consume && !spread:
		// Rows and columns only move towards the front, so one thread can do it in place.
		x := Matrix{Rows: n, Cols: len(maps), F64: t.values.F64, F32: t.values.F32}
		if err := encodeRows(ctx, t, maps, e.Imputation, out.Rows, x, 1); err != nil {
			t.consumed = true
			return false, err
		}
		out.X, owned = x.head(n), true
	default:
		if out.X, err = allocate(t.Name, n, e.Cols(), e.Single); err != nil {
			return false, err
		}
		owned = true
		if err := encodeRows(ctx, t, maps, e.Imputation, out.Rows, out.X,
			p.Threads); err != nil {
			return false, err
		}
	}
	if p.Consume {
		t.consumed, t.values = true, Matrix{}
	}
	return owned, nil
}

// head returns the first n rows, sharing their values.
func (m Matrix) head(n int) Matrix { return m.slice(0, n) }

// slice returns the rows from lo up to hi, sharing their values.
func (m Matrix) slice(lo, hi int) Matrix {
	m.Rows = hi - lo
	lo, hi = lo*m.Cols, hi*m.Cols
	if m.F32 != nil {
		m.F32 = m.F32[lo:hi:hi]
	} else {
		m.F64 = m.F64[lo:hi:hi]
	}
	return m
}

// fill returns what replaces the missing values of a column, nil for nothing.
func (t *Table) fill(c *Column, how Missing) (*float64, error) {
	if how != MissingMean && how != MissingMedian {
		return nil, nil
	}
	if c.Missing == t.Rows {
		in := &fault.Input{File: t.Name, Column: c.Name,
			Problem: "has no values, so there is nothing to fill it in with",
			Fix:     "leave it out (--drop)"}
		if c.store.uncomputed {
			in.Problem = "has formulas without stored results, so there is nothing to fill it in " +
				"with"
			in.Fix = toCompute + ", or leave it out (--drop)"
		}
		return nil, in
	}
	var v float64
	switch {
	case c.Type != Number && c.Type != Time:
		counts := make([]int, max(2, len(c.store.levels)))
		for row := range t.Rows {
			if v := t.values.At(row, c.store.slot); v == v {
				counts[int(v)]++
			}
		}
		v = float64(slices.Index(counts, slices.Max(counts)))
	case how == MissingMean:
		v = c.Mean
	default:
		v = t.median(c)
	}
	return &v, nil
}

// median returns the middle one of the values present, or the mean of the two in the middle.
func (t *Table) median(c *Column) float64 {
	values := make([]float64, 0, t.Rows-c.Missing)
	for row := range t.Rows {
		if v := t.values.At(row, c.store.slot); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	n := len(values)
	if n%2 == 1 {
		return values[n/2]
	}
	return values[n/2-1]/2 + values[n/2]/2
}

// note describes what was done to the table.
func (out *Prepared) note(t *Table, maps []columnMap, p Preparation) {
	note := func(s string) { out.Notes = append(out.Notes, s) }
	filled, columns := 0, 0
	for i := range maps {
		if c := &t.Columns[maps[i].column]; c.Missing > 0 && maps[i].fills() {
			filled += c.Missing
			columns++
		}
	}
	switch {
	case filled == 0:
	case p.Missing == MissingKeep && out.Encoding.Imputation.Weights == nil:
		out.Filled = "all rows were kept: " + plural(filled, "missing value was",
			"missing values were") + " filled in by the mean of the column (" + plural(columns,
			"column", "columns") + ")"
	case p.Missing == MissingKeep:
		out.Filled = "all rows were kept: " + plural(filled, "missing value was",
			"missing values were") + " predicted from the other columns (" + plural(columns,
			"column", "columns") + ")"
	default:
		out.Filled = plural(filled, "missing value was", "missing values were") +
			" filled in by the " + p.Missing.String() +
			" of the column, or the most frequent value (" + plural(columns, "column",
			"columns") + ")"
	}
	if out.Filled != "" {
		note(out.Filled)
	}
	for i := range out.Encoding.Columns {
		if c := &out.Encoding.Columns[i]; c.Type == Category {
			note("category " + c.Source + " became " + plural(len(c.Levels), "column",
				"columns") + " of zeros and ones before scaling")
		}
	}
	for i := range out.Encoding.Columns {
		if c := &out.Encoding.Columns[i]; c.Time != nil {
			note(c.Time.describe(c.Source))
		}
	}
	if out.Dropped > 0 {
		note(DroppedNote(out.Dropped))
	}
	if out.Duplicates > 0 {
		what := "kept"
		if p.Duplicates == DuplicatesDrop {
			what = "left out"
		}
		note(plural(out.Duplicates, "row equals",
			"rows equal") + " an earlier one in all features: " + what)
	}
	constant := []string{}
	for i := range out.Encoding.Columns {
		if c := &out.Encoding.Columns[i]; c.Type != Category && len(c.Divisor) == 1 &&
			c.Divisor[0] == 0 {
			constant = append(constant, c.Source)
		}
	}
	if len(constant) > 0 {
		note("constant, so 0 after scaling: " + words.UpTo(constant, 8))
	}
	if p.Uncounted {
		return
	}
	if name, share := out.heaviest(t, maps); name != "" && p.Weights[name] == 0 {
		fix := ": --scale zscore has columns weigh alike, and --drop leaves it out"
		switch {
		case p.Scale == ScaleZScore:
			fix = ""
		case p.Plain:
			fix = ": --drop leaves it out"
		}
		note("column " + name + " decides most of the distances, as it has " +
			itoa(int(100*share)) + " % of the variance" + fix)
	}
}

// DroppedNote notes how many rows were left out since they lack values.
func DroppedNote(rows int) string {
	return plural(rows, "row", "rows") + " with missing values left out"
}

// How a column that decides most of the distances is found: by so many rows, of tables of so many
// rows at least, where it has more than a share of the variance of all columns.
const (
	heavyRows  = 10_000
	heavyLeast = 20
	heavy      = 0.5
	heavyOfTwo = 0.9 // one of two columns always has half
)

// heaviest returns the column of the table that has most of the variance of the matrix, and its
// share; "" where none has more than half. The mean squared distance of two rows is twice the sum of
// the variances.
func (out *Prepared) heaviest(t *Table, maps []columnMap) (name string, share float64) {
	if out.X.Rows < heavyLeast {
		return "", 0
	}
	step := max(1, out.X.Rows/heavyRows)
	sums := make(map[string]float64)
	whole, n := 0.0, float64((out.X.Rows+step-1)/step)
	for k := range maps {
		column := &t.Columns[maps[k].column]
		of := cmp.Or(column.Vector, column.Name)
		for j := maps[k].at; j < maps[k].at+out.Encoding.Columns[k].Width(); j++ {
			mean, squares := 0.0, 0.0
			for i := 0; i < out.X.Rows; i += step {
				mean += out.X.At(i, j) / n
			}
			for i := 0; i < out.X.Rows; i += step {
				d := out.X.At(i, j) - mean
				squares += float64(d*d) / n
			}
			sums[of] += squares
			whole += squares
		}
	}
	least := heavy
	switch {
	case len(sums) < 2:
		return "", 0
	case len(sums) == 2:
		least = heavyOfTwo
	}
	for of, sum := range sums {
		if sum/whole > least { // at most one has
			name, share = of, sum/whole
		}
	}
	return name, share
}
