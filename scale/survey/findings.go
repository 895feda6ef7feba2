package survey

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/scale/fold"
)

// findings are what a split, or several that follow one another, came to.
type findings struct {
	rows    []int64 // by split
	whole   int64   // rows without a missing value
	classes classes
	columns []columnFound
}

// columnFound is what was found in a column.
type columnFound struct {
	Present    moments // of all values present
	Whole      moments // of those in rows without a missing value
	Missing    bool    // there are missing values, the first
	Split, Row int64   // in this split and row
}

// merge takes the findings of later splits into f.
func (f *findings) merge(o *findings) error {
	f.rows = append(f.rows, o.rows...)
	f.whole += o.whole
	if o.classes.many {
		f.classes.forget()
	}
	for name := range o.classes.seen {
		f.classes.add(name)
	}
	if f.columns == nil {
		f.columns = o.columns
		return nil
	}
	if len(f.columns) != len(o.columns) {
		return errors.New("the findings of a survey are of other columns than others")
	}
	for j := range o.columns {
		a, b := &f.columns[j], &o.columns[j]
		a.Present.merge(b.Present)
		a.Whole.merge(b.Whole)
		if !a.Missing {
			a.Missing, a.Split, a.Row = b.Missing, b.Split, b.Row
		}
	}
	return nil
}

// classes are the different names seen. Beyond MaxClasses they are forgotten: which came first
// depends on who counts.
type classes struct {
	seen map[string]struct{}
	many bool
}

func (c *classes) add(name string) {
	if _, known := c.seen[name]; known || name == "" || c.many {
		return
	}
	if c.seen == nil {
		c.seen = map[string]struct{}{}
	}
	c.seen[name] = struct{}{}
	if len(c.seen) > MaxClasses {
		c.forget()
	}
}

func (c *classes) forget() { *c = classes{many: true} }

// names returns the names, sorted as texts.
func (c *classes) names() []string {
	names := slices.AppendSeq(make([]string, 0, len(c.seen)), maps.Keys(c.seen))
	slices.Sort(names)
	return names
}

// sorted returns the names, as numbers when all of them are: the order in which dataset has them.
func (c *classes) sorted() []string {
	names := c.names()
	values := make(map[string]float64, len(names))
	for _, name := range names {
		v, next, ok := dataset.ScanNumber(append([]byte(name), 0), 0)
		if !ok || next != len(name) {
			return names
		}
		values[name] = v
	}
	slices.SortStableFunc(names,
		func(a, b string) int { return cmp.Compare(values[a], values[b]) })
	return names
}

// sent is what findings are sent as.
type sent struct {
	Rows    []int64
	Whole   int64
	Many    bool
	Classes []string
	Columns []byte // as numbers, of which every bit counts
}

// encode returns the findings as bytes, the same for the same findings.
func (f *findings) encode() ([]byte, error) {
	return fold.Encode(sent{f.rows, f.whole, f.classes.many, f.classes.names(),
		fold.AppendNumbers(nil, f.columns)})
}

func decodeFindings(data []byte) (*findings, error) {
	s, err := fold.Decode[sent](data)
	if err != nil {
		return nil, fmt.Errorf("the findings of a survey are damaged: %w", err)
	}
	f := &findings{rows: s.Rows, whole: s.Whole, classes: classes{many: s.Many}}
	for _, name := range s.Classes {
		f.classes.add(name)
	}
	f.columns = make([]columnFound, len(s.Columns)/binary.Size(columnFound{}))
	return f, fold.Numbers(s.Columns, f.columns)
}
