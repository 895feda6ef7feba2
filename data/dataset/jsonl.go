package dataset

import (
	"bytes"
	"context"

	"github.com/kindred-go/kindred/fault"
)

// readJSONL reads one JSON object per line. The columns are the keys of the first rows, in the
// order in which they are met; a key that is absent, or null, is a missing value.
func readJSONL(ctx context.Context, src *source, t *Table, o ReadOptions) error {
	s, err := sampleJSONL(src)
	if err != nil {
		return err
	}
	if len(s.cols) > maxColumns {
		return &fault.Input{File: src.name,
			Problem: "has more than " + itoa(maxColumns) + " different keys",
			Fix:     "give every row the same keys"}
	}
	for i := range s.cols {
		s.cols[i].typ = s.votes[i].typ()
	}
	columns, p, err := assignRoles(src.name, s.cols, o)
	if err != nil {
		return err
	}
	t.Columns = columns
	return readText(ctx, src, t, p,
		textLayout{start: s.start, line: 1, least: len("{}\n"), parser: func() textParser {
			return newJSONLParser(p)
		}}, o)
}

// jsonlSample is what the first rows show.
type jsonlSample struct {
	cols  []sampled
	votes []vote
	start int
}

// sampleJSONL looks at the rows within the first MiB, or at the first row where that is longer. A
// fault is left for the parser to find, unless no row is whole.
func sampleJSONL(src *source) (*jsonlSample, error) {
	for size := sampleBytes; ; size *= 2 {
		head, whole, err := src.peek(size)
		if err != nil {
			return nil, err
		}
		text, err := csvStart(src.name, head)
		if err != nil {
			return nil, err
		}
		s := &jsonlSample{start: len(head) - len(text)}
		if trimmed := bytes.TrimLeft(text, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
			return nil, &fault.Input{File: src.name, Line: 1,
				Problem: "is one JSON array, not one object a line",
				Fix:     "turn it into lines (jq -c '.[]')"}
		}
		if rows, fault := s.look(append(text[:len(text):len(text)], '\n'), whole); rows > 0 ||
			fault || whole {
			return s, nil
		}
		if size > maxRecord {
			return nil, &fault.Input{File: src.name, Line: 1,
				Problem: "the first line is longer than 64 MiB", Fix: "give one object a line"}
		}
	}
}

// look gathers keys and values; it stops at a fault.
func (s *jsonlSample) look(text []byte, whole bool) (rows int, fault bool) {
	known := make(map[string]int)
	sc := jsonScanner{end: len(text) - 1}
	for i := 0; rows < sampleRows; rows++ {
		i = sc.skipBlank(text, i)
		if i >= sc.end || !whole && lineEnd(text, i) >= sc.end {
			break
		}
		next, flt := sc.object(text, i, func(key, value []byte) *textFault {
			col, ok := known[string(key)]
			if !ok {
				col = len(s.cols)
				known[string(key)] = col
				s.cols = append(s.cols, sampled{name: string(key)})
				s.votes = append(s.votes, vote{})
			}
			s.votes[col].add(value)
			return nil
		})
		if flt != nil {
			return rows, true
		}
		i = next
	}
	return rows, false
}

// lineEnd returns the position of the next line end.
func lineEnd(text []byte, i int) int {
	if n := bytes.IndexAny(text[i:], "\r\n"); n >= 0 {
		return i + n
	}
	return len(text)
}

// jsonlParser turns lines into blocks.
type jsonlParser struct {
	jsonScanner
	names map[string]int
	guess int      // the column after the last one, which is the likeliest next
	cells [][]byte // this row's values, in buffers of their own where they do not lie in the text
	seen  []bool
}

func newJSONLParser(p *plan) *jsonlParser {
	j := &jsonlParser{names: make(map[string]int, len(p.columns)),
		cells: make([][]byte, len(p.columns)), seen: make([]bool, len(p.columns))}
	for i, c := range p.columns {
		j.names[c.name] = i
	}
	return j
}

func (p *jsonlParser) parse(text []byte, b *block) {
	p.end, p.line = len(text)-1, 0
	b.fault = p.rows(text, b)
	b.lines = p.line
}

func (p *jsonlParser) rows(text []byte, b *block) *textFault {
	columns := b.plan.columns
	set := func(key, value []byte) *textFault {
		col := p.guess
		if col >= len(columns) || columns[col].name != string(key) {
			var known bool
			if col, known = p.names[string(key)]; !known {
				b.addLate(string(key))
				return nil
			}
		}
		p.guess = col + 1
		if p.seen[col] {
			return &textFault{problem: "the key occurs twice in the object",
				fix: "keep one of them", column: columns[col].name}
		}
		p.seen[col] = true
		p.cells[col] = append(p.cells[col][:0], value...)
		return nil
	}
	for i := 0; ; {
		lines := p.line
		i = p.skipBlank(text, i)
		b.blank += p.line - lines
		b.trailing += p.line - lines
		if i >= p.end {
			return nil
		}
		p.guess = 0
		clear(p.seen)
		line := p.line
		next, fault := p.object(text, i, set)
		for col := 0; col < len(columns) && fault == nil; col++ {
			if p.seen[col] {
				fault = b.add(col, p.cells[col])
			} else {
				fault = b.add(col, nil)
			}
		}
		if fault != nil {
			fault.line = line
			return fault
		}
		i = next
		b.rows++
		b.trailing = 0
	}
}
