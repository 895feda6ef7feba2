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
	remark  bool    // the header begins with #, so it may be none
	// lines that begin with # and have other fields than the header, and the count of rows behind a
	// table with a ruler, are passed over
	comments, ruled bool
}

func (p *csvParser) parse(text []byte, b *block) {
	columns, at, width := b.plan.columns, p.spread.at, len(p.spread.at)
	field := func(i, col int) (int, *fault.Input) {
		if columns[at[col]].scan && col != p.spread.vector {
			if v, next, ok := ScanNumber(text, i); ok {
				// Almost every field of a numeric table ends here. v-v is 0 unless v is infinite.
				if c := text[next]; (c == p.sep || c == '\n' || c == '\r') && v-v == 0 {
					b.num = append(b.num, v)
					return next, nil
				}
			}
		}
		line := p.line
		value, next, wrong := p.field(text, i)
		if wrong == nil {
			if wrong = p.spread.addCell(b, col, value, false, p.vectors); wrong != nil {
				wrong.Line = line
			}
		}
		return next, wrong
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
		next, wrong := p.row(text, i, width, field)
		if wrong == nil {
			b.endRow()
		}
		return next, wrong
	})
}

// row reads the fields of the record at text[i] by field, which returns the position after one. It
// returns the position after the record.
func (p *csvParser) row(text []byte, i, width int,
	field func(i, col int) (int, *fault.Input)) (int, *fault.Input) {
	start, line := i, p.line
	for col := range width {
		next, wrong := field(i, col)
		if wrong != nil {
			if wrong.Column != "" { // shifted columns are a likelier cause than a wrong value
				if ragged := p.ragged(text, start, line, width); ragged != nil {
					return 0, ragged
				}
			}
			return 0, wrong
		}
		i = next
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
