package dataset

import (
	"bytes"
	"strconv"
)

// arffParser turns lines of an ARFF file's data into blocks.
type arffParser struct {
	arffScanner
	attributes []arffAttribute
	cells      [][]byte // values of a sparse row
	seen       []bool
}

func (p *arffParser) parse(text []byte, b *block) {
	end := len(text) - 1
	for i := 0; i < end; {
		stop := lineEnd(text, i)
		first := skipSpace(text, i)
		var fault *textFault
		switch {
		case first == stop:
			b.blank++
			b.trailing++
		case text[first] == '%':
		case text[first] == '{':
			fault = p.sparse(text, first, b)
		default:
			fault = p.dense(text, first, b)
		}
		if fault != nil {
			fault.line = b.lines
			b.fault = fault
			return
		}
		b.lines++
		i = stop + 1
		if text[stop] == '\r' && i < end && text[i] == '\n' {
			i++
		}
	}
}

// dense reads a row with a value for every attribute.
func (p *arffParser) dense(text []byte, i int, b *block) *textFault {
	var wrong *textFault // a wrong value, unless the row is ragged, which explains more
	col := 0
	for ; ; col++ {
		value, next, fault := p.word(text, i, ",")
		if fault != nil {
			return fault
		}
		if col < len(p.attributes) && wrong == nil {
			wrong = p.add(b, col, value)
		}
		if text[next] == '\n' || text[next] == '\r' {
			break
		}
		if text[next] != ',' {
			return &textFault{problem: "text after a closing quote",
				fix: "put the whole value in quotes"}
		}
		i = next + 1
	}
	if n := len(p.attributes); col+1 != n {
		return &textFault{problem: "has " + plural(col+1, "value",
			"values") + " where " + itoa(n) + " are declared",
			fix: "put values that contain a comma in quotes, and write ? for one that is missing"}
	}
	if wrong == nil {
		b.rows++
		b.trailing = 0
	}
	return wrong
}

// sparse reads a row that lists positions, from 0, with their values.
func (p *arffParser) sparse(text []byte, i int, b *block) *textFault {
	for col := range p.attributes {
		p.cells[col] = append(p.cells[col][:0], p.attributes[col].sparse...)
	}
	clear(p.seen)
	i = skipSpace(text, i+1)
	for text[i] != '}' {
		position, next, _ := p.word(text, i, " \t,}")
		col, err := strconv.Atoi(string(position))
		if err != nil || col < 0 || col >= len(p.attributes) {
			return &textFault{problem: quote(position) + " is not the position of an attribute",
				fix: "write {POSITION VALUE, …} with positions from 0 to " +
					itoa(len(p.attributes)-1)}
		}
		name := p.attributes[col].name
		if p.seen[col] {
			return &textFault{column: name, problem: "the position " + itoa(col) + " occurs twice",
				fix: "keep one of them"}
		}
		p.seen[col] = true
		value, next, fault := p.word(text, next, ",}")
		if fault != nil {
			return fault
		}
		if len(value) == 0 {
			value = []byte{'?'}
		}
		p.cells[col] = append(p.cells[col][:0], value...)
		switch text[next] {
		case ',':
			i = skipSpace(text, next+1)
		case '}':
			i = next
		default:
			return &textFault{problem: "the sparse row has no closing brace",
				fix: "close it on its line"}
		}
	}
	if rest := bytes.TrimSpace(text[i+1 : lineEnd(text, i)]); len(rest) > 0 {
		return &textFault{problem: "text after the closing brace",
			fix: "give one row a line, without a weight"}
	}
	for col := range p.attributes {
		if fault := p.add(b, col, p.cells[col]); fault != nil {
			return fault
		}
	}
	b.rows++
	b.trailing = 0
	return nil
}

// add appends a value, which must be one of those declared.
func (p *arffParser) add(b *block, col int, value []byte) *textFault {
	a := &p.attributes[col]
	if a.levels != nil && !isMissing(value) && !a.levels[string(value)] {
		return &textFault{column: a.name,
			problem: quote(value) + " is not among the declared values",
			fix:     "fix the value, or add it to the @attribute line"}
	}
	return b.add(col, value)
}
