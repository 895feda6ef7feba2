package dataset

import (
	"bytes"
	"context"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// readARFF reads Weka's attribute-relation file, dense or sparse rows.
func readARFF(ctx context.Context, src *source, t *Table, o ReadOptions) error {
	note, err := src.decodeText(ctx, o)
	if err != nil {
		return err
	}
	if note != "" {
		t.Notes = append(t.Notes, note)
	}
	var h *arffHeader
	err = src.front(func(text []byte, mark int, whole bool) (done bool, err error) {
		if h, err = parseARFFHeader(src.name, text, whole); h != nil {
			h.start += mark
		}
		return h != nil, err
	}, fault.Input{Problem: "has no @data within the first 64 MiB",
		Fix: "check that this is an ARFF file"})
	if err != nil {
		return err
	}
	cols := make([]sampled, len(h.attributes))
	for i, a := range h.attributes {
		cols[i] = a.sampled
	}
	t.Notes = append(t.Notes, nameApart(cols, o)...)
	columns, p, err := assignRoles(src.name, cols, o)
	if err != nil {
		return err
	}
	t.Columns = columns
	return readText(ctx, src, t, p,
		textLayout{start: h.start, line: h.line, remark: '%', least: len("1\n"),
			parser: func() textParser {
				return &arffParser{attributes: h.attributes, cells: make([][]byte, len(cols)),
					seen: make([]bool, len(cols))}
			}}, o)
}

// arffAttribute is a declared column.
type arffAttribute struct {
	sampled
	levels map[string]bool // of a nominal attribute
	sparse string          // value of an entry that a sparse row leaves out: 0, or the first level
}

// arffHeader is what precedes the rows.
type arffHeader struct {
	attributes []arffAttribute
	start      int // place after the line of @data
	line       int // line number there, from 1
}

// parseARFFHeader reads up to @data; it returns nil when text ends before that and is not the
// whole.
func parseARFFHeader(name string, text []byte, whole bool) (*arffHeader, error) {
	h := &arffHeader{line: 1}
	for h.start < len(text) {
		end := lineEnd(text, h.start)
		if end == len(text) && !whole {
			return nil, nil
		}
		raw := text[h.start:end]
		bad := func(f *fault.Input) error {
			f.File, f.Line = name, h.line
			return f
		}
		if at := badByte(raw); at >= 0 {
			return nil, bad(badByteFault(raw, at))
		}
		line := strings.TrimSpace(string(raw))
		if end < len(text) && text[end] == '\r' && end+1 < len(text) && text[end+1] == '\n' {
			end++
		}
		word, rest, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		switch word = strings.ToLower(word); {
		case line == "" || line[0] == '%' || word == "@relation":
		case word == "@attribute":
			a, f := parseAttribute(strings.TrimSpace(rest))
			if f != nil {
				return nil, bad(f)
			}
			h.attributes = append(h.attributes, a)
			if len(h.attributes) > maxColumns {
				return nil, bad(&fault.Input{Problem: "has more than " + itoa(maxColumns) +
					" attributes"})
			}
		case word == "@data":
			if len(h.attributes) == 0 {
				return nil, bad(&fault.Input{Problem: "@data comes before any @attribute",
					Fix: "declare the columns first"})
			}
			h.start = min(end+1, len(text))
			h.line++
			return h, nil
		default:
			return nil, bad(&fault.Input{Problem: "neither @relation, @attribute, @data nor a " +
				"comment", Fix: "begin comments with %"})
		}
		h.start = end + 1
		h.line++
	}
	if !whole {
		return nil, nil
	}
	return nil, &fault.Input{File: name, Problem: "has no @data",
		Fix: "put a line @data before the rows"}
}

// parseAttribute reads what follows @attribute.
func parseAttribute(s string) (arffAttribute, *fault.Input) {
	var a arffAttribute
	text := []byte(s + "\n")
	var sc textScanner
	name, i, f := sc.word(text, 0, " {")
	if f != nil {
		return a, f
	}
	if len(name) == 0 {
		return a, &fault.Input{Problem: "an @attribute without a name",
			Fix: "write @attribute NAME TYPE"}
	}
	a.name = string(name)
	kind := strings.TrimSpace(string(text[i:]))
	lower := strings.ToLower(kind)
	switch first, _, _ := strings.Cut(lower, " "); {
	case lower == "numeric" || lower == "real" || lower == "integer":
		a.typ, a.sparse = Number, "0"
	case lower == "string":
		a.typ = Text
	case first == "date":
		a.typ, a.never = Text, "holds dates"
	case strings.HasPrefix(kind, "{"):
		a.typ, a.levels = Category, make(map[string]bool)
		if f := a.parseLevels([]byte(kind + "\n")); f != nil {
			f.Column = a.name
			return a, f
		}
	default:
		return a, &fault.Input{Column: a.name,
			Problem: "the type " + quote([]byte(kind)) + " is not known",
			Fix:     "declare it numeric, string, date, or list its values in braces"}
	}
	return a, nil
}

// parseLevels reads "{red, green}".
func (a *arffAttribute) parseLevels(text []byte) *fault.Input {
	var sc textScanner
	for i := 1; ; {
		value, next, f := sc.word(text, i, ",}")
		if f != nil {
			return f
		}
		if len(a.levels) == 0 {
			a.sparse = string(value)
		}
		a.levels[string(value)] = true
		switch text[next] {
		case '}':
			return nil
		case ',':
			i = next + 1
		default:
			return &fault.Input{Problem: "the list of values has no closing brace",
				Fix: "close it on the same line"}
		}
	}
}

// word reads the word of an ARFF file at text[i], after blanks, up to a line end or one of the
// given bytes, without its quotes and the blanks around it; it returns the position after the word
// and its blanks.
func (s *textScanner) word(text []byte, i int, until string) ([]byte, int, *fault.Input) {
	i = skipSpace(text, i)
	if q := text[i]; q == '\'' || q == '"' {
		s.scratch = s.scratch[:0]
		for i++; text[i] != q; i++ {
			if text[i] == '\\' && text[i+1] != '\n' && text[i+1] != '\r' {
				i++
			}
			if text[i] == '\n' || text[i] == '\r' {
				return nil, i, &fault.Input{Problem: "a quote is not closed on its line",
					Fix: `close it; a quote in a text is written \' or \"`}
			}
			s.scratch = append(s.scratch, text[i])
		}
		return s.scratch, skipSpace(text, i+1), nil
	}
	start := i
	for text[i] != '\n' && text[i] != '\r' && strings.IndexByte(until, text[i]) < 0 {
		i++
	}
	return bytes.TrimSpace(text[start:i]), skipSpace(text, i), nil
}
