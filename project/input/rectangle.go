package input

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
)

// Rectangle reads dissimilarities of new objects, a row each, to fitted ones: .npy, or numbers
// without header, separated as in a matrix.
func (s *Source) Rectangle(ctx context.Context, place Place, name string,
	progress Progress) (dataset.Matrix, error) {
	path, where, err := place.Locate(name)
	if err != nil {
		return dataset.Matrix{}, err
	}
	if where == InFile && strings.HasSuffix(strings.ToLower(path), ".npy") {
		t, err := s.Read(ctx, place, name, false, progress)
		if err != nil {
			return dataset.Matrix{}, err
		}
		p, err := t.Prepare(ctx,
			dataset.Preparation{Scale: dataset.ScaleNone, Consume: true, Threads: s.Threads})
		if err != nil {
			var in *fault.Input
			if errors.As(err, &in) {
				in.Fix = "give finite numbers of 0 or more"
			}
			return dataset.Matrix{}, err
		}
		return p.X, nil
	}
	if where == InStream {
		return parseRectangle(ctx, place.Stdin, "stdin", s.Decimal)
	}
	f, err := place.open(ctx, path, "a file of dissimilarities")
	if fault.IsInput(err) {
		return dataset.Matrix{}, err
	}
	if err != nil {
		return dataset.Matrix{},
			&fault.Input{File: name, Problem: "the file cannot be opened",
				Fix: "give a file of numbers, or .npy", Err: err}
	}
	defer f.Close()
	return parseRectangle(ctx, f, path, s.Decimal)
}

// cells cuts a line at the separator, and writes decimal commas as points.
func cells(line []byte, marks dissim.Marks) (record []string, ok bool) {
	ok = marks.Point(line)
	if marks.Separator == ' ' {
		return strings.Fields(string(line)), ok
	}
	return strings.Split(string(line), string(rune(marks.Separator))), ok
}

// parseRectangle reads lines of equally many numbers, plain or packed. decimal is their mark, ""
// for one to be found.
func parseRectangle(ctx context.Context, r io.Reader, name, decimal string) (m dataset.Matrix,
	err error) {
	r, _, done, err := Unpacked(infile.Interruptible(ctx, r), name)
	if err != nil {
		return m, err
	}
	defer done()
	lines := bufio.NewReaderSize(r, 1<<20)
	front, err := lines.Peek(1 << 20)
	if err == nil { // whole lines
		front = front[:bytes.LastIndexByte(front, '\n')+1]
	} else if err != io.EOF {
		return m, unreadable(name, err)
	}
	marks, wrong := dissim.FindMarks(bytes.TrimPrefix(front, []byte("\ufeff")), decimal)
	if wrong != nil {
		wrong.File = name
		return m, wrong
	}
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return m, unreadable(name, err)
		}
		if err := ended(ctx, 1024, number); err != nil {
			return m, err
		}
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))); len(line) > 0 {
			record, ok := cells(line, marks)
			if !ok {
				return m, &fault.Input{File: name, Line: number,
					Problem: "has a point where other numbers have a decimal comma",
					Fix:     "write all numbers alike, or name the decimal mark (--decimal .)"}
			}
			if err := appendRow(&m, record, name, number); err != nil {
				return m, err
			}
		}
		if err == io.EOF {
			break
		}
	}
	if m.Rows == 0 {
		return m, &fault.Input{File: name, Problem: "there is nothing in it",
			Fix: "give one line a new object, with its dissimilarity to each fitted one"}
	}
	return m, nil
}

// unreadable is an error of reading; it is err itself where that names what cannot be unpacked.
func unreadable(name string, err error) error {
	var in *fault.Input
	if errors.As(err, &in) {
		return err
	}
	return &fault.Input{File: name, Problem: "it cannot be read",
		Fix: "give a file of numbers, or .npy", Err: err}
}

// appendRow adds the numbers of a line.
func appendRow(m *dataset.Matrix, record []string, name string, line int) error {
	if m.Rows == 0 {
		m.Cols = len(record)
	}
	if len(record) != m.Cols {
		return &fault.Input{File: name, Line: line,
			Problem: fmt.Sprintf("there are %d numbers, and %d in the lines before", len(record),
				m.Cols), Fix: "give every line the same number"}
	}
	for j, cell := range record {
		v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if err != nil || !(v >= 0 && v < 1e38) {
			return &fault.Input{File: name, Line: line, Column: strconv.Itoa(j + 1),
				Problem: fmt.Sprintf("%.40q is no dissimilarity", cell),
				Fix:     "give finite numbers of 0 or more, without header"}
		}
		m.F64 = append(m.F64, v)
	}
	m.Rows++
	return nil
}
