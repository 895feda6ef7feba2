package dataset

import (
	"context"
	"errors"
	"slices"

	"github.com/kindred-go/kindred/internal/words"
)

// textParser turns a piece of text that ends at the end of a record into a block: its rows, its
// lines, and the first fault. text holds one line feed more than the piece.
type textParser interface {
	parse(text []byte, b *block)
}

// textLayout describes where the records of a text begin and how they end.
type textLayout struct {
	start  int  // place of the first record, within the head
	line   int  // its line, from 1
	rows   bool // lines are rows of something else, which messages name
	quotes bool // a line end within double quotes does not end a record
	remark byte // begins a line that is no record; 0: no line
	least  int  // bytes of the shortest record, its line end included
	sparse bool // records may leave fields out
	parser func() textParser
}

// errChanged reports a plain file that is not what it was a moment ago.
var errChanged = errors.New("the file changed while it was being read")

// readText parses all records of a text into the table, in parallel.
func readText(ctx context.Context, src *source, t *Table, p *plan, l textLayout,
	o ReadOptions) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var blocks []*block
	var values *Matrix
	var windows []int
	var err error
	if src.file != nil {
		blocks, values, windows, err = readTextFile(ctx, src, p, l, o)
	} else {
		blocks, err = readTextStream(ctx, src, p, l, o)
	}
	if err != nil {
		return src.wrap(err)
	}
	if err := firstFault(src.name, l, blocks, o.Plain); err != nil {
		return err
	}
	if err := assemble(t, p, blocks, values, windows); err != nil {
		return err
	}
	if note := blankNote(blocks); note != "" {
		t.Notes = append(t.Notes, note)
	}
	remarks := 0
	for _, b := range blocks {
		remarks += b.remarks
	}
	if remarks > 0 {
		t.Notes = append(t.Notes, plural(remarks, "line that begins", "lines that begin")+
			" with # between rows passed over")
	}
	if late := lateKeys(blocks); late != "" {
		t.Notes = append(t.Notes, late)
	}
	return nil
}

// firstFault returns the first fault of all blocks, with its line in the file, or its row.
func firstFault(name string, l textLayout, blocks []*block, plain bool) error {
	line := l.line
	for _, b := range blocks {
		if b == nil {
			return nil // reading stopped here, after the fault of a block before
		}
		if f := b.fault; f != nil {
			f.File, f.Line = name, line+f.Line
			if l.rows {
				f.Row, f.Line = f.Line, 0
			}
			if !plain {
				nameEncoding(f)
			}
			return f
		}
		line += b.lines
	}
	return nil
}

// parsePiece parses text, whose last byte is an extra line feed, into b. A byte that no text can
// have is reported unless a record before its line has a fault.
func parsePiece(p textParser, text []byte, b *block) {
	bad := badByte(text[:len(text)-1])
	if bad < 0 {
		p.parse(text, b)
		return
	}
	wrong := badByteFault(text, bad)
	start := bad
	for start > 0 && text[start-1] != '\n' && text[start-1] != '\r' {
		start--
	}
	before := append(text[:start:start], '\n')
	p.parse(before, b)
	if b.fault == nil || b.fault.Problem == UnclosedQuote {
		b.fault = wrong
	}
}

// lateKeys notes the keys of JSON lines that came too late to become columns.
func lateKeys(blocks []*block) string {
	var names []string
	for _, b := range blocks {
		for _, key := range b.late {
			if !slices.Contains(names, key) {
				names = append(names, key)
			}
		}
	}
	if names == nil {
		return ""
	}
	return "left out, because the first " + itoa(sampleRows) + " rows do not have them: " +
		words.UpTo(names, 8)
}
