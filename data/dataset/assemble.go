package dataset

import (
	"cmp"
	"slices"
	"strconv"
)

// assemble joins the blocks of a file, in order, into the table's stores. values is the final
// matrix where the blocks have their rows in it already, or nil when each block has numbers of its
// own. windows, when given, are the rows that the matrix holds in each block.
func assemble(t *Table, p *plan, blocks []*block, values *Matrix, windows []int) (err error) {
	t.Rows = 0
	for _, b := range blocks {
		t.Rows += b.rows
	}
	switch {
	case values == nil:
		if t.values, err = joinNumbers(t.Name, p, blocks, t.Rows); err != nil {
			return err
		}
	case windows != nil:
		closeGaps(p, blocks, *values, windows)
		t.values = values.head(t.Rows)
	default:
		t.values = *values
	}
	for i := range t.Columns {
		c, keep := &t.Columns[i], p.columns[i]
		c.store.slot = -1
		switch keep.keep {
		case asNumber, asRead:
			c.store.slot = keep.slot
			if keep.also >= 0 {
				c.store.text = joinTexts(keep.also, blocks)
			}
		case asSlot:
			c.store.slot = keep.slot
			if l := p.limits[keep.part]; l != nil && l.over.Load() {
				c.store.coded, c.store.over = true, true
				if c.store.seeds != nil {
					t.joinSeeds(c, keep.slot)
				}
			} else {
				joinCodes(t, c, keep, blocks)
			}
		case asCodes:
			joinCodes(t, c, keep, blocks)
		case asText, asIDs:
			c.store.text = joinTexts(keep.part, blocks)
		}
		row := 0
		for _, b := range blocks {
			if c.Missing == 0 && b.missing[i] > 0 {
				c.FirstMissing = row + b.first[i]
			}
			c.Missing += b.missing[i]
			row += b.rows
			if b.words == nil { // of a format without words
				continue
			}
			for _, word := range b.words[i] {
				if !slices.Contains(c.store.empty, word) {
					c.store.empty = append(slices.Clip(c.store.empty), word)
				}
			}
		}
	}
	return nil
}

// joinNumbers makes the matrix of the blocks' own numbers.
func joinNumbers(name string, p *plan, blocks []*block, rows int) (Matrix, error) {
	if len(blocks) == 1 {
		return Matrix{Rows: rows, Cols: p.width, F64: blocks[0].num}, nil
	}
	x, err := allocate(name, rows, p.width, false)
	if err != nil {
		return x, err
	}
	at := 0
	for _, b := range blocks {
		at += copy(x.F64[at:], b.num)
		b.num = nil
	}
	return x, nil
}

// closeGaps moves rows to the front where blank lines left rows of the matrix unused.
func closeGaps(p *plan, blocks []*block, values Matrix, windows []int) {
	from, to := 0, 0
	for k, b := range blocks {
		if from != to {
			copy(values.F64[to*p.width:], b.num)
		}
		from += windows[k]
		to += b.rows
	}
}

// joinCodes merges the dictionaries of a column, sorts the levels and renumbers the codes.
func joinCodes(t *Table, c *Column, keep columnPlan, blocks []*block) {
	var all dict
	places := make([][]int32, len(blocks))
	for k, b := range blocks {
		d := &b.dicts[keep.part]
		places[k] = make([]int32, len(d.names))
		for i, name := range d.names {
			places[k][i] = all.code([]byte(name))
		}
		*d = dict{}
	}
	levels := slices.Clone(all.names)
	SortLevels(levels)
	rank := make([]int32, len(levels))
	for i, name := range levels {
		rank[all.codes[name]] = int32(i)
	}
	c.store.coded = true
	c.store.levels = levels
	if keep.keep == asCodes {
		c.store.codes = make([]int32, 0, t.Rows)
	}
	row := 0
	for k, b := range blocks {
		if keep.keep == asCodes {
			for _, code := range b.codes[keep.part] {
				if code >= 0 {
					code = rank[places[k][code]]
				}
				c.store.codes = append(c.store.codes, code)
			}
			b.codes[keep.part] = nil
		} else {
			for i := row; i < row+b.rows; i++ {
				if v := t.values.At(i, keep.slot); v >= 0 {
					t.values.set(i, keep.slot, float64(rank[places[k][int(v)]]))
				}
			}
		}
		row += b.rows
	}
}

// joinSeeds makes levels of the seeds that are there, and one for the others.
func (t *Table) joinSeeds(c *Column, slot int) {
	seeds := c.store.seeds
	levels := slices.Clone(seeds)
	SortLevels(levels)
	rank := make(map[string]float64, len(levels))
	for i, name := range levels {
		rank[name] = float64(i)
	}
	for i := range t.Rows {
		if v := t.values.At(i, slot); v >= float64(len(seeds)) {
			t.values.set(i, slot, float64(len(seeds)))
		} else if v >= 0 {
			t.values.set(i, slot, rank[seeds[int(v)]])
		}
	}
	c.store.levels, c.store.others = append(levels, othersName(levels)), true
}

// othersName is the level that stands for others.
func othersName(levels []string) string {
	name := "other"
	for slices.Contains(levels, name) {
		name = "(" + name + ")"
	}
	return name
}

// SortLevels sorts the names of classes as numbers when all are numbers, else as text.
func SortLevels(levels []string) {
	numbers := make(map[string]float64, len(levels))
	for _, s := range levels {
		v, ok := ParseNumber([]byte(s))
		if !ok {
			slices.Sort(levels)
			return
		}
		numbers[s] = v
	}
	// The same number may be written in two ways.
	slices.SortFunc(levels, func(a, b string) int {
		return cmp.Or(cmp.Compare(numbers[a], numbers[b]), cmp.Compare(a, b))
	})
}

func joinTexts(part int, blocks []*block) *textColumn {
	bytes, rows := 0, 0
	for _, b := range blocks {
		bytes += len(b.texts[part].data)
		rows += len(b.texts[part].ends)
	}
	out := &textColumn{data: make([]byte, 0, bytes), ends: make([]int, 0, rows)}
	for _, b := range blocks {
		base := len(out.data)
		out.data = append(out.data, b.texts[part].data...)
		for _, end := range b.texts[part].ends {
			out.ends = append(out.ends, base+end)
		}
		b.texts[part] = textColumn{}
	}
	return out
}

// blankNote reports how many blank lines were skipped between rows; those at the end need no word.
func blankNote(blocks []*block) string {
	skipped, pending := 0, 0
	for _, b := range blocks {
		if b.rows == 0 {
			pending += b.blank
			continue
		}
		skipped += pending + b.blank - b.trailing
		pending = b.trailing
	}
	if skipped == 0 {
		return ""
	}
	return plural(skipped, "blank line was", "blank lines were") + " skipped between rows"
}

// plural returns "1 row" or "5 rows".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
