package link

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/safe"
)

// columns are those of a CSV file and the keys of a JSON line; the first three are needed.
var columns = []string{"a", "b", "link", "p", "source", "time"}

const (
	needed = 3
	// bytes of one record; keeps an unclosed quote or a bomb from filling the memory
	recordMost = 1 << 20
	checkEvery = 1024 // records between two looks at the context
)

// Read reads links from separated text with a header: the columns a, b and link, and p, source and
// time where wanted, in any order. Encoding and separator are found as those of tables are; where
// the separator is not a comma, p may have a decimal comma. a and b are ids that resolve turns into
// rows from 0; a nil resolve takes rows numbered from 1 to 2³¹−1. link is a word of [ParseKind]; p
// the confidence in (0, 1], 1 when empty; time is in RFC 3339. An apostrophe that [Write] put before
// an id or a source is taken off.
//
// Whatever cannot be read so is a [*fault.Input] that names file (as given, for messages), line and
// column: unknown ids, a row linked to itself, other columns, ragged rows, text that is not UTF-8.
func Read(ctx context.Context, r io.Reader, file string,
	resolve func(id string) (row int, ok bool)) ([]Link, error) {
	if resolve == nil {
		resolve = Numbered(1<<31 - 1)
	}
	text, err := dataset.OpenSeparated(r, file)
	if err != nil {
		return nil, readFault(err, file)
	}
	limit := &limited{r: &lineEnds{r: text, quotes: true}}
	c := csv.NewReader(limit)
	c.Comma = rune(text.Separator)
	c.FieldsPerRecord = -1 // ragged rows get our own message
	c.ReuseRecord = true
	header, err := c.Read()
	if err != nil {
		if err == io.EOF {
			return nil, &fault.Input{File: file, Problem: "there is nothing in it",
				Fix: "begin with the line a,b,link"}
		}
		return nil, csvFault(err, file, text.Lines)
	}
	header = slices.Clone(header)
	if err := checkHeader(header); err != nil {
		return nil, place(err, file, text.Lines+1)
	}
	var links []Link
	cells := make(map[string]string, len(header))
	for n := 0; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		limit.used = 0
		record, err := c.Read()
		if err == io.EOF {
			return links, nil
		}
		if err != nil {
			return nil, csvFault(err, file, text.Lines)
		}
		line, _ := c.FieldPos(0)
		line += text.Lines
		if len(record) != len(header) {
			return nil, &fault.Input{File: file, Line: line,
				Problem: fmt.Sprintf("there are %d fields, but the header has %d", len(record),
					len(header)),
				Fix: "give every line the same number; put a field with commas in double quotes"}
		}
		for i, cell := range record {
			if err := checkText(cell); err != nil {
				fieldLine, _ := c.FieldPos(i)
				return nil, placeColumn(err, file, text.Lines+fieldLine, header[i])
			}
			cells[header[i]] = cell
		}
		if text.Separator != ',' {
			cells["p"] = strings.Replace(cells["p"], ",", ".", 1)
		}
		l, err := fromCells(cells, resolve)
		if err != nil {
			return nil, place(err, file, line)
		}
		links = append(links, l)
	}
}

// fromCells takes off what guard and a typist's blanks added, where that yields an id that exists.
func fromCells(cells map[string]string, resolve func(string) (int, bool)) (Link, error) {
	for _, c := range [2]string{"a", "b"} {
		cell := cells[c]
		for _, id := range [3]string{safe.Unguard(cell), cell, strings.TrimSpace(cell)} {
			if _, ok := resolve(id); ok {
				cells[c] = id
				break
			}
		}
	}
	cells["source"] = safe.Unguard(cells["source"])
	cells["p"] = strings.TrimSpace(cells["p"])
	cells["time"] = strings.TrimSpace(cells["time"])
	return assemble(cells, resolve)
}

// checkHeader trims the names of the columns in place and compares them with what can be read.
func checkHeader(header []string) error {
	var extra []string
	for i, name := range header {
		name = strings.TrimSpace(name)
		header[i] = name
		if slices.Contains(header[:i], name) {
			return &fault.Input{Column: name, Problem: "the column is there twice", Fix: "keep one"}
		}
		if !slices.Contains(columns, name) {
			extra = append(extra, quote(name))
		}
	}
	for _, name := range columns[:needed] {
		if slices.Contains(header, name) {
			continue
		}
		return &fault.Input{Column: name, Problem: "the column is missing",
			Fix: "the first line must be a,b,link, and may add p, source and time"}
	}
	if len(extra) > 0 {
		return fault.Inputf("keep only "+strings.Join(columns, ", "),
			"nothing is known of the column %s", strings.Join(extra, " and "))
	}
	return nil
}

// checkText refuses text that is not UTF-8, and NUL.
func checkText(s string) error {
	if !utf8.ValidString(s) {
		return fault.Inputf("save the file as UTF-8", "the text is not UTF-8")
	}
	if strings.Contains(s, "\x00") {
		return fault.Inputf("save the file as plain text", "there is a NUL character")
	}
	return nil
}

// place adds the location to an input error; other errors pass.
func place(err error, file string, line int) error {
	if in, ok := errors.AsType[*fault.Input](err); ok {
		in.File, in.Line = file, line
	}
	return err
}

func placeColumn(err error, file string, line int, column string) error {
	if in, ok := errors.AsType[*fault.Input](err); ok {
		in.Column = column
	}
	return place(err, file, line)
}

// csvFault turns an error of encoding/csv, which began so many lines into the file, into an input
// error.
func csvFault(err error, file string, before int) error {
	var syntax *csv.ParseError
	if !errors.As(err, &syntax) {
		return readFault(err, file)
	}
	in := &fault.Input{File: file, Line: before + syntax.StartLine,
		Problem: "the line cannot be read as CSV", Err: err}
	switch {
	case errors.Is(err, csv.ErrQuote):
		in.Problem, in.Fix = "a double quote is not closed, or is inside a field",
			`put the field in double quotes and write "" for one inside`
	case errors.Is(err, csv.ErrBareQuote):
		in.Line = before + syntax.Line
		in.Problem, in.Fix = "a double quote is inside an unquoted field",
			`put the field in double quotes and write "" for one inside`
	}
	return in
}

// readFault names the file in an error of reading. Input faults from below keep their words.
func readFault(err error, file string) error {
	if in, ok := errors.AsType[*fault.Input](err); ok {
		return place(err, file, in.Line)
	}
	if file == "" {
		return fmt.Errorf("links: %w", err)
	}
	return fmt.Errorf("%s: %w", file, err)
}

// limited fails once a single record takes more than recordMost bytes.
type limited struct {
	r    io.Reader
	used int // since the record began
}

func (l *limited) Read(p []byte) (int, error) {
	if l.used > recordMost {
		return 0, fault.Inputf("look for a double quote that is not closed",
			"a record is longer than %d bytes", recordMost)
	}
	n, err := l.r.Read(p)
	l.used += n
	return n, err
}
