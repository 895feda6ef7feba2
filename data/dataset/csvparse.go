package dataset

// csvParser turns pieces of separated text, cut at the ends of records, into blocks.
type csvParser struct {
	csvScanner
	remark bool // the header begins with #, so it may be none
	fault  *textFault
}

// parse reads text, which ends in one line feed more than the piece has, into b.
func (p *csvParser) parse(text []byte, b *block) {
	p.end, p.line = len(text)-1, 0
	b.fault = p.rows(text, b)
	b.lines = p.line
}

func (p *csvParser) rows(text []byte, b *block) *textFault {
	columns := b.plan.columns
	last := len(columns) - 1
	for i := 0; i < p.end; {
		if c := text[i]; c == '\n' || c == '\r' || c == ' ' || c == '\t' {
			lines := p.line
			i = p.skipBlank(text, i)
			b.blank += p.line - lines
			b.trailing += p.line - lines
			if i >= p.end {
				break
			}
		}
		start, line := i, p.line
		for col := range columns {
			i = p.value(text, i, col, b)
			if i < 0 {
				if p.fault.column != "" { // shifted columns are a likelier cause than a wrong value
					if ragged := p.ragged(text, start, line, len(columns)); ragged != nil {
						return ragged
					}
				}
				return p.fault
			}
			if (text[i] == p.sep) != (col < last) {
				return p.ragged(text, start, line, len(columns))
			}
			if col < last {
				i++
			}
		}
		i = p.endLine(text, i)
		b.rows++
		b.trailing = 0
	}
	return nil
}

// value reads one field into b and returns the position after it, or -1 with p.fault set.
func (p *csvParser) value(text []byte, i, col int, b *block) int {
	if b.plan.columns[col].keep == asNumber {
		if v, next, ok := scanNumber(text, i); ok {
			// Almost every field of a numeric table ends here. v-v is 0 unless v is infinite.
			if c := text[next]; (c == p.sep || c == '\n' || c == '\r') && v-v == 0 {
				b.num = append(b.num, v)
				return next
			}
		}
	}
	line := p.line
	value, next, fault := p.field(text, i)
	if fault == nil {
		if fault = b.add(col, value); fault == nil {
			return next
		}
		fault.line = line
	}
	p.fault = fault
	return -1
}

// ragged returns an error if the record at text[start] has too few or too many fields; nil when it
// has not.
func (p *csvParser) ragged(text []byte, start, line, want int) *textFault {
	p.line = line
	found := 0
	for i := start; ; found++ {
		_, next, fault := p.field(text, i)
		if fault != nil {
			return fault
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
	fault := &textFault{line: line,
		problem: "has " + plural(found, "field", "fields") + " where the header has " + itoa(want)}
	switch {
	case p.remark:
		fault.fix = "take out the line that begins with #, if it is a remark: it was read as the " +
			"header"
	case found < want:
		fault.fix = "add what is missing; an empty field still needs its separator"
	case found == want+1:
		fault.fix = "put fields that contain the separator in quotes, or name every column in " +
			"the header"
	default:
		fault.fix = "put fields that contain the separator in quotes"
	}
	return fault
}
