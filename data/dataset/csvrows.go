package dataset

import (
	"bytes"
	"math"

	"github.com/kindred-go/kindred/fault"
)

// CSVKeep describes what is done with the values of a column of separated text.
type CSVKeep int

// What is done with the values of a column.
const (
	CSVSkip    CSVKeep = iota // they are passed over
	CSVNumber                 // numbers; missing ones become NaN
	CSVBoolean                // true and false (also yes/no, t/f) become 1 and 0; missing ones NaN
	CSVText                   // texts, without quotes and surrounding blanks
)

// CSVPlace is how a column is kept, and where in a row: the position among its numbers or
// among its texts.
type CSVPlace struct {
	Keep CSVKeep
	Slot int
}

// MaxCSVRow is the most bytes that a row of separated text may have, so that a quote nobody closed
// cannot fill the memory.
const MaxCSVRow = maxRecord

// CSVRows reads separated text row by row, by the rules and with the very values of [Read], and
// goes on after rows that cannot be read. It does so at the next line, whatever the quotes, so that
// a stray one costs no more than its own line.
type CSVRows struct {
	Start int // where the row begins in the text
	Line  int // its line, counted from 0 at the beginning of the text
	// what is wrong with it, with a line counted so and no file; nil: nothing
	Fault *fault.Input

	csvParser
	comma   bool
	columns []columnPlan
	places  []CSVPlace
	text    []byte
	final   bool
	at      int // of what comes next, in bytes and lines
	atLine  int
	dirty   bool // the text has a byte that no text has
	buffer  []byte
}

// NewCSVRows reads rows of the columns of a front, where places describes how each is kept. With
// comma, numbers have a decimal comma in place of a point.
func NewCSVRows(front *CSVFront, places []CSVPlace, comma bool) *CSVRows {
	r := &CSVRows{places: places, comma: comma}
	r.sep, r.remark = front.Separator, front.remark()
	for _, c := range front.Columns {
		r.columns = append(r.columns, columnPlan{name: c.Name})
	}
	return r
}

// Take begins a text, which starts where a row does. Its last byte is a line feed that does not
// belong to it. Unless it is the final piece of its text, a last row that may go on behind it is
// left for the next.
func (r *CSVRows) Take(text []byte, final bool) {
	r.text, r.final, r.end, r.at, r.atLine = text, final, len(text)-1, 0, 0
	r.dirty = badByte(text[:r.end]) >= 0
}

// Rest returns the position of the first byte, and the number of line ends before it, that Next has
// not read for good.
func (r *CSVRows) Rest() (place, lines int) { return r.at, r.atLine }

// Next reads the next row into numbers and texts, whose slots it writes over (a text as an append
// to what its slot holds, cut to no length). It returns false at the end of the text. Of a row with
// a Fault the values mean nothing.
func (r *CSVRows) Next(numbers []float64, texts [][]byte) bool {
	r.line = r.atLine
	i := r.skipBlank(r.text, r.at)
	if i >= r.end {
		r.passBlank()
		return false
	}
	r.Start, r.Line = i, r.line
	next, wrong := r.row(r.text, i, len(r.columns), func(i, col int) (int, int, *fault.Input) {
		next, wrong := r.cell(i, col, numbers, texts)
		return next, col, wrong
	})
	open := false
	if wrong != nil {
		open = !r.final && r.open()
		next = r.nextLine()
	}
	if !r.final && (open || next >= r.end) {
		if r.end-i <= MaxCSVRow {
			return false
		}
		wrong = &fault.Input{Line: r.Line, Problem: "is longer than 64 MiB",
			Fix: "check that every quote is closed"}
	}
	next = min(next, r.end)
	if r.dirty {
		if bad := badByte(r.text[i:next]); bad >= 0 {
			wrong = badByteFault(r.text[i:next], bad)
			wrong.Line += r.Line
			next = r.nextLine()
		}
	}
	r.Fault = wrong
	r.at, r.atLine = next, r.line
	return true
}

// open reports whether the row, of which something is wrong, may go on behind the text, so that
// something else may turn out wrong.
func (r *CSVRows) open() bool {
	for i := r.Start; ; i++ {
		_, next, broken := r.field(r.text, i)
		if broken != nil {
			return broken.Problem == UnclosedQuote
		}
		if i = next; i >= r.end || r.text[i] != r.sep {
			return r.endLine(r.text, i) >= r.end
		}
	}
}

// nextLine returns the position after the first line of a row, and sets the line there.
func (r *CSVRows) nextLine() int {
	r.line = r.Line
	return min(r.endLine(r.text, r.Start+bytes.IndexAny(r.text[r.Start:], "\r\n")), r.end)
}

// passBlank steps over the blank lines at the end of the text, but for a last one that may go on
// behind it.
func (r *CSVRows) passBlank() {
	rest := r.text[r.at:r.end]
	if !r.final {
		n := bytes.LastIndexAny(rest[:max(0, len(rest)-1)], "\r\n") + 1
		if n > 0 && rest[n-1] == '\r' && rest[n] == '\n' {
			n--
		}
		rest = rest[:n]
	}
	r.at += len(rest)
	r.atLine += lineEnds(rest)
}

// cell reads the field at text[i] and returns the position after it.
func (r *CSVRows) cell(i, col int, numbers []float64, texts [][]byte) (int, *fault.Input) {
	place := r.places[col]
	if place.Keep == CSVNumber && !r.comma {
		if v, next, ok := ScanNumber(r.text, i); ok {
			// Almost every field of a numeric table ends here. v-v is 0 unless v is infinite.
			if c := r.text[next]; (c == r.sep || c == '\n' || c == '\r') && v-v == 0 {
				numbers[place.Slot] = v
				return next, nil
			}
		}
	}
	line := r.line
	value, next, wrong := r.field(r.text, i)
	if wrong != nil {
		return 0, wrong
	}
	switch place.Keep {
	case CSVNumber:
		numbers[place.Slot], wrong = r.number(value)
	case CSVBoolean:
		numbers[place.Slot], wrong = readBoolean(value)
	case CSVText:
		texts[place.Slot] = append(texts[place.Slot][:0], value...)
	}
	if wrong != nil {
		wrong.Line, wrong.Column = line, r.columns[col].name
		return 0, wrong
	}
	return next, nil
}

// number reads a whole field.
func (r *CSVRows) number(s []byte) (float64, *fault.Input) {
	if isMissing(s) {
		return math.NaN(), nil
	}
	if r.comma {
		r.buffer = append(r.buffer[:0], s...)
		return readCommaNumber(s, r.buffer)
	}
	return readPlainNumber(s, s)
}

// readCommaNumber reads a number with a decimal comma and no other marks; buffer holds a copy of
// it, which it changes.
func readCommaNumber(s, buffer []byte) (float64, *fault.Input) {
	if bytes.IndexByte(s, '.') >= 0 {
		return 0, &fault.Input{
			Problem: quote(s) + " has a point in a number with a decimal comma",
			Fix: "write it without thousands separators, or say that decimals are written with " +
				"a point"}
	}
	if i := bytes.IndexByte(buffer, ','); i >= 0 {
		buffer[i] = '.'
	}
	return readPlainNumber(s, buffer)
}

// readPlainNumber reads a finite number; s is how messages show it.
func readPlainNumber(s, number []byte) (float64, *fault.Input) {
	v, ok := ParseNumber(number)
	if !ok || math.IsInf(v, 0) {
		return 0, numberFault(s)
	}
	return v, nil
}

// readBoolean reads a whole field.
func readBoolean(s []byte) (float64, *fault.Input) {
	if isMissing(s) {
		return math.NaN(), nil
	}
	v, ok := parseBool(string(s))
	switch {
	case !ok:
		return 0, &fault.Input{Problem: quote(s) + " is neither true nor false",
			Fix: "write true or false, or leave it empty if it is missing"}
	case v:
		return 1, nil
	}
	return 0, nil
}
