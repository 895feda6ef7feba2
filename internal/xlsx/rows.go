package xlsx

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind is what the value of a cell is.
type Kind uint8

// The kinds of values.
const (
	Number  Kind = iota // a number, or a duration in seconds
	Boolean             // true or false
	Text
	Time // a date, a time of day or both, in ISO 8601
)

// Cell is a cell with a value.
type Cell struct {
	Column int // from 0
	Kind   Kind
	Text   []byte
}

// mostColumns and mostRows are the bounds of a sheet in Excel.
const (
	mostColumns = 16384
	mostRows    = 1048576
)

// mostLetters is how many letters a cell holds at most in Excel.
const mostLetters = 32767

// Rows reads the rows of a sheet. What is counted is complete at the end of the sheet.
type Rows struct {
	Merged     int    // ranges of merged cells
	Errors     int    // cells with an error as their value, such as #N/A
	FirstError string // the first of them, as in "B7 (#N/A)"
	NoResult   int    // formulas without a stored result
	// the columns that have some
	NoResultIn map[int]bool
	Durations  int // cells that show a duration

	book  *Book
	part  *part
	row   int // of the last one, from 1
	cells []Cell
	store [][]byte // of the cells, used again
	text  []byte
	left  int64 // bytes that the cells may still have together
}

// Rows returns the rows of a sheet. The caller closes them.
func (b *Book) Rows(s Sheet) (*Rows, error) {
	p, err := b.open(s.part)
	if err != nil {
		return nil, err
	}
	return &Rows{book: b, part: p, left: b.limit}, nil
}

// Close ends the reading.
func (r *Rows) Close() { r.part.close() }

// Next returns the next row that has values, and its number in the sheet; io.EOF after the last.
// The cells last until the next call.
func (r *Rows) Next() (row int, cells []Cell, err error) {
	for {
		t, err := r.part.next()
		if err != nil {
			return 0, nil, err
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "row":
			if err := r.readRow(e); err != nil {
				return 0, nil, fmt.Errorf("row %d: %w", r.row, early(err))
			}
			if len(r.cells) > 0 {
				return r.row, r.cells, nil
			}
		case "mergeCell":
			r.Merged++
		}
	}
}

func (r *Rows) readRow(e xml.StartElement) error {
	r.row++
	if at := attribute(e, "r"); at != "" {
		n, err := strconv.Atoi(at)
		if err != nil || n < r.row {
			return errors.New("the rows are out of order")
		}
		r.row = n
	}
	if r.row > mostRows {
		return fmt.Errorf("there are more than the %d rows that a sheet can have", mostRows)
	}
	r.cells = r.cells[:0]
	column := 0
	for {
		t, err := r.part.next()
		if err != nil {
			return err
		}
		switch e := t.(type) {
		case xml.StartElement:
			if e.Name.Local != "c" {
				continue
			}
			if at := attribute(e, "r"); at != "" {
				to, ok := columnOf(at)
				if !ok || to < column {
					return errors.New("the cells are out of order")
				}
				column = to
			}
			if column >= mostColumns {
				return fmt.Errorf("there are more than the %d columns that a sheet can have",
					mostColumns)
			}
			if err := r.readCell(e, column); err != nil {
				return err
			}
			column++
		case xml.EndElement:
			if e.Name.Local == "row" {
				return nil
			}
		}
	}
}

// columnOf returns the column of a place such as AB12, from 0.
func columnOf(place string) (column int, ok bool) {
	for i := range len(place) {
		c := place[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			return column - 1, i > 0
		}
		column = min(26*column+int(c-'A')+1, mostColumns+1) // beyond the last, however long
	}
	return 0, false
}

// ColumnName returns the letters of a column, counted from 0.
func ColumnName(column int) string {
	name := ""
	for column++; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name
}

// readCell reads a cell that has begun.
func (r *Rows) readCell(e xml.StartElement, column int) error {
	kind, style := attribute(e, "t"), 0
	if s := attribute(e, "s"); s != "" {
		style, _ = strconv.Atoi(s)
	}
	value := r.text[:0]
	within, formula, result := false, false, false
	for done := false; !done; {
		t, err := r.part.next()
		if err != nil {
			return err
		}
		switch e := t.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "v":
				within, result = true, true
			case "f":
				formula = true
			case "is":
				if value, err = r.part.richText(value, "is"); err != nil {
					return err
				}
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "v":
				within = false
			case "c":
				done = true
			}
		case xml.CharData:
			if within {
				value = append(value, e...)
			}
		}
	}
	r.text = value
	if len(value) == 0 {
		// an empty result of Excel is a text
		if formula && (!result || kind != "str") {
			r.NoResult++
			if r.NoResultIn == nil {
				r.NoResultIn = make(map[int]bool)
			}
			r.NoResultIn[column] = true
		}
		return nil
	}
	return r.put(column, kind, style, value)
}

// put adds a value to the row.
func (r *Rows) put(column int, kind string, style int, value []byte) error {
	k := len(r.cells)
	if k == len(r.store) {
		r.store = append(r.store, nil)
	}
	cell := Cell{Column: column, Kind: Text}
	dst := r.store[k][:0]
	switch kind {
	case "s":
		i, err := strconv.Atoi(string(value))
		if err != nil || i < 0 || i >= len(r.book.strings.ends) {
			return errors.New("a cell names a text that the workbook does not have")
		}
		value = r.book.strings.at(i)
		if err := r.check(column, value); err != nil {
			return err
		}
		dst = append(dst, value...)
	case "b":
		cell.Kind = Boolean
		dst = strconv.AppendBool(dst, isTrue(string(value)))
	case "e":
		if r.Errors++; r.Errors == 1 {
			r.FirstError = ColumnName(column) + strconv.Itoa(r.row) + " (" +
				strings.ToValidUTF8(string(value[:min(len(value), 20)]), "") + ")"
		}
		return nil
	case "str", "inlineStr":
		if err := r.check(column, value); err != nil {
			return err
		}
		dst = append(dst, value...)
	case "d": // ISO 8601 as it stands
		cell.Kind, dst = Time, append(dst, value...)
	default:
		cell.Kind = Number
		f := number
		if style >= 0 && style < len(r.book.styles) {
			f = r.book.styles[style]
		}
		days, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			return fmt.Errorf("%.40q in %s is not a number", value, ColumnName(column))
		}
		shown := f != number
		if shown {
			dst, shown = r.book.appendDate(dst, days, f)
		}
		switch {
		case shown && f == elapsed:
			r.Durations++
		case shown:
			cell.Kind = Time
		default:
			dst = append(dst, value...)
		}
	}
	r.store[k] = dst
	if len(dst) == 0 {
		return nil
	}
	if r.left -= int64(len(dst)) + 1; r.left < 0 { // many cells may share one text
		return TooLarge{r.book.limit}
	}
	cell.Text = dst
	r.cells = append(r.cells, cell)
	return nil
}

// check refuses a text that is longer than a cell can hold.
func (r *Rows) check(column int, text []byte) error {
	if len(text) > mostLetters && utf8.RuneCount(text) > mostLetters {
		return fmt.Errorf("the cell in column %s has more than %d letters, the most of a cell",
			ColumnName(column), mostLetters)
	}
	return nil
}

// Extent is how much a sheet holds.
type Extent int

// The extents of sheets.
const (
	Nothing Extent = iota // no values
	Values                // values, but no two rows of two among the first rows
	Table                 // two rows of two values
)

// Extent looks at so many rows with values and returns what a sheet holds.
func (b *Book) Extent(s Sheet, rows int) (Extent, error) {
	r, err := b.Rows(s)
	if err != nil {
		return Nothing, err
	}
	defer r.Close()
	found, wide := Nothing, 0
	for range rows {
		_, cells, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return found, err
		}
		if found = Values; len(cells) > 1 {
			if wide++; wide == 2 {
				return Table, nil
			}
		}
	}
	return found, nil
}
