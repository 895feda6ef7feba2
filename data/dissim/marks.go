package dissim

import (
	"bytes"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// Marks are how the numbers of a text are separated and written.
type Marks struct {
	Separator byte // ' ' means any run of blanks
	Comma     bool // numbers have a decimal comma
}

// FindMarks finds how the numbers of a text are written by its first lines. decimal is the decimal
// mark, "." or ","; "" is for one to be found. It fails with a [*fault.Input] where a mark may be
// the decimal one or stand between thousands.
func FindMarks(text []byte, decimal string) (Marks, *fault.Input) {
	m := Marks{Separator: separator(text)}
	switch {
	case decimal != "":
		m.Comma = decimal == ","
		return m, nil
	case m.Separator == ',' || bytes.IndexByte(text, ',') < 0:
		return m, nil
	}
	commas, points, doubtful := 0, 0, ""
	fields := bytes.FieldsFunc(text, func(r rune) bool {
		return r == '\n' || r == '\r' || r == rune(m.Separator) || r == '\t'
	})
	for _, f := range fields {
		f = bytes.TrimSpace(f)
		switch before, after, ok := bytes.Cut(f, []byte(",")); {
		case !ok:
			if _, number := dataset.ParseNumber(f); number && bytes.IndexByte(f, '.') >= 0 {
				points++
			}
		case !isNumber(string(f)):
		case len(after) == 3 && len(before) < 4 && len(bytes.Trim(before, "0")) > 0:
			doubtful = string(f)
		default:
			commas++
		}
	}
	m.Comma = commas > points
	if doubtful != "" && commas+points == 0 {
		plain := strings.ReplaceAll(doubtful, ",", "")
		return m, &fault.Input{
			Problem: quote([]byte(doubtful)) + " may be " + strings.ReplaceAll(doubtful, ",", ".") +
				" or " + plain,
			Fix: "give the decimal mark (--decimal , or --decimal .)"}
	}
	return m, nil
}

// separator finds what stands between the fields of the first line that is not blank: a semicolon,
// a tab or a comma, or blanks, where commas within numbers are decimal ones.
func separator(text []byte) byte {
	text = bytes.TrimLeft(text, "\r\n \t")
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	for _, sep := range []byte{';', '\t'} {
		if bytes.IndexByte(line, sep) >= 0 {
			return sep
		}
	}
	if bytes.IndexByte(line, ',') < 0 {
		return ' '
	}
	next, _, _ := bytes.Cut(bytes.TrimLeft(rest, "\r\n \t"), []byte("\n"))
	width := len(bytes.Fields(line))
	if width > 2 && len(bytes.Fields(next)) == width && areNumbers(line) && areNumbers(next) {
		return ' '
	}
	return ','
}

// areNumbers reports whether the fields between blanks are numbers; a name may come first.
func areNumbers(line []byte) bool {
	for i, f := range bytes.Fields(line) {
		if !isNumber(string(f)) && (i > 0 || bytes.IndexByte(f, ',') >= 0) {
			return false
		}
	}
	return true
}

// isNumber reports whether a field is a number with a decimal point or comma.
func isNumber(s string) bool {
	_, ok := dataset.ParseNumber([]byte(s))
	if !ok && strings.Count(s, ",") == 1 && !strings.Contains(s, ".") {
		_, ok = dataset.ParseNumber([]byte(strings.Replace(s, ",", ".", 1)))
	}
	return ok
}

// Point writes the decimal commas of numbers as points, in place. It reports false for a point
// beside them, and changes nothing.
func (m Marks) Point(line []byte) bool {
	if !m.Comma || m.Separator == ',' {
		return true
	}
	if bytes.IndexByte(line, '.') >= 0 {
		return false
	}
	for i, c := range line {
		if c == ',' {
			line[i] = '.'
		}
	}
	return true
}

// condensed returns the number of objects, 3 or more, that have so many pairs; ok is false where
// none has.
func condensed(pairs int) (n int, ok bool) {
	for n*(n-1)/2 < pairs {
		n++
	}
	return n, n > 2 && n*(n-1)/2 == pairs
}
