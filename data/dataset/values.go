package dataset

import (
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// Value returns the number in row and column, both from 0, of a column that is a feature: the
// number itself, 0 or 1 for a boolean, for a category the position of its value in Levels; NaN
// where the value is missing. It must not be called for other columns, nor after Prepare consumed
// the table.
func (t *Table) Value(row, col int) float64 {
	return t.values.At(row, t.Columns[col].store.slot)
}

// HasValues reports whether Value can be called for a column.
func (t *Table) HasValues(col int) bool {
	return t.Columns[col].store.slot >= 0 && !t.consumed
}

// Number returns the number that a cell of a column of type Number stands for, whatever the role of
// the column; NaN where the value is missing. ok is false where the cell holds none, or one whose
// digits a float64 loses: leading zeros, and whole numbers of 2^53 and more. A column without the
// role Feature must have been kept (see ReadOptions.Keep).
func (t *Table) Number(row, col int) (v float64, ok bool) {
	if t.HasValues(col) {
		return t.Value(row, col), true
	}
	cell := []byte(t.Cell(row, col))
	s := &t.Columns[col].store
	if len(cell) == 0 {
		return math.NaN(), true
	}
	if s.read != nil {
		var wrong *fault.Input
		v, wrong = s.read(cell)
		ok = wrong == nil
	} else if v, ok = ParseNumber(cell); math.IsInf(v, 0) {
		ok = false
	}
	switch {
	case !ok:
		return math.NaN(), s.soft.meansNothing(cell)
	case len(cell) > 1 && cell[0] == '0' && cell[1] >= '0' && cell[1] <= '9',
		v == math.Trunc(v) && math.Abs(v) >= 1<<53:
		return v, false
	}
	return v, true
}

// Truth returns what the words of a boolean column mean, as [Table.Cell] returns them; nil for a
// column of another type.
func (c *Column) Truth() map[string]bool {
	switch s := &c.store; {
	case c.Type != Boolean:
		return nil
	case s.slot >= 0:
		return map[string]bool{s.boolText[0]: false, s.boolText[1]: true}
	default:
		return truthOf(s.levels)
	}
}

// IsMissing reports whether a cell marks a missing value, as it does in columns of numbers:
// it is empty or blank, NA, N/A, null, ? or NaN.
func IsMissing(cell string) bool { return isMissing([]byte(strings.TrimSpace(cell))) }

// NPYStream reads a NumPy array of one or two dimensions from front to back.
type NPYStream struct {
	Rows, Cols int
	ByColumn   bool // Fortran order: the values of a column follow one another

	npyReader
	from   io.Reader
	buffer []byte
}

// NewNPYStream reads the header of an array, which has no more than most bytes (-1: not known).
// Errors call the input name, and are a [*fault.Input] when it is not an array of plain numbers.
func NewNPYStream(name string, from io.Reader, most int64) (*NPYStream, error) {
	h, err := readNPYHeader(&source{name: name}, from, -1)
	if err != nil {
		return nil, err
	}
	if need := float64(h.rows) * float64(h.cols) * float64(h.width); most >= 0 &&
		need > float64(most) {
		return nil, &fault.Input{File: name,
			Problem: "ends too early: its header promises " + strconv.Itoa(h.rows) + "×" +
				strconv.Itoa(h.cols) + " values",
			Fix: "fetch or save the file again"}
	}
	return &NPYStream{Rows: h.rows, Cols: h.cols, ByColumn: h.fortran,
		npyReader: npyReader{npyHeader: h}, from: from}, nil
}

// Next reads the next len(dst) values in the order of the file. It returns io.ErrUnexpectedEOF when
// there are fewer.
func (s *NPYStream) Next(dst []float64) error {
	if n := len(dst) * s.width; cap(s.buffer) < n {
		s.buffer = make([]byte, n)
	}
	raw := s.buffer[:len(dst)*s.width]
	if _, err := io.ReadFull(s.from, raw); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	for t := range dst {
		dst[t] = s.float(raw[t*s.width:])
	}
	return nil
}
