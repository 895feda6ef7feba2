package dataset

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
)

// A block holds so many rows of records, numbers, or bytes of cells.
const (
	recordBlock   = 8192
	recordNumbers = 1 << 23
	recordTexts   = 64 << 20 // bytes
)

// record is a row of a source that has cells, not text: its cells as CSV would have them, "" where
// missing.
type record struct {
	number int // of the row in messages
	cells  [][]byte
	typed  []bool // which cells are numbers, not texts that look like some; nil: not known
}

// records is such a source.
type records struct {
	cols     []sampled // names
	declared []bool    // which columns are declared as texts; nil: none
	// which columns are of lists of numbers, with cells as in [1, 2.5]; nil: none
	vectors []bool
	// next returns the next row, whose cells last until the next call; io.EOF after the last
	next func() (record, error)
}

// readRecords reads the rows of a source into a table. The types of columns are decided by the
// first rows, as those of text formats are.
func readRecords(ctx context.Context, name string, t *Table, r records,
	o ReadOptions) error {
	if len(r.cols) == 0 {
		return &fault.Input{File: name, Problem: "has no columns", Fix: "ask for some"}
	}
	if len(r.cols) > maxColumns {
		return &fault.Input{File: name,
			Problem: "has more than " + itoa(maxColumns) + " columns", Fix: "leave some out"}
	}
	t.Notes = append(t.Notes, nameApart(r.cols, o)...)
	votes := make([]vote, len(r.cols))
	for i := range votes {
		votes[i].judged = !o.Plain
		votes[i].declared = r.declared != nil && r.declared[i]
	}
	var held []heldRecord
	left := memory.NewBudget()
	for len(held) < sampleRows {
		row, err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		for i, cell := range row.cells {
			votes[i].addTyped(cell, row.typed != nil && row.typed[i])
		}
		h := row.hold()
		held = append(held, h)
		left.Take(h.bytes())
		if err := fits(left, name, rowsSoFar, float64(h.bytes())); err != nil {
			return err
		}
	}
	judged := o
	if r.vectors == nil {
		judged = o.withoutVectors()
	}
	notes, err := decideTypes(r.cols, votes, 0, judged)
	if err != nil {
		return err
	}
	t.Notes = append(t.Notes, notes...)
	isVector, items := r.isVector, listItems
	if r.vectors == nil && !o.Plain {
		items = textItems
		isVector = func(col int) bool { return holdsVectors(firstCell(held, col)) }
	}
	s, err := spreadVectors(name, r.cols, &o, isVector, func(col int) (int, error) {
		return firstWidth(name, r.cols[col].name, items(firstCell(held, col)))
	})
	if err != nil {
		return err
	}
	s.items = items
	columns, p, err := assignRoles(name, s.cols, o)
	if err != nil {
		return err
	}
	if s.vector >= 0 {
		t.Notes = append(t.Notes, s.note(o.Vectors))
	}
	t.Columns = s.mark(columns, o.Vectors)
	var blocks []*block
	b, texts := newBlock(p, nil), 0
	add := func(row record) error {
		for i, cell := range row.cells {
			texts += len(cell)
			typed := row.typed != nil && row.typed[i]
			if wrong := s.addCell(b, i, cell, typed, o.Vectors); wrong != nil {
				wrong.File, wrong.Row = name, row.number
				return wrong
			}
		}
		if b.endRow(); b.rows == recordBlock || b.rows*p.width > recordNumbers ||
			texts > recordTexts {
			texts = 0
			blocks = append(blocks, b)
			left.Take(b.bytes())
			// the next takes about as much
			if err := fits(left, name, rowsSoFar, float64(b.bytes())); err != nil {
				return err
			}
			b = newBlock(p, nil)
			return ctx.Err()
		}
		return nil
	}
	row := record{cells: make([][]byte, len(r.cols)), typed: make([]bool, len(r.cols))}
	for _, h := range held {
		if err := add(h.fill(row)); err != nil {
			return err
		}
	}
	for len(held) == sampleRows {
		row, err := r.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = add(row)
		}
		if err != nil {
			return err
		}
	}
	return assemble(t, p, append(blocks, b), nil, nil)
}

// isVector reports whether a column is one of lists of numbers.
func (r *records) isVector(col int) bool { return r.vectors != nil && r.vectors[col] }

// addCell adds a cell to a block, or the numbers of a vector.
func (s *spread) addCell(b *block, col int, cell []byte, typed bool, vectors string) *fault.Input {
	if col != s.vector {
		return b.addTyped(s.at[col], cell, typed)
	}
	items, wrong := vectorItems(cell, s.itemsOf(cell), vectors, s.width)
	for k := range s.width {
		var item []byte
		if items != nil {
			item = items[k]
		}
		if wrong == nil {
			wrong = b.add(s.at[col]+k, item)
		}
	}
	return wrong
}

// firstWidth returns how many numbers the first list of a column has, by its items.
func firstWidth(file, column string, items [][]byte) (int, error) {
	if items != nil {
		return len(items), nil
	}
	return 0, &fault.Input{File: file, Column: column,
		Problem: "no list of the first " + itoa(sampleRows) + " rows has a number",
		Fix:     "name another column with --vectors, or begin with rows that have some"}
}

// firstCell returns the first value of a column that has some, but for empty lists; nil for none.
func firstCell(rows []heldRecord, col int) []byte {
	for _, row := range rows {
		k, there := slices.BinarySearch(row.at, int32(col))
		if there && len(textItems(row.values[k])) > 0 && !isMissing(row.values[k]) {
			return row.values[k]
		}
	}
	return nil
}

// heldRecord is a copy of a record, in memory that its values take, not its columns.
type heldRecord struct {
	number int
	at     []int32 // columns of the values, rising
	values [][]byte
	typed  []bool // of each; nil: not known
}

func (r record) hold() heldRecord {
	h := heldRecord{number: r.number}
	for i, c := range r.cells {
		if len(c) > 0 {
			h.at, h.values = append(h.at, int32(i)), append(h.values, slices.Clone(c))
			if r.typed != nil {
				h.typed = append(h.typed, r.typed[i])
			}
		}
	}
	return h
}

// bytes is about what the copy takes.
func (h heldRecord) bytes() int64 {
	n := int64(64)
	for _, v := range h.values {
		n += 32 + int64(len(v))
	}
	return n
}

// fill returns the record in the memory of another.
func (h heldRecord) fill(r record) record {
	clear(r.cells)
	clear(r.typed)
	for k, i := range h.at {
		r.cells[i] = h.values[k]
		r.typed[i] = h.typed != nil && h.typed[k]
	}
	r.number = h.number
	return r
}

// damaged reports a file that contradicts its format; faults, and failures of the machine and of
// contexts, pass.
func damaged(name, what string, err error) error {
	if about, ok := errors.AsType[*fault.Input](err); ok && about.File == "" {
		about.File = name
	}
	if err == nil || fault.IsInput(err) || isMachine(err) {
		return err
	}
	problem := "is a damaged " + what + ": " + err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		problem = "is a damaged " + what + ": it ends too early"
	}
	return &fault.Input{File: name, Problem: problem, Fix: "fetch or write the file again",
		Err: err}
}
