package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
)

// readRectangle reads dissimilarities of new objects, a row each, to fitted ones: .npy, or numbers separated by commas without header.
func (s *source) readRectangle(ctx context.Context, a *app, name string) (dataset.Matrix, error) {
	path, where, err := a.locate(name)
	if err != nil {
		return dataset.Matrix{}, err
	}
	if where == inFile && strings.HasSuffix(strings.ToLower(path), ".npy") {
		t, err := s.read(ctx, a, name, false)
		if err != nil {
			return dataset.Matrix{}, err
		}
		p, err := t.Prepare(ctx, dataset.Preparation{Scale: dataset.ScaleNone, Consume: true, Threads: s.threads})
		if err != nil {
			return dataset.Matrix{}, err
		}
		return p.X, nil
	}
	if where == inStream {
		return parseRectangle(ctx, a.in, "stdin")
	}
	f, err := os.Open(path)
	if err != nil {
		return dataset.Matrix{}, &fault.Input{File: name, Problem: "the file cannot be opened", Mend: "give a file of numbers, or .npy", Err: err}
	}
	defer f.Close()
	return parseRectangle(ctx, f, path)
}

// parseRectangle reads lines of equally many numbers.
func parseRectangle(ctx context.Context, r io.Reader, name string) (m dataset.Matrix, err error) {
	c := csv.NewReader(bufio.NewReaderSize(r, 1<<20))
	c.FieldsPerRecord, c.ReuseRecord, c.TrimLeadingSpace = -1, true, true
	for {
		record, err := c.Read()
		if err == nil && len(record) == 1 && strings.TrimSpace(record[0]) == "" {
			continue // a line of blanks
		}
		line := 0
		if err == nil {
			line, _ = c.FieldPos(0)
		}
		var syntax *csv.ParseError
		switch {
		case err == io.EOF && m.Rows == 0:
			return m, &fault.Input{File: name, Problem: "there is nothing in it", Mend: "give one line a new object, with its dissimilarity to each fitted one"}
		case err == io.EOF:
			return m, nil
		case errors.As(err, &syntax):
			return m, &fault.Input{File: name, Line: syntax.Line, Problem: "the line is not made of numbers and commas", Mend: "give numbers only, without header", Err: err}
		case err != nil:
			return m, &fault.Input{File: name, Problem: "it cannot be read", Mend: "give a file of numbers, or .npy", Err: err}
		case m.Rows == 0:
			m.Cols = len(record)
		case len(record) != m.Cols:
			return m, &fault.Input{File: name, Line: line, Problem: fmt.Sprintf("there are %d numbers, and %d in the lines before", len(record), m.Cols), Mend: "give every line the same number"}
		}
		if m.Rows%convertRows == 0 && ctx.Err() != nil {
			return m, ctx.Err()
		}
		for j, cell := range record {
			v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
			if err != nil || !(v >= 0 && v < 1e38) {
				return m, &fault.Input{File: name, Line: line, Column: strconv.Itoa(j + 1), Problem: fmt.Sprintf("%.40q is no dissimilarity", cell), Mend: "give finite numbers of 0 or more, without header"}
			}
			m.F64 = append(m.F64, v)
		}
		m.Rows++
	}
}
