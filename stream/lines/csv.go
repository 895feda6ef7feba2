package lines

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
)

// fields decodes records of separated text from i on, which ends in a line end and whose first
// clean bytes need no check. It stops before a record with a quote that is open at the end.
func (d *Decoder) fields(text []byte, i, clean int, b *stream.Block, most int) int {
	for {
		if i = d.skipBlank(text, i); i >= len(text) || b.Len() >= most {
			return i
		}
		if text[i] == '@' {
			if next, is := d.directiveCSV(text, i, b); is {
				i = next
				continue
			}
		}
		if d.front {
			next := d.header(text, i)
			if next < 0 || d.foreign != nil {
				return i
			}
			if next > i {
				d.front, i = false, next
				continue
			}
		}
		d.begin(b)
		next, problem := d.record(text, i, d.row(b), b)
		if problem != nil {
			if next, problem = d.diagnose(text, i, problem); next < 0 {
				d.rows--
				d.undo(b)
				return i
			}
		}
		if next-i > MaxLine {
			problem, next = long(text[i:]), nextLine(text, i)
		}
		d.settle(text[i:next], next <= clean, problem, b)
		i = next
	}
}

// record reads the record at text[i] into row, and returns the position behind it, or what is
// wrong.
func (d *Decoder) record(text []byte, i int, row []float64, b *stream.Block) (int, *fault.Input) {
	last := len(d.columns) - 1
	for col := range d.columns {
		c := &d.columns[col]
		done := false
		if c.use == number && !d.comma {
			if v, next, ok := shortNumber(text, i); ok {
				if e := text[next]; e == d.sep || e == '\n' || e == '\r' {
					// almost every field of a table of numbers ends here
					if p := c.Apply(v); math.Abs(p) <= competitive.MostValue {
						row[c.at], i, done = p, next, true
						d.keep(c.at, v)
					}
				}
			}
		}
		if !done {
			value, next, problem := d.field(text, i)
			if problem == nil {
				problem = d.set(c, value, row, b)
			}
			if problem != nil {
				problem.Column = c.name
				return i, problem
			}
			i = next
		}
		if (text[i] == d.sep) != (col < last) {
			return i, errRagged
		}
		i++
	}
	return i, nil
}

// errRagged reports that a record has too few or too many fields, errOpen that a quote is open at
// the end of the text. They are never shown.
var errRagged, errOpen = &fault.Input{}, &fault.Input{}

// diagnose finds the end of a record with something wrong, and reports what that is: shifted
// columns are a likelier cause than a wrong value. next is -1 when the record may go on behind
// text. After a stray quote the next line is a record.
func (d *Decoder) diagnose(text []byte, start int, found *fault.Input) (next int,
	problem *fault.Input) {
	count, i := 0, start
	for {
		_, after, problem := d.field(text, i)
		if problem == errOpen {
			return -1, nil
		}
		if problem != nil {
			return nextLine(text, start), problem
		}
		count, i = count+1, after+1
		if text[after] != d.sep {
			break
		}
	}
	want := len(d.columns)
	if count == want {
		return i, found
	}
	p := fault.Inputf("put fields that contain the separator in quotes",
		"has %d fields, not %d as the columns are", count, want)
	if count == 1 {
		p.Problem = "has 1 field, not " + strconv.Itoa(want) + " as the columns are"
	}
	if count < want {
		p.Fix = "add what is missing; an empty field still needs its separator"
	}
	return i, p
}

// row extends b by the values of a row.
func (d *Decoder) row(b *stream.Block) []float64 {
	n := len(b.Rows)
	b.Rows = b.Rows[:n+d.cols] // Decoder.records has allocated them
	return b.Rows[n:]
}

// field reads the field at text[i]: its value without quotes and surrounding blanks, valid until
// the next call, and the position of the separator or line end behind it.
func (d *Decoder) field(text []byte, i int) ([]byte, int, *fault.Input) {
	for text[i] == ' ' || text[i] == '\t' && d.sep != '\t' {
		i++
	}
	if text[i] == '"' {
		return d.quoted(text, i+1)
	}
	start := i
	for ; ; i++ {
		c := text[i]
		if c == d.sep || c == '\n' || c == '\r' {
			break
		}
		if c == '"' {
			return nil, i, fault.Inputf(
				`put the whole field in quotes and double the quotes in it, as in "5"" disk"`,
				"has a quote inside a field that does not begin with one")
		}
	}
	last := i
	for last > start && (text[last-1] == ' ' || text[last-1] == '\t') {
		last--
	}
	value := text[start:last]
	if len(value) > 0 && (value[0] >= utf8.RuneSelf || value[len(value)-1] >= utf8.RuneSelf) {
		value = bytes.TrimSpace(value) // other blanks, such as those that do not break a line
	}
	return value, i, nil
}

// quoted reads a field behind its opening quote.
func (d *Decoder) quoted(text []byte, i int) ([]byte, int, *fault.Input) {
	value := d.scratch[:0]
	for {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return nil, i, errOpen
		}
		value = append(value, text[i:i+n]...)
		i += n + 1
		if text[i] != '"' { // the text ends in a line end, so i is within
			break
		}
		value = append(value, '"')
		i++
	}
	d.scratch = value
	for text[i] == ' ' || text[i] == '\t' && d.sep != '\t' {
		i++
	}
	if c := text[i]; c != d.sep && c != '\n' && c != '\r' {
		return nil, i, fault.Inputf("put the whole field in quotes and double the quotes in it",
			"has text after a closing quote")
	}
	if bytes.IndexByte(value, '\r') >= 0 {
		value = bytes.ReplaceAll(value, []byte("\r\n"), []byte{'\n'})
	}
	return value, i, nil
}

// skipBlank steps over lines that hold nothing but blanks.
func (d *Decoder) skipBlank(text []byte, i int) int {
	for i < len(text) && text[i] <= ' ' {
		j := i
		for text[j] == ' ' || text[j] == '\t' && d.sep != '\t' {
			j++
		}
		if text[j] != '\n' && text[j] != '\r' {
			return i
		}
		i = j + 1
	}
	return i
}
