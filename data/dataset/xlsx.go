package dataset

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/internal/xlsx"
)

// isMachine reports whether an error is one of the machine or of a context, not of a file.
func isMachine(err error) bool {
	var machine *fs.PathError
	return errors.As(err, &machine) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded)
}

// readXLSX reads a sheet of an Excel workbook. Row numbers in messages are those of the sheet.
func readXLSX(ctx context.Context, src *source, t *Table, o ReadOptions) error {
	in, size, err := src.bytesAt(ctx)
	if err != nil {
		return err
	}
	damaged := func(name, what string, err error) error {
		if large, ok := errors.AsType[xlsx.TooLarge](err); ok {
			return &fault.Input{File: name, Problem: large.Error(),
				Fix: "save the sheet as CSV, or raise --inflate-limit if the file can be trusted", Err: err}
		}
		return damaged(name, what, err)
	}
	const what = "Excel workbook"
	archive, err := zip.NewReader(&endingReader{ctx, in}, size)
	if err != nil {
		return damaged(src.name, what, err)
	}
	book, err := xlsx.Open(archive, o.inflateLimit())
	switch {
	case errors.Is(err, xlsx.ErrNotBook):
		return &fault.Input{File: src.name, Problem: "is a zip archive without an Excel workbook",
			Fix: "save the sheet as .xlsx or CSV again", Err: err}
	case err != nil:
		return damaged(src.name, what, err)
	}
	sheet, err := chooseSheet(src.name, book, o, t)
	if err != nil {
		return damaged(src.name, what, err)
	}
	rows, err := book.Rows(book.Sheets[sheet])
	if err != nil {
		return damaged(src.name, what, err)
	}
	defer rows.Close()
	s := &sheetReader{name: src.name, sheet: book.Sheets[sheet].Name, rows: rows}
	if err := s.look(); err != nil {
		return damaged(src.name, what, err)
	}
	if err := readRecords(ctx, src.name, t, records{cols: s.cols, next: s.next}, o); err != nil {
		return damaged(src.name, what, err)
	}
	t.Notes = append(t.Notes, sheetNote(book, sheet))
	t.Notes = append(t.Notes, s.notes()...)
	for i, c := range s.cols {
		if at := t.Column(c.name); at >= 0 {
			t.Columns[at].store.uncomputed = rows.NoResultIn[s.left+i]
		}
	}
	return nil
}

// endingReader reads until its context ends.
type endingReader struct {
	ctx  context.Context
	from io.ReaderAt
}

func (r *endingReader) ReadAt(p []byte, at int64) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.ReadAt(p, at)
}

// chooseSheet finds the sheet by name or number, from 1; else the first that is visible and holds a
// table, or has values where none does.
func chooseSheet(file string, book *xlsx.Book, o ReadOptions, t *Table) (at int, err error) {
	names := make([]string, len(book.Sheets))
	for i, s := range book.Sheets {
		names[i] = s.Name
	}
	t.Parts = &Parts{What: "sheet", Names: names}
	defer func() {
		if err == nil {
			t.Parts.Chosen = names[at]
		}
	}()
	if o.Sheet != "" {
		return choosePart(file, "sheet", names, o.Sheet)
	}
	for _, hidden := range []bool{false, true} {
		first := -1 // with values
		for i, s := range book.Sheets {
			if s.Hidden != hidden {
				continue
			}
			switch holds, err := book.Extent(s, sampleRows); {
			case err != nil:
				return i, err
			case holds == xlsx.Table && first >= 0:
				t.Notes = append(t.Notes, "sheet "+s.Name+" is the first with two columns and "+
					"two rows, so it was taken, not "+names[first])
				return i, nil
			case holds == xlsx.Table, holds == xlsx.Values && o.Earlier:
				return i, nil
			case holds == xlsx.Values && first < 0:
				first = i
			}
		}
		if first >= 0 {
			return first, nil
		}
	}
	return 0, &fault.Input{File: file, Problem: "has no sheet with values",
		Fix: "give a workbook with a table"}
}

// choosePart finds one of several parts of a file by name or, where no name is that, by number from
// 1.
func choosePart(file, what string, names []string, asked string) (int, error) {
	if i := slices.Index(names, asked); i >= 0 {
		return i, nil
	}
	if n, err := strconv.Atoi(asked); err == nil && n >= 1 && n <= len(names) {
		return n - 1, nil
	}
	in := &fault.Input{File: file,
		Problem: "has no " + what + " " + quote([]byte(asked)),
		Fix:     "name one of " + words.UpTo(names, 20) + ", or its number"}
	if len(names) == 0 {
		in.Problem, in.Fix = "has no "+what, "give a file with one"
	}
	return 0, in
}

// toCompute is how formulas come by stored results.
const toCompute = "open and save the file in Excel or LibreOffice to compute them"

// sheetNote names the sheet and, where there are some, the others.
func sheetNote(book *xlsx.Book, sheet int) string {
	var others []string
	for i, s := range book.Sheets {
		if i != sheet {
			others = append(others, s.Name)
		}
	}
	note := "sheet " + book.Sheets[sheet].Name
	if len(others) > 0 {
		note += "; other sheets: " + words.UpTo(others, 8) + " (--sheet chooses)"
	}
	return note
}

// sheetReader finds the table in a sheet and reads its rows.
type sheetReader struct {
	name, sheet string
	rows        *xlsx.Rows
	cols        []sampled
	left        int // first column of the table

	held    []sheetRow // read to find the table, below its header
	row     record
	skipped int // rows with values above the header
	last    int // number of the last row
	first   int // number of the first row, where it is no header; else 0
	blank   int // rows without values between others
}

// cellBytes is about what a cell takes beside its text.
const cellBytes = 48

type sheetRow struct {
	number int
	cells  []xlsx.Cell
}

// look reads the first rows and finds the header: the first row that has a value in nearly every
// column that the rows mostly have. What is above it is left out.
func (s *sheetReader) look() error {
	left := memory.NewBudget()
	for len(s.held) < sampleRows {
		number, cells, err := s.rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		row := sheetRow{number, slices.Clone(cells)}
		size := int64(0)
		for i := range row.cells {
			row.cells[i].Text = slices.Clone(row.cells[i].Text)
			size += cellBytes + int64(len(row.cells[i].Text))
		}
		left.Take(size)
		if err := fits(left, s.name, rowsSoFar, float64(size)); err != nil {
			return err
		}
		s.held = append(s.held, row)
	}
	if len(s.held) == 0 {
		in := &fault.Input{File: s.name, Problem: "the sheet " + s.sheet + " has no values",
			Fix: "choose another with --sheet"}
		if s.rows.NoResult > 0 {
			in.Problem += " but formulas without stored results"
			in.Fix = toCompute
		}
		return in
	}
	counts := make([]int, len(s.held))
	for i, row := range s.held {
		counts[i] = len(row.cells)
	}
	sort.Ints(counts)
	usual := counts[len(counts)/2]
	head := 0
	for head < len(s.held)-1 && len(s.held[head].cells) < usual-usual/5 {
		head++
	}
	header := s.held[head]
	s.skipped = head
	numbers := 0
	for _, c := range header.cells {
		if c.Kind == xlsx.Number {
			numbers++
		}
	}
	headless := numbers == len(header.cells)
	s.held = s.held[head:]
	s.left, s.last = header.cells[0].Column, header.number
	right := 0
	for _, row := range s.held {
		s.left = min(s.left, row.cells[0].Column)
		right = max(right, row.cells[len(row.cells)-1].Column+1)
	}
	s.cols = make([]sampled, right-s.left)
	if headless {
		s.cols = numbered(len(s.cols))
		s.last--
	} else {
		for _, c := range header.cells {
			s.cols[c.Column-s.left].name = strings.Join(strings.Fields(string(c.Text)), " ")
		}
		for i := range s.cols {
			if s.cols[i].name == "" {
				s.cols[i].name, s.cols[i].unnamed = "column"+itoa(i+1), true
			}
		}
		s.held = s.held[1:]
	}
	if len(s.held) == 0 {
		return &fault.Input{File: s.name,
			Problem: "the sheet " + s.sheet + " has a header but no rows",
			Fix:     "add rows below the header, or choose another sheet with --sheet"}
	}
	if headless {
		s.first = s.held[0].number
	}
	return nil
}

// next returns the next row of the table.
func (s *sheetReader) next() (record, error) {
	var row sheetRow
	if len(s.held) > 0 {
		row, s.held = s.held[0], s.held[1:]
	} else {
		var err error
		if row.number, row.cells, err = s.rows.Next(); err != nil {
			return record{}, err
		}
	}
	s.blank += row.number - s.last - 1
	s.last = row.number
	if s.row.cells == nil {
		s.row.cells = make([][]byte, len(s.cols))
		s.row.typed = make([]bool, len(s.cols))
	}
	clear(s.row.cells)
	clear(s.row.typed)
	s.row.number = row.number
	for _, c := range row.cells {
		at := c.Column - s.left
		if at < 0 || at >= len(s.cols) {
			return record{}, &fault.Input{File: s.name, Row: row.number,
				Column: xlsx.ColumnName(c.Column), Problem: "has a value beside the table",
				Fix: "move it away from the table, or give its column a name"}
		}
		s.row.cells[at] = bytes.TrimSpace(c.Text)
		s.row.typed[at] = c.Kind == xlsx.Number
	}
	return s.row, nil
}

// notes states what was found in the sheet.
func (s *sheetReader) notes() []string {
	var notes []string
	if s.skipped > 0 {
		notes = append(notes, plural(s.skipped, "row", "rows")+" above the header left out")
	}
	if s.first > 0 {
		notes = append(notes, "row "+itoa(s.first)+
			" holds only numbers, so it was taken as data and "+numberedNote(len(s.cols)))
	}
	if s.blank > 0 {
		notes = append(notes, plural(s.blank, "blank row was", "blank rows were")+
			" skipped between rows")
	}
	r := s.rows
	if r.Errors > 0 {
		notes = append(notes, plural(r.Errors, "cell with an error is", "cells with an error are")+
			" taken as missing, the first in "+r.FirstError)
	}
	if r.NoResult > 0 {
		notes = append(notes, plural(r.NoResult, "formula", "formulas")+
			" without a stored result taken as missing: "+toCompute)
	}
	if r.Merged > 0 {
		notes = append(notes, plural(r.Merged, "range", "ranges")+
			" of merged cells: only the first cell of each has its value")
	}
	if r.Durations > 0 {
		notes = append(notes, plural(r.Durations, "duration", "durations")+" taken in seconds")
	}
	return notes
}
