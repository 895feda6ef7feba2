package method

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
)

// Objects are what dissimilarities are computed from, and how. The zero value stands for objects
// that are known by their dissimilarities alone, as in a matrix.
type Objects struct {
	Comparison                    // Metric is "" only in the zero value
	Rows       dataset.Matrix     // vectors, or rows as Gower encodes them
	Gower      *dissim.GowerSpace // of mixed tables
	Texts      []string
	Series     [][]float64 // also cyclic strings of angles
}

// Comparison is how the rows of a table are compared.
type Comparison struct {
	Metric   dissim.Metric
	Column   string  // of texts for Levenshtein, of series for DTW and CyclicEdit; else not used
	Band     int     // of DTW, as in dissim.Series
	EditCost float64 // of CyclicEdit, as in dissim.Cycles

	// Weights of columns by name, for Gower; others weigh 1. nil: all do
	Weights map[string]float64

	// Missing is what becomes of rows that lack a value: MissingDrop leaves them out;
	// MissingRefuse, the default, refuses them, but for Gower, which compares such rows by the
	// columns that both have. Nothing is filled in.
	Missing dataset.Missing
}

// ObjectsOf takes the objects out of a table: texts, series, or rows under Gower's dissimilarity;
// and which rows they are (nil: all). space is that of fitted rows; nil: that of the table. Texts
// and series must have been kept when the table was read.
func ObjectsOf(t *dataset.Table, c Comparison, space *dissim.GowerSpace) (o Objects, rows []int32,
	err error) {
	o = Objects{Comparison: c}
	if c.Metric == dissim.Gower {
		if o.Gower = space; space == nil {
			if o.Gower, err = dissim.NewGowerSpace(t, nil, c.Weights); err != nil {
				return o, nil, err
			}
		}
		if o.Rows, err = o.Gower.Encode(t); err != nil {
			return o, nil, err
		}
		if rows, err = whole(t, o.Rows, c.Missing); rows == nil || err != nil {
			return o, nil, err
		}
		if space == nil { // ranges are those of the rows that stay
			if o.Gower, err = dissim.NewGowerSpace(t, rows, c.Weights); err != nil {
				return o, nil, err
			}
			if o.Rows, err = o.Gower.Encode(t); err != nil {
				return o, nil, err
			}
		}
		return o.Subset(rows), rows, nil
	}
	col := t.Column(c.Column)
	if col < 0 {
		return o, nil, &fault.Input{File: t.Name, Column: c.Column,
			Problem: "there is no such column",
			Fix:     t.Suggest(c.Column)}
	}
	all := true
	for i := range t.Rows {
		cell := t.Cell(i, col)
		if dataset.IsMissing(cell) {
			if c.Missing != dataset.MissingDrop {
				return o, nil, &fault.Input{File: t.Name, Row: i + 1, Column: c.Column,
					Problem: "the value is missing",
					Fix:     "fill it in, or leave out such rows with --missing drop"}
			}
			all = false
			continue
		}
		rows = append(rows, int32(i))
		if c.Metric == dissim.Levenshtein {
			o.Texts = append(o.Texts, cell)
			continue
		}
		series, err := parseSeries(cell)
		if err != nil {
			return o, nil, &fault.Input{File: t.Name, Row: i + 1, Column: c.Column,
				Problem: err.Error(), Fix: "give a list of numbers, as in [1, 2.5, 3] or 1 2.5 3"}
		}
		o.Series = append(o.Series, series)
	}
	if len(rows) == 0 {
		return o, nil, &fault.Input{File: t.Name, Column: c.Column,
			Problem: "every value is missing", Fix: "name another column"}
	}
	if all {
		rows = nil
	}
	return o, rows, nil
}

// whole returns the encoded rows that lack no value, where others are to be left out; nil: all.
func whole(t *dataset.Table, x dataset.Matrix, how dataset.Missing) ([]int32, error) {
	if how != dataset.MissingDrop {
		return nil, nil
	}
	rows := make([]int32, 0, x.Rows)
	for i := range x.Rows {
		if !slices.ContainsFunc(x.F64[i*x.Cols:(i+1)*x.Cols], math.IsNaN) {
			rows = append(rows, int32(i))
		}
	}
	switch len(rows) {
	case 0:
		return nil, &fault.Input{File: t.Name,
			Problem: "every row has a missing value, so dropping such rows leaves none",
			Fix: "leave out the columns that lack most (--drop), or leave out --missing " +
				"drop: gower compares two rows by the columns that both have"}
	case x.Rows:
		return nil, nil
	}
	return rows, nil
}

// parseSeries reads a list of numbers: JSON, or separated by blanks, commas or semicolons.
func parseSeries(text string) ([]float64, error) {
	inner := strings.TrimSpace(text)
	if strings.HasPrefix(inner, "[") && strings.HasSuffix(inner, "]") {
		inner = inner[1 : len(inner)-1]
	}
	fields := strings.FieldsFunc(inner,
		func(r rune) bool { return strings.ContainsRune(" \t\r\n,;", r) })
	if len(fields) == 0 {
		return nil, fmt.Errorf("there is no series")
	}
	out := make([]float64, len(fields))
	for i, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%.40q is no number of a series", f)
		}
		out[i] = v
	}
	return out, nil
}

// None reports whether there is nothing to compute dissimilarities from.
func (o *Objects) None() bool { return o.Metric == "" }

// Len returns the number of objects.
func (o *Objects) Len() int { return max(o.Rows.Rows, len(o.Texts), len(o.Series)) }

// Source returns the dissimilarities among the objects.
func (o *Objects) Source() (dissim.Source, error) {
	switch o.Metric {
	case dissim.Gower:
		return o.Gower.Among(o.Rows)
	case dissim.Levenshtein:
		return dissim.Texts(o.Texts), nil
	case dissim.DTW:
		return dissim.Series(o.Series, o.Band)
	case dissim.CyclicEdit:
		return dissim.Cycles(o.Series, o.EditCost)
	}
	return dissim.Vectors(o.Rows, o.Metric)
}

// From returns the dissimilarities from each new object to each of o.
func (o *Objects) From(new Objects) (dissim.Rows, error) {
	switch o.Metric {
	case dissim.Gower:
		return o.Gower.Cross(new.Rows, o.Rows)
	case dissim.Levenshtein:
		return dissim.TextsTo(new.Texts, o.Texts), nil
	case dissim.DTW:
		return dissim.SeriesTo(new.Series, o.Series, o.Band)
	case dissim.CyclicEdit:
		return dissim.CyclesTo(new.Series, o.Series, o.EditCost)
	}
	return dissim.Cross(new.Rows, o.Rows, o.Metric)
}

// Subset copies the given objects, in the order given.
func (o *Objects) Subset(rows []int32) Objects {
	out := *o
	out.Texts, out.Series = nil, nil
	if o.Rows.Rows > 0 {
		at := make([]int, len(rows))
		for i, r := range rows {
			at[i] = int(r)
		}
		out.Rows = o.Rows.Subset(at)
	}
	for _, r := range rows {
		if o.Texts != nil {
			out.Texts = append(out.Texts, o.Texts[r])
		}
		if o.Series != nil {
			out.Series = append(out.Series, o.Series[r])
		}
	}
	return out
}

// objectsFile is Objects as JSON.
type objectsFile struct {
	Metric   dissim.Metric      `json:"metric,omitempty"`
	Single   bool               `json:"single,omitempty"` // rows are float32
	Rows     [][]*float64       `json:"rows,omitempty"`   // null is missing
	Gower    *dissim.GowerSpace `json:"gower,omitempty"`
	Texts    []string           `json:"texts,omitempty"`
	Series   [][]float64        `json:"series,omitempty"`
	Column   string             `json:"column,omitempty"`
	Band     int                `json:"band,omitempty"`
	EditCost float64            `json:"edit_cost,omitempty"`
	Drop     bool               `json:"drop_missing,omitempty"`
}

// MarshalJSON writes the objects; a row's missing values, which Gower takes, become null.
func (o Objects) MarshalJSON() ([]byte, error) {
	f := objectsFile{Metric: o.Metric, Single: o.Rows.Single(), Gower: o.Gower, Texts: o.Texts,
		Series: o.Series, Column: o.Column, Band: o.Band, EditCost: o.EditCost,
		Drop: o.Missing == dataset.MissingDrop}
	for i := range o.Rows.Rows {
		row := make([]*float64, o.Rows.Cols)
		for j, v := range o.Rows.AppendRow(nil, i) {
			if !math.IsNaN(v) {
				row[j] = &v
			}
		}
		f.Rows = append(f.Rows, row)
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads what MarshalJSON wrote; [Objects.check] reports whether it can be used.
func (o *Objects) UnmarshalJSON(text []byte) error {
	var f objectsFile
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	*o = Objects{Gower: f.Gower, Texts: f.Texts, Series: f.Series, Comparison: Comparison{
		Metric: f.Metric, Column: f.Column, Band: f.Band, EditCost: f.EditCost}}
	if f.Drop {
		o.Missing = dataset.MissingDrop
	}
	if len(f.Rows) == 0 {
		return nil
	}
	o.Rows.Rows, o.Rows.Cols = len(f.Rows), len(f.Rows[0])
	for _, row := range f.Rows {
		if len(row) != o.Rows.Cols {
			return fmt.Errorf("a landmark of the model has %d values of %d", len(row), o.Rows.Cols)
		}
		for _, v := range row {
			value := math.NaN()
			if v != nil {
				value = *v
			}
			if f.Single {
				o.Rows.F32 = append(o.Rows.F32, float32(value))
			} else {
				o.Rows.F64 = append(o.Rows.F64, value)
			}
		}
	}
	return nil
}

// check reports whether n objects read from a file hang together.
func (o *Objects) check(n int) error {
	if o.None() {
		return nil
	}
	if _, err := dissim.ParseMetric(string(o.Metric)); err != nil {
		return err
	}
	if o.Len() != n {
		return fmt.Errorf("the model places by %d objects, and has %d", n, o.Len())
	}
	if o.Metric == dissim.Gower && o.Gower == nil {
		return fmt.Errorf("the model does not say how its objects are compared")
	}
	_, err := o.Source()
	return err
}

// place returns the rows of a table as the objects are compared, and which rows they are (nil:
// all).
func (o *Objects) place(ctx context.Context, t *dataset.Table, e dataset.Encoding) (new Objects,
	rows []int32, err error) {
	if !o.Metric.OfVectors() {
		return ObjectsOf(t, o.Comparison, o.Gower)
	}
	new.Metric = o.Metric
	new.Rows, rows, err = e.Apply(ctx, t)
	return new, rows, err
}
