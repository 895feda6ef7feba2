package dataset

import (
	"context"
	"math"
)

// fewestCounted is how many rows at least show that a column is a constant, counts them, or copies
// the classes.
const fewestCounted = 20

// leaveOut takes from the features those that compare nothing, or would give the answer away:
// constants, numbers that count the rows, and copies of the classes.
func (t *Table) leaveOut(ctx context.Context, o ReadOptions) error {
	if t.Rows < fewestCounted {
		return nil
	}
	codes, names, _ := t.Labels()
	out := make(map[int]string) // and why
	// Of vectors a coordinate that never changes counts for lengths and angles.
	vectors := !o.Earlier && t.Embedding()
	kept := 0
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Role != Feature || c.Vector != "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		_, typed := o.Types[c.Name]
		why := ""
		switch {
		case t.isConstant(c) && !vectors:
			why = "has the same value in all rows"
		case typed, vectors && t.isConstant(c):
		case t.countsRows(c):
			why = "counts the rows"
		case len(names) > 1 && t.copies(c, codes, len(names)):
			why = "is a copy of the classes in " + o.Label
		}
		if why == "" {
			kept++
			continue
		}
		out[i] = why
	}
	if kept == 0 {
		return nil // the person had better see what is compared
	}
	for i, why := range out {
		t.Columns[i].Role, t.Columns[i].Why = Unused, why
	}
	return nil
}

// isConstant reports whether a feature has one value in all rows.
func (t *Table) isConstant(c *Column) bool {
	if c.Missing > 0 {
		return false
	}
	if c.Type == Category {
		return len(c.store.levels) == 1
	}
	return c.Min == c.Max
}

// countsRows reports whether a feature counts the rows, from 0 or 1.
func (t *Table) countsRows(c *Column) bool {
	if c.Type != Number || c.store.amount || c.Missing > 0 || c.Min != 0 && c.Min != 1 {
		return false
	}
	for row := range t.Rows {
		if t.values.At(row, c.store.slot) != c.Min+float64(row) {
			return false
		}
	}
	return true
}

// copies reports whether the values of a feature stand for the classes, one for one, in all but one
// of a hundred rows.
func (t *Table) copies(c *Column, codes []int32, classes int) bool {
	if c.Type == Time {
		return false
	}
	counts := make(map[float64][]int)
	rows := 0
	for row, class := range codes {
		v := t.values.At(row, c.store.slot)
		if math.IsNaN(v) || class < 0 {
			continue
		}
		if counts[v] == nil {
			if len(counts) == 2*classes {
				return false
			}
			counts[v] = make([]int, classes)
		}
		counts[v][class]++
		rows++
	}
	same := 0
	best := make([]int, classes) // rows of each class in the value that has most of them
	for _, of := range counts {
		class := 0
		for k, n := range of {
			if n > of[class] {
				class = k
			}
		}
		best[class] = max(best[class], of[class])
	}
	for _, n := range best {
		if n == 0 {
			return false
		}
		same += n
	}
	return rows >= fewestCounted && 100*same >= 99*rows
}
