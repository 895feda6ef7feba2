package lines

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
)

// MaxLine is the longest line, or record with quoted line breaks, in bytes, with its end. A longer
// one is a bad row.
const MaxLine = 1 << 20

// Decoder turns text into rows by a layout. It must not be used by several goroutines at once.
type Decoder struct {
	name    string // of the input, for messages
	layout  stream.Layout
	sep     byte
	comma   bool // numbers have a decimal comma
	cols    int
	columns []column
	byName  map[string]int // of columns, for JSON lines
	rows    int64          // so far, bad ones included

	clean         int  // bytes at the front of the next text that are known to be UTF-8 without NUL
	front         bool // the next text is the front of the input
	foreign       *fault.Input
	discard       bool // the text goes on within a line that was too long
	long          int  // where that line began in the text that was given with its front
	scratch       []byte
	tail          []byte
	key           []byte
	spare         []byte
	seen          []uint32 // of a column: the last object that had it
	object        uint32
	classes       map[string]int32
	names         []string // of the true classes, by the codes in [stream.Block.Class]
	dropped       int64
	known         []unknown      // values of categories that the layout does not know
	unknownValues []unknownValue // those of the row that is decoded
	// of the row under way: its values before scaling, and the features that are missing, where such
	// are predicted
	raw     []float64
	lacking []int
	at      place // in b, where the row that is decoded begins
}

// MostClasses is how many true classes are distinguished; the rows of further ones have none.
const MostClasses = dataset.MaxLevels

// NewDecoder makes a decoder for an input that messages call name. rows is the number of rows that
// came before, bad ones included; the next has the number after it. The layout is refused with a
// *fault.Input where it does not hang together.
func NewDecoder(name string, layout stream.Layout, rows int64) (*Decoder, error) {
	d := &Decoder{name: name, layout: layout, sep: ',', rows: rows, classes: make(map[string]int32)}
	bad := func(format string, args ...any) error {
		return &fault.Input{File: name,
			Problem: "the layout of the rows does not hang together: " + fmt.Sprintf(format,
				args...),
			Fix: "begin anew, without the state"}
	}
	if err := layout.Encoding.Check(); err != nil {
		return nil, bad("%v", err)
	}
	if d.comma = layout.Decimal == ","; !d.comma && layout.Decimal != "" {
		return nil, bad("the decimal mark is %q", layout.Decimal)
	}
	switch layout.Format {
	case dataset.FormatTSV:
		d.sep = '\t'
	case dataset.FormatCSV:
		if len(layout.Separator) > 1 {
			return nil, bad("the separator is %q", layout.Separator)
		}
		if layout.Separator != "" {
			d.sep = layout.Separator[0]
		}
	case dataset.FormatJSONL:
	default:
		return nil, bad("rows of format %q are no lines", layout.Format)
	}
	if d.cols = layout.Encoding.Cols(); d.cols == 0 {
		return nil, bad("it has no features")
	}
	if err := d.bind(); err != nil {
		return nil, bad("%v", err)
	}
	return d, nil
}

// Rows returns the number of rows so far, bad ones included.
func (d *Decoder) Rows() int64 { return d.rows }

// Decode appends to b the rows and notes at the front of text, at most `most` rows, and returns how
// many bytes it took: whole lines. What is left must be given again, with what follows. whole
// reports that nothing follows, so that the last line may lack its end. b.After.Rows is set, and
// the rest of b.After is the caller's.
//
// Line ends are LF, CRLF and CR. Blank lines are passed over. A row that cannot be read is a note
// of kind [stream.BadNote].
func (d *Decoder) Decode(text []byte, whole bool, b *stream.Block, most int) (used int) {
	b.Cols = d.cols
	if d.foreign != nil {
		return 0
	}
	most += b.Len()
	defer func() {
		b.After.Rows = d.rows
		d.clean = max(0, d.clean-used)
		if whole && used == len(text) {
			d.clean = 0
		}
	}()
	if d.discard {
		if used = d.passLine(text); d.discard {
			d.discard = !whole
			return len(text)
		}
	}
	end := lastLineEnd(text)
	if end > used {
		d.check(text[:end])
		used += d.records(text[used:end], b, most, used)
	}
	switch {
	case b.Len() >= most || d.foreign != nil:
	case whole && used < len(text): // the last line lacks its end, or a quote is open
		d.tail = append(append(d.tail[:0], text[used:]...), '\n')
		d.clean = 0
		d.check(d.tail)
		took := d.closing(d.tail, b, most)
		used += min(took, len(text)-used)
	case !whole && len(text)-used > MaxLine:
		d.long = used
		used += d.tooLong(text[used:], b)
	}
	return used
}

// records decodes whole records of text, which ends in a line end; before is the bytes checked in
// front of it.
func (d *Decoder) records(text []byte, b *stream.Block, most, before int) int {
	b.Rows = slices.Grow(b.Rows, (most-b.Len())*d.cols)
	i, clean := 0, d.clean-before
	if d.front && bytes.HasPrefix(text, []byte(byteOrderMark)) {
		i = len(byteOrderMark)
	}
	if d.layout.Format == dataset.FormatJSONL {
		return d.objects(text, i, clean, b, most)
	}
	return d.fields(text, i, clean, b, most)
}

// closing decodes the end of the input. A quote that is never closed makes a bad row of its first
// line.
func (d *Decoder) closing(text []byte, b *stream.Block, most int) (used int) {
	for used < len(text) && b.Len() < most {
		n := d.records(text[used:], b, most, used)
		used += n
		if d.foreign != nil {
			return used
		}
		if used < len(text) && b.Len() < most {
			used += d.unclosed(text[used:], b)
		}
	}
	return used
}

// unclosed reports the quote that opens in the record at the front of text, and passes over its
// first line.
func (d *Decoder) unclosed(text []byte, b *stream.Block) int {
	d.begin(b)
	d.bad(b, errUnclosed)
	return nextLine(text, 0)
}

// Problems of records that do not end.
var (
	errUnclosed = fault.Inputf("close it, or double it if it is part of the text",
		"a quote opens here and is never closed")
	errTooLong = fault.Inputf("give one row a line", "the line is longer than 1 MiB")
)

// long reports what is wrong with a record that is longer than MaxLine: its first line, or a quote
// in it.
func long(text []byte) *fault.Input {
	if line := nextLine(text, 0); line > 0 && line <= MaxLine {
		return errUnclosed
	}
	return errTooLong
}

// tooLong reports the record at the front of text, which is longer than MaxLine and has no end yet.
func (d *Decoder) tooLong(text []byte, b *stream.Block) int {
	if long(text) == errUnclosed {
		return d.unclosed(text, b)
	}
	d.begin(b)
	d.bad(b, errTooLong)
	n := d.passLine(text)
	if d.discard {
		return len(text)
	}
	return n
}

// passLine steps over the rest of a line; discard reports whether it goes on behind text.
func (d *Decoder) passLine(text []byte) int {
	n := nextLine(text, 0)
	d.discard = n < 0
	return max(n, 0)
}

// check finds out how far text is clean.
func (d *Decoder) check(text []byte) {
	if d.clean >= len(text) {
		return
	}
	from := d.clean
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from--
	}
	if bytes.IndexByte(text[from:], 0) < 0 && utf8.Valid(text[from:]) {
		d.clean = len(text)
	}
}

// place is how much of a block there was before a row.
type place struct{ rows, ids int }

// begin starts a row: it has its number.
func (d *Decoder) begin(b *stream.Block) {
	d.rows++
	d.at, d.unknownValues = place{len(b.Rows), len(b.IDText)}, d.unknownValues[:0]
	d.lacking = d.lacking[:0]
}

// take keeps the row.
func (d *Decoder) take(b *stream.Block) {
	if len(d.lacking) > 0 {
		slices.Sort(d.lacking)
		d.layout.Encoding.Impute(d.raw, b.Rows[d.at.rows:], d.lacking)
	}
	b.Numbers = append(b.Numbers, d.rows)
	if d.layout.ID != "" {
		b.IDEnd = append(b.IDEnd, int32(len(b.IDText)))
	}
	for _, s := range d.unknownValues {
		u := &d.known[s.column]
		if u.count++; u.count == 1 {
			u.first, u.row = s.value, d.rows
		}
	}
}

// undo takes the values of the row out of the block.
func (d *Decoder) undo(b *stream.Block) {
	b.Rows, b.IDText = b.Rows[:d.at.rows], b.IDText[:d.at.ids]
	if d.layout.Label != "" {
		b.Class = b.Class[:b.Len()]
	}
}

// settle takes the row that was begun, or reports what is wrong with it. Text that is not clean is
// yet to be looked at.
func (d *Decoder) settle(text []byte, clean bool, problem *fault.Input, b *stream.Block) {
	switch {
	case problem != nil && errors.Is(problem, stream.ErrMissing) &&
		d.layout.Encoding.Missing == dataset.MissingDrop:
		d.undo(b)
		d.dropped++
	case problem != nil:
		d.bad(b, problem)
	case clean || !d.badByte(text, b):
		d.take(b)
	}
}

// bad makes a note of the row.
func (d *Decoder) bad(b *stream.Block, problem *fault.Input) {
	d.undo(b)
	b.Bad(&fault.Input{File: d.name, Row: int(d.rows), Column: problem.Column,
		Problem: problem.Problem, Fix: problem.Fix, Err: problem.Err})
}

// dirty reports whether text has a byte that no text has.
func (d *Decoder) dirty(text []byte) bool {
	return bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text)
}

// badByte reports a row with a byte that no text has; false when text has none.
func (d *Decoder) badByte(text []byte, b *stream.Block) bool {
	switch {
	case bytes.IndexByte(text, 0) >= 0:
		d.bad(b, fault.Inputf("write UTF-8 text (from UTF-16: iconv -f UTF-16 -t UTF-8)",
			"has a NUL byte, so it is not plain text"))
	case !utf8.Valid(text):
		d.bad(b, fault.Inputf("write UTF-8 (older text may be iconv -f WINDOWS-1252 -t UTF-8)",
			"has a byte that is not UTF-8"))
	default:
		return false
	}
	return true
}

// Notes returns, a sentence each, remarks on the rows: values of categories that the
// layout does not know, and rows that were left out for missing values.
func (d *Decoder) Notes() []string {
	var notes []string
	for _, u := range d.known {
		if u.count > 0 {
			what := "values of column " + u.column + " are"
			if u.count == 1 {
				what = "value of column " + u.column + " is"
			}
			notes = append(notes,
				fmt.Sprintf("%d %s none of those in the first rows and count as none of the "+
					"known ones, the first %s in row %d", u.count, what, u.first, u.row))
		}
	}
	if d.dropped > 0 {
		notes = append(notes, dataset.DroppedNote(int(d.dropped)))
	}
	return notes
}

// unknown counts the values that a category does not know.
type unknown struct {
	column string
	count  int64
	first  string // quoted
	row    int64
}

// unknownValue is a value of the row that is decoded, which a category does not know.
type unknownValue struct {
	column int    // place in Decoder.known
	value  string // quoted, for the first of a column
}

// lastLineEnd returns the position after the last line end; 0 when there is none. A CR at the very
// end counts: the LF that may follow is then a blank line.
func lastLineEnd(text []byte) int {
	n := bytes.LastIndexByte(text, '\n') + 1
	return n + bytes.LastIndexByte(text[n:], '\r') + 1
}

// nextLine returns the position after the first line end from i on; -1 when there is none.
func nextLine(text []byte, i int) int {
	n := bytes.IndexByte(text[i:], '\n')
	line := text[i:]
	if n >= 0 {
		line = line[:n]
	}
	if r := bytes.IndexByte(line, '\r'); r >= 0 && r+1 != n {
		return i + r + 1
	}
	if n < 0 {
		return -1
	}
	return i + n + 1
}

// quote shows a value in a message, shortened to something a line can hold.
func quote(s []byte) string {
	const most = 40
	if len(s) > most {
		return strconv.Quote(string(bytes.ToValidUTF8(s[:most], nil))) + "…"
	}
	return strconv.Quote(string(s))
}

// class returns the code of a true class.
func (d *Decoder) class(s []byte) int32 {
	if dataset.IsMissing(string(s)) {
		return -1
	}
	code, ok := d.classes[string(s)]
	if !ok {
		if len(d.names) >= MostClasses {
			return -1
		}
		code = int32(len(d.names))
		d.classes[string(s)] = code
		d.names = append(d.names, string(s))
	}
	return code
}
