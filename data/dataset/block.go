package dataset

import (
	"bytes"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
)

// keeping is how the values of a file column are kept while reading.
type keeping int

const (
	forget   keeping = iota // count missing values only
	asNumber                // a slot of the numeric block
	asRead                  // a slot of the numeric block, filled by columnPlan.read
	asSlot                  // a slot of the numeric block that holds codes
	asCodes                 // codes, apart from the block
	asText                  // text
	asIDs                   // text, where only an empty value is missing
)

// columnPlan is what a reader does with one column of the file.
type columnPlan struct {
	name string
	keep keeping
	slot int // for asNumber, asRead and asSlot
	// reads a cell, for asRead; NaN is missing
	read   func(cell []byte) (float64, *fault.Input)
	scan   bool     // ScanNumber may be tried first
	comma  bool     // read takes a decimal comma
	na     *naWords // that mean a missing value
	soft   softness // how far other words do
	judged bool     // the type was found from the values
	odd    []string // words among the first numbers
	also   int      // for asRead the text that keeps the cells as they are written; -1: none
	// for asSlot and asCodes a position among the dictionaries, for asText and asIDs among the
	// texts
	part int
}

// plan is what a reader does with every column of the file.
type plan struct {
	columns []columnPlan
	width   int           // slots in the numeric block
	single  bool          // the block is float32
	dicts   int           // columns that need a dictionary
	limits  []*levelLimit // of each dictionary; nil: all levels are kept
	texts   int           // columns kept as text
}

// claim returns an error if a file claims more rows than may be read from it, or than memory holds:
// rows in which all is missing take hardly a byte of the file.
func (p *plan) claim(name string, rows int, limit int64) error {
	each := max(8, 8*p.width+8*p.texts+4*p.dicts)
	if int64(rows) > limit/int64(each) {
		return &fault.Input{File: name,
			Problem: "claims " + itoa(rows) + " rows, too many for a file of its size",
			Fix:     "write the file again; if it is right, raise --inflate-limit"}
	}
	return fits(memory.NewBudget(), name, plural(rows, "row", "rows"), float64(rows)*float64(each))
}

// block holds the rows of one piece of the file.
type block struct {
	plan  *plan
	rows  int
	lines int // physical lines

	blank    int // blank lines
	trailing int // blank lines after the last row
	remarks  int // lines between rows that were passed over

	num     []float64 // rows × width; its capacity may lie in the final matrix
	dicts   []dict
	codes   [][]int32 // one for each dictionary; nil for those in slots
	texts   []textColumn
	missing []int      // by column, for columns outside the numeric block
	first   []int      // first row missing, from 1
	words   [][]string // by column, that mean a missing value there

	late []string // keys met after the sample (JSON lines)
	// the first fault; its line is counted from 0 at the beginning of the piece
	fault *fault.Input
}

// newBlock makes an empty block. num, with length 0, is filled with the numbers.
func newBlock(p *plan, num []float64) *block {
	b := &block{plan: p, num: num, dicts: make([]dict, p.dicts), codes: make([][]int32, p.dicts),
		texts: make([]textColumn, p.texts), missing: make([]int, len(p.columns)),
		first: make([]int, len(p.columns)), words: make([][]string, len(p.columns))}
	for i := range b.dicts {
		b.dicts[i] = newDict(p.limits[i])
	}
	return b
}

// add appends a value, trimmed and without quotes, to a column of the current row, b.rows; each
// column gets one value per row, in order.
func (b *block) add(col int, s []byte) *fault.Input { return b.addAt(col, b.rows, s) }

// addTyped does so for a value that may be a number, and not a text that looks like one: it has a
// decimal point, whatever the texts of its column have.
func (b *block) addTyped(col int, s []byte, typed bool) *fault.Input {
	if typed && b.plan.columns[col].comma {
		if i := bytes.IndexByte(s, '.'); i >= 0 {
			s = bytes.Clone(s)
			s[i] = ','
		}
	}
	return b.addAt(col, b.rows, s)
}

// addAt does so for readers that go by columns. Different columns may be added to at the same time.
func (b *block) addAt(col, row int, s []byte) *fault.Input {
	c := &b.plan.columns[col]
	if c.keep == asIDs {
		if len(s) == 0 {
			b.miss(col, row)
		}
		b.texts[c.part].add(s)
		return nil
	}
	if isMissing(s) || c.na.has(s) {
		b.addMissing(col, row)
		return nil
	}
	if c.soft == softErrors && c.soft.meansNothing(s) {
		b.word(col, s)
		b.addMissing(col, row)
		return nil
	}
	switch c.keep {
	case asNumber, asRead:
		v, wrong := c.number(s)
		if wrong != nil {
			if c.soft.meansNothing(s) {
				b.word(col, s)
				b.addMissing(col, row)
				return nil
			}
			wrong.Column = c.name
			return wrong
		}
		if c.also >= 0 {
			if v != v {
				s = nil
			}
			b.texts[c.also].add(s)
		}
		b.num = append(b.num, v)
	case asSlot:
		if c.soft.meansNothing(s) {
			b.word(col, s)
			b.addMissing(col, row)
			return nil
		}
		b.num = append(b.num, float64(b.dicts[c.part].code(s)))
	case asCodes:
		b.codes[c.part] = append(b.codes[c.part], b.dicts[c.part].code(s))
	case asText:
		b.texts[c.part].add(s)
	}
	return nil
}

// number reads a cell that is not missing.
func (c *columnPlan) number(s []byte) (float64, *fault.Input) {
	if c.keep == asRead {
		return c.read(s)
	}
	v, ok := ParseNumber(s)
	if !ok || math.IsInf(v, 0) {
		if c.judged {
			return 0, numeralFault(s, '.', c.name, c.odd)
		}
		return 0, numberFault(s)
	}
	return v, nil
}

// addMissing appends a missing value to a column.
func (b *block) addMissing(col, row int) {
	c := &b.plan.columns[col]
	switch c.keep {
	case asNumber, asRead, asSlot:
		b.num = append(b.num, math.NaN()) // counted once the block is complete
		if c.also >= 0 {
			b.texts[c.also].add(nil)
		}
		return
	case asCodes:
		b.codes[c.part] = append(b.codes[c.part], -1)
	case asText, asIDs:
		b.texts[c.part].add(nil)
	}
	b.miss(col, row)
}

// word takes note of a word that means a missing value in its column.
func (b *block) word(col int, s []byte) {
	const most = 100
	if all := b.words[col]; len(all) < most && !slices.Contains(all, string(s)) {
		b.words[col] = append(all, string(s))
	}
}

// rowsSoFar is what needs the memory of blocks.
const rowsSoFar = "the rows read so far"

// bytes returns the memory that the block takes, near enough.
func (b *block) bytes() int64 {
	n := 8 * cap(b.num)
	for _, codes := range b.codes {
		n += 4 * cap(codes)
	}
	for _, t := range b.texts {
		n += cap(t.data) + 8*cap(t.ends)
	}
	return int64(n)
}

// endRow completes the current row.
func (b *block) endRow() {
	b.rows++
	b.trailing = 0
}

func (b *block) miss(col, row int) {
	if b.missing[col]++; b.missing[col] == 1 {
		b.first[col] = row + 1
	}
}
