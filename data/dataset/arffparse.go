package dataset

import (
	"bytes"
	"strconv"

	"github.com/kindred-go/kindred/fault"
)

// arffParser turns lines of an ARFF file's data into blocks.
type arffParser struct {
	textScanner
	attributes []arffAttribute
	cells      [][]byte // values of a sparse row
	seen       []bool
}

func (p *arffParser) parse(text []byte, b *block) {
	p.records(text, b, func(i int) (int, *fault.Input) {
		var wrong *fault.Input
		switch i = skipSpace(text, i); text[i] {
		case '%':
		case '{':
			wrong = p.sparse(text, i, b)
		default:
			wrong = p.dense(text, i, b)
		}
		if wrong != nil {
			wrong.Line = p.line
		}
		return p.endLine(text, lineEnd(text, i)), wrong
	})
}

// dense reads a row with a value for every attribute.
func (p *arffParser) dense(text []byte, i int, b *block) *fault.Input {
	var wrong *fault.Input // a wrong value, unless the row is ragged, which explains more
	col := 0
	for ; ; col++ {
		value, next, bad := p.word(text, i, ",")
		if bad != nil {
			return bad
		}
		if col < len(p.attributes) && wrong == nil {
			wrong = p.add(b, col, value)
		}
		if text[next] == '\n' || text[next] == '\r' {
			break
		}
		if text[next] != ',' {
			return &fault.Input{Problem: "text after a closing quote",
				Fix: "put the whole value in quotes"}
		}
		i = next + 1
	}
	if n := len(p.attributes); col+1 != n {
		return &fault.Input{Problem: "has " + plural(col+1, "value",
			"values") + " where " + itoa(n) + " are declared",
			Fix: "put values that contain a comma in quotes, and write ? for one that is missing"}
	}
	if wrong == nil {
		b.endRow()
	}
	return wrong
}

// sparse reads a row that lists positions, from 0, with their values.
func (p *arffParser) sparse(text []byte, i int, b *block) *fault.Input {
	for col := range p.attributes {
		p.cells[col] = append(p.cells[col][:0], p.attributes[col].sparse...)
	}
	clear(p.seen)
	i = skipSpace(text, i+1)
	for text[i] != '}' {
		position, next, _ := p.word(text, i, " \t,}")
		col, err := strconv.Atoi(string(position))
		if err != nil || col < 0 || col >= len(p.attributes) {
			return &fault.Input{Problem: quote(position) + " is not the position of an attribute",
				Fix: "write {POSITION VALUE, …} with positions from 0 to " +
					itoa(len(p.attributes)-1)}
		}
		name := p.attributes[col].name
		if p.seen[col] {
			return &fault.Input{Column: name,
				Problem: "the position " + itoa(col) + " occurs twice", Fix: "keep one of them"}
		}
		p.seen[col] = true
		value, next, wrong := p.word(text, next, ",}")
		if wrong != nil {
			return wrong
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
			return &fault.Input{Problem: "the sparse row has no closing brace",
				Fix: "close it on its line"}
		}
	}
	if rest := bytes.TrimSpace(text[i+1 : lineEnd(text, i)]); len(rest) > 0 {
		return &fault.Input{Problem: "text after the closing brace",
			Fix: "give one row a line, without a weight"}
	}
	for col := range p.attributes {
		if wrong := p.add(b, col, p.cells[col]); wrong != nil {
			return wrong
		}
	}
	b.endRow()
	return nil
}

// add appends a value, which must be one of those declared.
func (p *arffParser) add(b *block, col int, value []byte) *fault.Input {
	a := &p.attributes[col]
	if a.levels != nil && !isMissing(value) && !a.levels[string(value)] {
		return &fault.Input{Column: a.name,
			Problem: quote(value) + " is not among the declared values",
			Fix:     "fix the value, or add it to the @attribute line"}
	}
	return b.add(col, value)
}
