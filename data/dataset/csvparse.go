package dataset

import (
	"bytes"

	"github.com/kindred-go/kindred/fault"
)

// csvParser turns pieces of separated text, cut at the ends of records, into blocks.
type csvParser struct {
	textScanner
	spread  *spread // of its columns
	vectors string  // column of vectors; "": none
	plain   []bool  // by field of the file, whether it may be a plain number; nil: not known yet
	remark  bool    // the header begins with #, so it may be none
	// lines that begin with # and have other fields than the header, and the count of rows behind a
	// table with a ruler, are passed over
	comments, ruled bool
}

func (p *csvParser) parse(text []byte, b *block) {
	width := len(p.spread.at)
	if p.plain == nil {
		p.plain = make([]bool, width)
		for col, at := range p.spread.at {
			p.plain[col] = b.plan.columns[at].scan && col != p.spread.vector
		}
	}
	fields := func(i, col int) (int, int, *fault.Input) {
		i, col, done := p.numbers(text, i, col, b)
		if done {
			return i, col, nil
		}
		line := p.line
		value, next, wrong := p.field(text, i)
		if wrong == nil {
			if wrong = p.spread.addCell(b, col, value, false, p.vectors); wrong != nil {
				wrong.Line = line
			}
		}
		return next, col, wrong
	}
	p.records(text, b, func(i int) (int, *fault.Input) {
		if p.comments && text[i] == '#' || p.ruled && text[i] == '(' {
			line := firstLine(text[i:])
			if text[i] == '#' && bytes.Count(line, []byte{p.sep}) != width-1 ||
				text[i] == '(' && countLine.Match(line) {
				if text[i] == '#' {
					b.remarks++
				}
				return p.endLine(text, i+len(line)), nil
			}
		}
		next, wrong := p.row(text, i, width, fields)
		if wrong == nil {
			b.endRow()
		}
		return next, wrong
	})
}

// numbers appends the numbers of a record to b, from the field of column col at text[i] to the
// first that is no plain number. It returns where and what that field is, or, where the record is done,
// the position after its last field and the column of that.
func (p *csvParser) numbers(text []byte, i, col int, b *block) (next, at int, done bool) {
	plain, sep, num := p.plain, p.sep, b.num
	for plain[col] {
		v, next, ok := ScanNumber(text, i)
		c := text[next]
		ends := c == '\n' || c == '\r'
		if !ok || !ends && c != sep || v-v != 0 { // v-v is 0 unless v is infinite
			break
		}
		num = append(num, v)
		if ends || col == len(plain)-1 {
			i, done = next, true
			break
		}
		i, col = next+1, col+1
	}
	b.num = num
	return i, col, done
}

// row reads the fields of the record at text[i] by fields, which reads one or more from that of a
// column on, and returns the position after the last of them and its column. It returns the
// position after the record.
func (p *csvParser) row(text []byte, i, width int,
	fields func(i, col int) (int, int, *fault.Input)) (int, *fault.Input) {
	start, line := i, p.line
	for col := 0; col < width; col++ {
		next, at, wrong := fields(i, col)
		if wrong != nil {
			if wrong.Column != "" { // shifted columns are a likelier cause than a wrong value
				if ragged := p.ragged(text, start, line, width); ragged != nil {
					return 0, ragged
				}
			}
			return 0, wrong
		}
		i, col = next, at
		if last := col == width-1; (text[i] == p.sep) == last {
			return 0, p.ragged(text, start, line, width)
		} else if !last {
			i++
		}
	}
	return p.endLine(text, i), nil
}

// ragged returns an error if the record at text[start] has too few or too many fields; nil when it
// has not.
func (p *csvParser) ragged(text []byte, start, line, want int) *fault.Input {
	p.line = line
	found := 0
	for i := start; ; found++ {
		_, next, wrong := p.field(text, i)
		if wrong != nil {
			return wrong
		}
		if text[next] != p.sep {
			found++
			break
		}
		i = next + 1
	}
	if found == want {
		return nil
	}
	wrong := &fault.Input{Line: line,
		Problem: "has " + plural(found, "field", "fields") + " where the header has " + itoa(want)}
	switch {
	case p.remark:
		wrong.Fix = "take out the line that begins with #, if it is a remark: it was read as the " +
			"header"
	case found < want:
		wrong.Fix = "add what is missing; an empty field still needs its separator"
	case found == want+1:
		wrong.Fix = "put fields that contain the separator in quotes, or name every column in " +
			"the header"
	default:
		wrong.Fix = "put fields that contain the separator in quotes"
	}
	return wrong
}
