package lines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/stream"
)

// use describes what a column of the text is for.
type use uint8

const (
	unused use = iota
	number
	boolean
	category
	asID
	asLabel
)

// column is what is done with one column of the text.
type column struct {
	name   string
	quoted []byte // name as a key of JSON, where it is mostly written so
	use    use
	Scaling
	at     int            // first column of the matrix
	fill   float64        // in place of a missing value, as the matrix has it; NaN: none
	index  int            // of a feature, in the encoding; -1 where it does not predict missing values
	levels map[string]int // of a category
	// of false and true, or by level of a category: 0 and 1, scaled, in pairs
	values  []float64
	unknown int // of a category: position in Decoder.known
}

// bind finds the use of every column. Columns of JSON lines are those that are used.
func (d *Decoder) bind() error {
	l := &d.layout
	names := l.Columns
	if l.Format == dataset.FormatJSONL {
		names = slices.Clone(l.Encoding.Sources())
		for _, extra := range []string{l.ID, l.Label} {
			if extra != "" {
				names = append(names, extra)
			}
		}
		d.seen = make([]uint32, len(names))
	}
	if len(names) == 0 {
		return fmt.Errorf("it has no columns")
	}
	d.byName = make(map[string]int, len(names))
	d.columns = make([]column, len(names))
	for i, name := range names {
		if _, twice := d.byName[name]; twice {
			return fmt.Errorf("column %q is there twice", name)
		}
		d.byName[name] = i
		d.columns[i].name = name
		d.columns[i].quoted, _ = json.Marshal(name) // text always has a form
	}
	for what, name := range map[use]string{asID: l.ID, asLabel: l.Label} {
		if name == "" {
			continue
		}
		i, ok := d.byName[name]
		if !ok || d.columns[i].use != unused {
			return fmt.Errorf("column %q cannot be the id or the label", name)
		}
		d.columns[i].use = what
	}
	if l.Encoding.Unit {
		return fmt.Errorf("rows are to be brought to length 1, which no stream does")
	}
	if l.Encoding.Imputation != nil {
		d.raw = make([]float64, l.Encoding.Cols())
	}
	at := 0
	for k := range l.Encoding.Columns {
		e := &l.Encoding.Columns[k]
		i, ok := d.byName[e.Source]
		if !ok || d.columns[i].use != unused {
			return fmt.Errorf("column %q cannot be a feature", e.Source)
		}
		if e.Type == dataset.Time {
			return fmt.Errorf("column %q holds dates or times, which no stream compares", e.Source)
		}
		if e.Weight != 0 || e.Others {
			return fmt.Errorf("column %q is weighed, or has a level for other values, which no "+
				"stream does", e.Source)
		}
		c := &d.columns[i]
		c.encode(e, at)
		if c.index = k; l.Encoding.Imputation == nil {
			c.index = -1
		}
		at++
		if c.use == category {
			at += len(e.Levels) - 1
			c.unknown = len(d.known)
			d.known = append(d.known, unknown{column: e.Source})
		}
	}
	return nil
}

// encode takes over a column of an encoding.
func (c *column) encode(e *dataset.EncodedColumn, at int) {
	c.at, c.fill = at, math.NaN()
	scale := func(j int, v float64) float64 {
		s := ScalingOf(e, j)
		return s.Apply(v)
	}
	switch e.Type {
	case dataset.Number:
		c.use = number
		c.Scaling = ScalingOf(e, 0)
		if e.Fill != nil {
			c.fill = scale(0, *e.Fill)
		}
	case dataset.Boolean:
		c.use = boolean
		c.values = []float64{scale(0, 0), scale(0, 1)}
		if e.Fill != nil {
			c.fill = scale(0, *e.Fill)
		}
	case dataset.Category:
		c.use = category
		c.levels = make(map[string]int, len(e.Levels))
		for j, level := range e.Levels {
			if _, twice := c.levels[level]; !twice {
				c.levels[level] = j
			}
			c.values = append(c.values, scale(j, 0), scale(j, 1))
		}
		if e.Fill != nil {
			c.fill = *e.Fill // a level
		}
	}
}

// set puts a value, without quotes and blanks around, into the row and b. It returns what is wrong
// with it.
func (d *Decoder) set(c *column, value []byte, row []float64, b *stream.Block) *fault.Input {
	switch c.use {
	case unused:
		return nil
	case asID:
		if len(value) == 0 {
			return fault.Inputf("give each row an id of its own", "has no id")
		}
		b.IDText = append(b.IDText, value...)
		return nil
	case asLabel:
		b.Class = append(b.Class, d.class(value))
		return nil
	}
	if missing(value) {
		return d.miss(c, row)
	}
	switch c.use {
	case boolean:
		v, ok := parseBool(value)
		if !ok {
			return fault.Inputf("write true or false, or leave it empty if it is missing",
				"%s is neither true nor false", quote(value))
		}
		row[c.at] = c.values[v]
		d.keep(c.at, float64(v))
	case category:
		level, ok := c.levels[string(value)]
		if !ok {
			level = -1
			s := unknownValue{column: c.unknown}
			if d.known[c.unknown].count == 0 {
				s.value = quote(value)
			}
			d.unknownValues = append(d.unknownValues, s)
		}
		c.spread(level, row)
		if d.raw != nil {
			clear(d.raw[c.at : c.at+len(c.values)/2])
			if level >= 0 {
				d.raw[c.at+level] = 1
			}
		}
	default:
		if d.comma {
			if bytes.IndexByte(value, '.') >= 0 {
				return fault.Inputf("write it as the first rows are, without marks between thousands",
					"%s has a point in a number with a decimal comma", quote(value))
			}
			value = bytes.Replace(value, []byte(","), []byte("."), 1)
		}
		d.scratch = append(append(d.scratch[:0], value...), 0)
		v, next, ok := dataset.ScanNumber(d.scratch, 0)
		if !ok || next != len(value) || math.IsInf(v, 0) {
			return notNumber(value)
		}
		if row[c.at] = c.Apply(v); !(math.Abs(row[c.at]) <= competitive.MostValue) {
			return tooFar(c, value)
		}
		d.keep(c.at, v)
	}
	return nil
}

// keep keeps a value before it is scaled, where others may be predicted from it.
func (d *Decoder) keep(at int, v float64) {
	if d.raw != nil {
		d.raw[at] = v
	}
}

// tooFar reports a number that is too large to be learnt.
func tooFar(c *column, value []byte) *fault.Input {
	if c.scaled {
		return fault.Inputf("fix the value, or give --scale none",
			"%s is too far from the first rows to be scaled", quote(value))
	}
	return fault.Inputf("fix the value, leave it empty if it is missing, or scale the column",
		"%s is beyond ±%g, too great to be learnt", quote(value), competitive.MostValue)
}

// Scaling is how a number is prepared. The zero value leaves it as it is.
type Scaling struct {
	scaled         bool
	shift, divisor float64
}

// ScalingOf returns the scaling of column j of those that an encoded column becomes.
func ScalingOf(e *dataset.EncodedColumn, j int) Scaling {
	if len(e.Shift) == 0 {
		return Scaling{}
	}
	return Scaling{scaled: true, shift: e.Shift[j], divisor: e.Divisor[j]}
}

// Apply prepares a number; one of a constant column becomes 0.
func (s *Scaling) Apply(v float64) float64 {
	switch {
	case !s.scaled:
		return v
	case s.divisor == 0:
		return 0
	}
	return (v - s.shift) / s.divisor
}

// spread writes the zeros and the one of a level; -1 is none.
func (c *column) spread(level int, row []float64) {
	for j := range len(c.values) / 2 {
		row[c.at+j] = c.values[2*j]
	}
	if level >= 0 {
		row[c.at+level] = c.values[2*level+1]
	}
}

// Missing is the problem with a row that lacks the value of a column.
func Missing(column string) *fault.Input {
	return &fault.Input{Column: column, Problem: "the value is missing", Err: stream.ErrMissing,
		Fix: "keep such rows (--missing keep), pass over them (--missing drop), fill such " +
			"values in (--missing mean or median), or leave the column out (--drop " +
			words.Shell(column) + ")"}
}

// miss fills in a missing value.
func (d *Decoder) miss(c *column, row []float64) *fault.Input {
	switch {
	case c.index >= 0: // once the row is whole
		d.lacking = append(d.lacking, c.index)
	case math.IsNaN(c.fill):
		return Missing(c.name)
	case c.use == category:
		c.spread(int(c.fill), row)
	default:
		row[c.at] = c.fill
	}
	return nil
}

// missing reports whether a value, without blanks around, marks a missing one.
func missing(s []byte) bool {
	switch len(s) {
	case 0:
		return true
	case 1:
		return s[0] == '?'
	case 2, 3, 4:
		return s[0]|0x20 == 'n' && dataset.IsMissing(string(s))
	}
	return false
}

// parseBool reads true, yes, t, false, no and f, in any case.
func parseBool(s []byte) (value int, ok bool) {
	for i, words := range [2][3]string{{"false", "no", "f"}, {"true", "yes", "t"}} {
		for _, w := range words {
			if bytes.EqualFold(s, []byte(w)) {
				return i, true
			}
		}
	}
	return 0, false
}

// notNumber explains why a value is no number that can be used.
func notNumber(s []byte) *fault.Input {
	if v, err := strconv.ParseFloat(string(s), 64); math.IsInf(v, 0) &&
		(err == nil || isDecimal(s)) {
		return fault.Inputf("give a finite number, or leave the field empty for a missing value",
			"%s is infinite or too large for a 64-bit number", quote(s))
	}
	return &fault.Input{Problem: quote(s) + " is not a number",
		Fix: "fix the value, leave it empty if it is missing, or leave the column out (--drop)"}
}

// isDecimal reports whether s is a decimal number.
func isDecimal(s []byte) bool {
	var local [40]byte
	_, next, ok := dataset.ScanNumber(append(append(local[:0], s...), 0), 0)
	return ok && next == len(s)
}
