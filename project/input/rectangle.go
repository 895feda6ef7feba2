package input

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
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
		return parseRectangle(ctx, place.Stdin, "stdin")
	}
	f, err := place.open(path, "a file of dissimilarities")
	if fault.IsInput(err) {
		return dataset.Matrix{}, err
	}
	if err != nil {
		return dataset.Matrix{},
			&fault.Input{File: name, Problem: "the file cannot be opened",
				Fix: "give a file of numbers, or .npy", Err: err}
	}
	defer f.Close()
	return parseRectangle(ctx, f, path)
}

// separator returns what is between the numbers of a line, as in a matrix; 0 for blanks.
func separator(line string) rune {
	for _, c := range ",;\t" {
		if strings.ContainsRune(line, c) {
			return c
		}
	}
	return 0
}

// cells cuts a line at the separator.
func cells(line string, at rune) []string {
	if at == 0 {
		return strings.Fields(line)
	}
	return strings.Split(line, string(at))
}

// parseRectangle reads lines of equally many numbers, plain or packed.
func parseRectangle(ctx context.Context, r io.Reader, name string) (m dataset.Matrix, err error) {
	r, _, done, err := Unpacked(r, name)
	if err != nil {
		return m, err
	}
	defer done()
	lines := bufio.NewReaderSize(r, 1<<20)
	var at rune
	for number := 1; ; number++ {
		line, err := lines.ReadString('\n')
		var in *fault.Input
		switch {
		case errors.As(err, &in): // it cannot be unpacked
			return m, err
		case err != nil && err != io.EOF:
			return m, &fault.Input{File: name, Problem: "it cannot be read",
				Fix: "give a file of numbers, or .npy", Err: err}
		}
		if err := ended(ctx, 1024, number); err != nil {
			return m, err
		}
		if line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); line != "" {
			if m.Rows == 0 {
				at = separator(line)
			}
			if err := appendRow(&m, cells(line, at), name, number); err != nil {
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
