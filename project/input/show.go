package input

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/data/sample"
)

// How much of an object is shown.
const (
	maxText   = 20_000 // bytes
	maxPoints = 1000   // of a series
	maxFields = 60
	maxValue  = 500 // bytes
)

// view finds what a person may see of the rows: not the columns that were dropped.
func (d *Data) view() {
	t := d.Table
	if s, ok := sample.Find(t.Name); ok && s.Width > 0 && t.Rows == s.Rows &&
		len(t.Columns) == s.Features+1 {
		d.pixels = s
	}
	for i, c := range t.Columns {
		// The label would reveal the answer, and the id heads the columns already.
		// A number of a vector means nothing by itself.
		if c.Role == dataset.ID || isClass(c) || c.Vector != "" ||
			slices.Contains(d.source.Drop, c.Name) {
			continue
		}
		d.shown = append(d.shown, i)
	}
	d.by = map[string]bool{}
	switch {
	case d.Objects.Gower != nil:
		for _, c := range d.Objects.Gower.Columns {
			d.by[c.Name] = true
		}
	case d.Ready != nil && !d.opaque:
		for _, name := range d.Ready.Encoding.Sources() {
			d.by[name] = true
		}
	}
	d.vectors = map[string]int{}
	if d.Ready != nil && !d.opaque {
		for j, name := range d.Ready.Names {
			d.vectors[name] = j
		}
	}
}

// isClass reports whether a column holds the true classes, or looks like them.
func isClass(c dataset.Column) bool {
	return c.Role == dataset.Label || c.Role == dataset.Unused &&
		(partition.LabelColumn([]string{c.Name}) != "" || c.Why == dataset.LikeClasses(c.Name))
}

// Kind reports how an object is shown: image, text, series, fields, or none.
func (d *Data) Kind() string {
	switch {
	case d.pixels.Width > 0, d.album != nil:
		return "image"
	case d.Objects.Texts != nil, d.texts != nil:
		return "text"
	case d.Objects.Series != nil:
		return "series"
	case d.IsMatrix() || len(d.shown) == 0:
		return "none"
	}
	return "fields"
}

// Pixels returns the picture of a row that is one of pixels, row by row from the top left: ink in
// [0, 1], 0 for white.
func (d *Data) Pixels(row int) (ink []float64, width, height int, ok bool) {
	if d.pixels.Width == 0 {
		return nil, 0, 0, false
	}
	for _, c := range d.shown {
		v, _ := strconv.ParseFloat(d.Table.Cell(d.At(row), c), 64) // a sample has numbers
		ink = append(ink, v/float64(d.pixels.Ink))
	}
	return ink, d.pixels.Width, d.pixels.Height, true
}

// Card returns what is to be seen of a row.
func (d *Data) Card(row int) Card {
	c := Card{Row: row, ID: d.ID(row), Image: d.album != nil}
	if d.IsMatrix() {
		return c
	}
	if d.pixels.Width > 0 {
		c.Image, c.Width, c.Height = true, d.pixels.Width, d.pixels.Height
		return c
	}
	if text, ok := d.Text(row); ok {
		c.Text = cut(text, maxText, &c.Truncated)
	} else if d.Objects.Series != nil {
		c.Series = thin(d.Objects.Series[row], &c.Truncated)
	}
	for _, i := range d.shown {
		if d.Compares(i) {
			continue
		}
		if len(c.Fields) == maxFields {
			c.Truncated = true
			break
		}
		c.Fields = append(c.Fields, Field{
			Name:  cut(d.Table.Columns[i].Name, maxValue, &c.Truncated),
			Value: cut(d.Table.Cell(d.At(row), i), maxValue, &c.Truncated),
			Aside: !d.by[d.Table.Columns[i].Name],
		})
	}
	return c
}

// Columns returns the names of the columns of the table that a person may see, and a function that
// returns their values in a row; none where objects are no rows of a table, or are its pixels.
func (d *Data) Columns() (names []string, cells func(row int) []string) {
	if d.IsMatrix() || d.pixels.Width > 0 {
		return nil, func(int) []string { return nil }
	}
	for _, i := range d.shown {
		names = append(names, d.Table.Columns[i].Name)
	}
	return names, func(row int) []string {
		values := make([]string, len(d.shown))
		for k, i := range d.shown {
			values[k] = d.Table.Cell(d.At(row), i)
		}
		return values
	}
}

// Text returns the text of a row; ok is false where rows are not compared by texts.
func (d *Data) Text(row int) (text string, ok bool) {
	switch {
	case d.Objects.Texts != nil:
		return d.Objects.Texts[row], true
	case d.texts != nil:
		return d.texts[row], true
	}
	return "", false
}

// Searched returns what a row can be found by: its id, its whole text, "" where it has none, and
// the names and values of its fields. Nothing is among them that a person may not see.
func (d *Data) Searched(row int) (id, text, fields string) {
	id = d.ID(row)
	if d.IsMatrix() || d.pixels.Width > 0 {
		return id, "", ""
	}
	text, _ = d.Text(row)
	var b strings.Builder
	for _, i := range d.shown {
		if !d.Compares(i) {
			fmt.Fprintf(&b, "%s %s\n", d.Table.Columns[i].Name, d.Table.Cell(d.At(row), i))
		}
	}
	return id, text, b.String()
}

// Compares reports whether a column of the table holds the texts, series or pictures that are shown
// apart from the fields.
func (d *Data) Compares(column int) bool {
	switch d.Table.Columns[column].Name {
	case d.source.Text:
		return d.Objects.Texts != nil || d.texts != nil
	case d.source.Series:
		return d.Objects.Series != nil
	case d.source.Images:
		return d.album != nil
	case folderColumn: // the id contains it
		return d.album != nil && d.source.Images == ""
	}
	return false
}

// cut returns the first bytes of a text; no character is cut in two.
func cut(text string, most int, truncated *bool) string {
	if len(text) <= most {
		return text
	}
	*truncated = true
	for back := 0; back < utf8.UTFMax; back++ {
		if utf8.RuneStart(text[most-back]) {
			return text[:most-back]
		}
	}
	return text[:most] // it is no UTF-8
}

// thin returns the means of runs of a long series.
func thin(series []float64, truncated *bool) []float64 {
	n := len(series)
	if n <= maxPoints {
		return series
	}
	*truncated = true
	out := make([]float64, maxPoints)
	for i := range out {
		run := series[i*n/maxPoints : (i+1)*n/maxPoints]
		for _, v := range run {
			out[i] += v / float64(len(run))
		}
	}
	return out
}

// near is the share of a feature's range below which two values are close.
const near = 0.1

// apart reports how far two cells differ: in shares of the column's range for a number, 1 for
// words.
func (d *Data) apart(f Difference, column, a, b int) float64 {
	c := d.Table.Columns[column]
	if f.A == f.B {
		return 0
	}
	// Halves, as the range of numbers may be beyond them.
	share := func(a, b float64) float64 { return math.Abs(a/2-b/2) / (c.Max/2 - c.Min/2) }
	if j, ok := d.vectors[f.Name]; ok && c.Max > c.Min && f.A != "" && f.B != "" {
		e := d.Ready.Encoding
		return share(e.Original(j, d.Ready.X.At(a, j)), e.Original(j, d.Ready.X.At(b, j)))
	}
	if d.values && (c.Type == dataset.Number || c.Type == dataset.Time) &&
		d.Table.HasValues(column) && c.Max > c.Min && f.A != "" && f.B != "" {
		return share(d.Table.Value(d.At(a), column), d.Table.Value(d.At(b), column))
	}
	return 1
}

// Differences returns the fields of two rows in the order of the table, whole.
func (d *Data) Differences(a, b int) []Difference {
	out := make([]Difference, len(d.shown))
	for i, at := range d.shown {
		c := d.Table.Columns[at]
		f := Difference{Name: c.Name, A: d.Table.Cell(d.At(a), at), B: d.Table.Cell(d.At(b), at),
			Aside: !d.by[c.Name]}
		f.Apart = d.apart(f, at, a, b)
		switch {
		case f.Apart >= near:
			f.Mark = "≠"
		case f.Apart > 0:
			f.Mark = "~"
		}
		out[i] = f
	}
	return out
}

// MostApart returns at most so many of the fields, those that differ most, in the order they are
// in.
func MostApart(fields []Difference, most int) []Difference {
	if len(fields) <= most {
		return fields
	}
	order := make([]int, len(fields))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order,
		func(i, j int) int { return cmp.Compare(fields[j].Apart, fields[i].Apart) })
	order = order[:most]
	slices.Sort(order)
	out := make([]Difference, most)
	for i, at := range order {
		out[i] = fields[at]
	}
	return out
}

// Compare returns the fields of two rows for a page: without the texts or series that their cards
// have, at most 60, of more those that differ most.
func (d *Data) Compare(a, b int) []Difference {
	if d.IsMatrix() || d.pixels.Width > 0 {
		return nil
	}
	fields := d.Differences(a, b)
	kept := fields[:0]
	for i, at := range d.shown {
		if !d.Compares(at) {
			kept = append(kept, fields[i])
		}
	}
	kept = MostApart(kept, maxFields)
	var truncated bool
	for i := range kept {
		f := &kept[i]
		f.Name, f.A, f.B = cut(f.Name, maxValue, &truncated), cut(f.A, maxValue, &truncated),
			cut(f.B, maxValue, &truncated)
	}
	return kept
}
