package dataset

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/words"
)

// statRows is the rows whose sums are added up together; it fixes the order of all additions.
const statRows = 8192

// finish sets what only the whole file can determine: the ids, the classes, whether a category is a
// boolean or has too many values, and the figures of every column.
func (t *Table) finish(ctx context.Context, o ReadOptions) error {
	if t.Rows == 0 {
		return &fault.Input{File: t.Name, Problem: "has no rows", Fix: "give a table with rows"}
	}
	t.dates = o.Dates
	if t.Rows > math.MaxInt32 {
		return &fault.Input{File: t.Name, Problem: "has more than 2147483647 rows",
			Fix: "cluster a sample of them"}
	}
	if err := t.columnFigures(ctx, o.threads()); err != nil {
		return err
	}
	if err := t.finishIDs(o); err != nil {
		return err
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		var err error
		switch {
		case c.store.coded:
			err = t.finishCoded(c, o)
		case c.Type == Time && c.Role == Unused:
			t.finishMoments(c)
		case c.Role == Feature && c.Missing == t.Rows && len(o.Features) == 0:
			c.Role, c.Why = Unused, c.noValues()
		}
		if err != nil {
			return err
		}
	}
	if len(o.Features) == 0 && !o.plainRoles() {
		if err := t.leaveOut(ctx, o); err != nil {
			return err
		}
	}
	t.noteReading()
	t.noteRoles()
	return nil
}

// finishIDs keeps the likeliest of the columns that may name the rows.
func (t *Table) finishIDs(o ReadOptions) error {
	var order []int
	for i := range t.Columns {
		if t.Columns[i].Role == ID {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(t.Columns[a].store.rank, t.Columns[b].store.rank)
	})
	for _, i := range order {
		if t.idColumn < 0 {
			if err := t.finishID(i, o); err != nil {
				return err
			}
			continue
		}
		c := &t.Columns[i]
		c.Role, c.Why = Unused, "may name the rows, as "+t.Columns[t.idColumn].Name+" does"
		if !o.Keep {
			c.store.text = nil
		}
	}
	return nil
}

// finishID indexes the ids. Shared or missing ids are a fault when the column was named; else
// the column is no id.
func (t *Table) finishID(i int, o ReadOptions) error {
	c := &t.Columns[i]
	index, row, first, ok := newIDIndex(c.store.text)
	if ok {
		t.ids, t.idColumn, c.Distinct = index, i, t.Rows
		return nil
	}
	problem := "has no id"
	if first >= 0 {
		problem = "has the id " + quote(c.store.text.bytes(row)) + " of row " + itoa(first+1)
	}
	if o.ID != "" {
		return &fault.Input{File: t.Name, Row: row + 1, Column: c.Name, Problem: problem,
			Fix: "give each row an id of its own, or name another column as the id"}
	}
	c.Role = Unused
	c.Why = "is named like an id, but row " + itoa(row+1) + " " + problem
	if c.store.rank == idByCodes {
		c.Why = "holds codes, but row " + itoa(row+1) + " " + problem
	}
	if c.store.unnamed {
		c.Why = "is the first column and has no name, like an id, but row " + itoa(row+1) + " " +
			problem
	}
	if !o.Keep {
		c.store.text = nil
	}
	return nil
}

// finishCoded counts the levels of a column with a dictionary.
func (t *Table) finishCoded(c *Column, o ReadOptions) error {
	tooMany := "has more than " + itoa(MaxLevels) + " different values, too many for a category"
	if c.store.over && !c.store.others {
		c.store.coded, c.store.slot = false, -1
		c.Type, c.Role, c.Why = Text, Unused, tooMany
		return nil
	}
	if c.Role == Feature && c.store.seeds != nil {
		t.boundLevels(c, o)
	}
	levels := c.store.levels
	if c.Distinct == 0 {
		c.Distinct = len(levels)
	}
	c.Levels = levels[:min(len(levels), MaxLevels):min(len(levels), MaxLevels)]
	truth := truthOf(levels)
	if o.Plain {
		truth = plainTruth(levels)
	}
	boolean := truth != nil && !c.store.words
	switch {
	case boolean:
		c.Type = Boolean
	case len(levels) > MaxLevels:
		c.Type = Text
	case c.Type != Number || c.Role == Feature:
		c.Type = Category
	}
	switch {
	case c.Role != Feature:
	case boolean:
		t.makeBoolean(c, truth)
	case c.Missing == t.Rows && len(o.Features) == 0:
		c.Role, c.Why = Unused, c.noValues()
	case c.Type == Text:
		if len(o.Features) > 0 {
			return &fault.Input{File: t.Name, Column: c.Name,
				Problem: "has " + itoa(len(levels)) + " different values, too many for a category",
				Fix:     "leave it out of --features, or give it as numbers"}
		}
		c.Role, c.Why = Unused, tooMany
	}
	return nil
}

// noValues is why a column without values is left out.
func (c *Column) noValues() string {
	if c.store.uncomputed {
		return "has formulas without stored results, and no values: " + toCompute
	}
	return "has no values"
}

// finishMoments finds the figures of dates that are no feature, where they were kept. It is a text
// when something else stands among them after all.
func (t *Table) finishMoments(c *Column) {
	if c.store.text == nil || c.store.read == nil {
		return
	}
	low, high, sum := math.Inf(1), math.Inf(-1), 0.0
	for row := range t.Rows {
		cell := c.store.text.bytes(row)
		if len(cell) == 0 {
			continue
		}
		v, wrong := c.store.read(cell)
		if wrong != nil {
			c.Type, c.Why = Text, "holds dates and other texts, the first in row "+itoa(row+1)
			return
		}
		low, high, sum = min(low, v), max(high, v), sum+v
	}
	if c.Missing < t.Rows {
		c.Min, c.Max, c.Mean = low, high, sum/float64(t.Rows-c.Missing)
	}
}

// makeBoolean turns the codes of a column in the block into 0 and 1.
func (t *Table) makeBoolean(c *Column, known map[string]bool) {
	truth := make([]float64, len(c.store.levels))
	seen := [2]int{}
	c.store.boolText = [2]string{"false", "true"}
	for i, s := range c.store.levels {
		k := 0
		if known[s] {
			k = 1
		}
		truth[i] = float64(k)
		c.store.boolText[k] = s
		seen[k]++
	}
	for k, text := range [2]string{"false", "true"} {
		if seen[k] != 1 {
			c.store.boolText[k] = text
		}
	}
	c.Min, c.Max = 1, 0
	sum := 0
	m := &t.values
	for i := range t.Rows {
		if v := m.At(i, c.store.slot); !math.IsNaN(v) {
			v = truth[int(v)]
			m.set(i, c.store.slot, v)
			c.Min, c.Max = min(c.Min, v), max(c.Max, v)
			sum += int(v)
		}
	}
	c.Mean = float64(sum) / float64(t.Rows-c.Missing)
}

// figures are the statistics of one block of rows for a slot.
type figures struct {
	missing, first int // first: row of the first missing value, or -1
	infinite       int // row of the first infinity, or -1
	min, max, sum  float64
}

// columnFigures finds missing values, extremes and means of the columns in the block, and refuses
// infinities, which only the binary formats can bring this far.
func (t *Table) columnFigures(ctx context.Context, threads int) error {
	d := t.values.Cols
	if d == 0 {
		return ctx.Err()
	}
	count := parallel.Count(t.Rows, statRows)
	all := make([]figures, count*d)
	err := parallel.Blocks(ctx, t.Rows, statRows, threads, func(b, lo, hi int) {
		f := all[b*d : (b+1)*d]
		for j := range f {
			f[j] = figures{first: -1, infinite: -1, min: math.Inf(1), max: math.Inf(-1)}
		}
		row := make([]float64, 0, d)
		for i := lo; i < hi; i++ {
			row = t.values.AppendRow(row[:0], i)
			for j, v := range row {
				g := &f[j]
				if v-v != 0 { // NaN or infinite
					if !math.IsNaN(v) {
						if g.infinite < 0 {
							g.infinite = i
						}
						continue
					}
					if g.missing++; g.missing == 1 {
						g.first = i
					}
					continue
				}
				g.sum += v
				if v < g.min {
					g.min = v
				}
				if v > g.max {
					g.max = v
				}
			}
		}
	})
	if err != nil {
		return err
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.store.slot < 0 {
			continue
		}
		sum, infinite := 0.0, -1
		low, high := math.Inf(1), math.Inf(-1)
		for b := range count {
			g := all[b*d+c.store.slot]
			if c.Missing == 0 && g.missing > 0 {
				c.FirstMissing = g.first + 1
			}
			if infinite < 0 {
				infinite = g.infinite
			}
			c.Missing += g.missing
			sum += g.sum
			low, high = min(low, g.min), max(high, g.max)
		}
		if infinite >= 0 {
			return &fault.Input{File: t.Name, Row: infinite + 1, Column: c.Name,
				Problem: "is infinite",
				Fix:     "give a finite number, or NaN for a missing value"}
		}
		if present := t.Rows - c.Missing; present > 0 && !c.store.coded {
			c.Min, c.Max = low, high
			c.Mean = sum / float64(present)
			if !isFinite(sum) {
				if c.Mean, err = t.values.hugeMean(ctx, c.store.slot, low, high); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// noteRoles notes which columns were left out or have a role by default.
func (t *Table) noteRoles() {
	var notes []string
	why := make(map[string][]string)
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Why == "" || c.Role == Feature {
			continue
		}
		if c.Role == ID {
			notes = append(notes, "column "+c.Name+" is the id: it "+c.Why)
			continue
		}
		why[c.Why] = append(why[c.Why], c.Name)
	}
	reasons := make([]string, 0, len(why))
	for reason := range why {
		reasons = append(reasons, reason)
	}
	sort.Slice(reasons, func(a, b int) bool {
		return t.Column(why[reasons[a]][0]) < t.Column(why[reasons[b]][0])
	})
	for _, reason := range reasons {
		which := ", which "
		if len(why[reason]) > 1 {
			which = ", each of which "
		}
		note := "not a feature: " + words.UpTo(why[reason], 8) + which + reason
		if reason == listsOfNumbers {
			note += ": --vectors or --series with its name compares it"
		}
		notes = append(notes, note)
	}
	t.Notes = append(t.Notes, notes...)
}
