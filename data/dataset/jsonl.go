package dataset

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// readJSONL reads one JSON object per line. The columns are the keys of the first rows, in the
// order in which they are met; a key that is absent, or null, is a missing value.
func readJSONL(ctx context.Context, src *source, t *Table, o ReadOptions) error {
	note, err := src.decodeText(ctx, o)
	if err != nil {
		return err
	}
	if note != "" {
		t.Notes = append(t.Notes, note)
	}
	var rows *jsonRows
	if !o.Plain {
		if rows, note, err = src.documentRows(ctx); err != nil {
			return err
		}
		if note != "" {
			t.Notes = append(t.Notes, note)
		}
	}
	if o.Lists || o.Vectors != "" {
		src = src.quotingLists(o.Lists)
	}
	s, err := sampleJSONL(src, o.Plain)
	if err != nil {
		return err
	}
	if rows != nil && rows.note != "" {
		t.Notes = append(t.Notes, rows.note)
	}
	if len(s.cols) > maxColumns {
		return &fault.Input{File: src.name,
			Problem: "has more than " + itoa(maxColumns) + " different keys",
			Fix:     "give every row the same keys"}
	}
	notes, err := decideTypes(s.cols, s.votes, 0, o)
	if err != nil {
		return err
	}
	t.Notes = append(t.Notes, notes...)
	for i := range s.cols {
		if s.listed[i] {
			s.cols[i].typ, s.cols[i].never = Text, "holds lists"
		}
	}
	spread, err := spreadVectors(src.name, s.cols, &o,
		func(col int) bool { return s.lists[col] != "" },
		func(col int) (int, error) { return len(listItems([]byte(s.lists[col]))), nil })
	if err != nil {
		return err
	}
	columns, p, err := assignRoles(src.name, spread.cols, o)
	if err != nil {
		return err
	}
	if spread.vector >= 0 {
		t.Notes = append(t.Notes, spread.note(o.Vectors))
	}
	t.Columns = spread.mark(columns, o.Vectors)
	return readText(ctx, src, t, p,
		textLayout{start: s.start, line: 1, rows: rows != nil, least: len("{}\n"), sparse: true,
			parser: func() textParser { return newJSONLParser(p, o, spread) }}, o)
}

// jsonlSample is what the first rows show.
type jsonlSample struct {
	cols  []sampled
	votes []vote
	lists []string // the first value, where it is a list of numbers
	// which have a list that is not within quotes
	listed []bool
	start  int
	plain  bool

	nested bool // some values are objects
}

// sampleJSONL looks at the rows within the first MiB, or at the first row where that is longer. A
// fault is left for the parser to find, unless no row is whole.
func sampleJSONL(src *source, plain bool) (*jsonlSample, error) {
	var s *jsonlSample
	err := src.front(func(text []byte, mark int, whole bool) (done bool, err error) {
		s = &jsonlSample{start: mark, plain: plain}
		if plain && bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")) {
			return false, &fault.Input{File: src.name, Line: 1,
				Problem: "is one JSON array, not one object a line",
				Fix:     "turn it into lines (jq -c '.[]')"}
		}
		rows, wrong := s.look(append(text[:len(text):len(text)], '\n'), whole)
		if whole && rows == 1 && !wrong && s.onlyObjects() {
			return false, &fault.Input{File: src.name,
				Problem: "is one JSON object of objects, not rows",
				Fix: "write an object for each row (df.to_json(orient=\"records\") in pandas, " +
					"jq 'to_entries | map(.value)' for rows under their ids)"}
		}
		return rows > 0 || wrong || whole, nil
	}, fault.Input{Line: 1, Problem: "the first line is longer than 64 MiB",
		Fix: "give one object a line"})
	return s, err
}

// onlyObjects reports whether every value of the row is within an object.
func (s *jsonlSample) onlyObjects() bool {
	return s.nested && len(s.cols) > 1 && !slices.ContainsFunc(s.cols,
		func(c sampled) bool { return !strings.Contains(c.name, ".") })
}

// dropObjects leaves out the columns of what is an object, where it is not null.
func (s *jsonlSample) dropObjects() {
	within := make(map[string]bool)
	for _, c := range s.cols {
		for at := 0; ; at++ {
			n := strings.IndexByte(c.name[at:], '.')
			if n < 0 {
				break
			}
			at += n
			within[c.name[:at]] = true
		}
	}
	kept := 0
	for i, c := range s.cols {
		if s.votes[i].present > 0 || s.listed[i] || !within[c.name] {
			s.cols[kept], s.votes[kept] = c, s.votes[i]
			s.lists[kept], s.listed[kept] = s.lists[i], s.listed[i]
			kept++
		}
	}
	s.cols, s.votes = s.cols[:kept], s.votes[:kept]
	s.lists, s.listed = s.lists[:kept], s.listed[:kept]
}

// look gathers keys and values; it stops at a fault.
func (s *jsonlSample) look(text []byte, whole bool) (rows int, wrong bool) {
	known := make(map[string]int)
	sc := textScanner{end: len(text) - 1, flat: s.plain}
	for i := 0; rows < sampleRows && len(s.cols) <= maxColumns; rows++ {
		i = sc.skipBlank(text, i)
		if i >= sc.end || !whole && lineEnd(text, i) >= sc.end {
			break
		}
		next, wrong := sc.object(text, skipSpace(text, i), func(key, value []byte) *fault.Input {
			col, ok := known[string(key)]
			if !ok {
				col = len(s.cols)
				known[string(key)] = col
				s.cols = append(s.cols, sampled{name: string(key)})
				s.votes = append(s.votes, vote{judged: !s.plain})
				s.lists = append(s.lists, "")
				s.listed = append(s.listed, false)
			}
			if s.votes[col].present == 0 && !s.listed[col] && isVectorText(value) {
				s.lists[col] = string(value)
			}
			s.votes[col].row = int32(rows) // those before may lack the key
			if sc.list {
				s.listed[col] = true
				return nil
			}
			s.votes[col].addTyped(value, sc.number)
			return nil
		})
		if wrong != nil {
			return rows, true
		}
		i = next
	}
	if s.nested = sc.nested > 0; s.nested {
		s.dropObjects()
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
	textScanner
	names map[string]int
	guess int      // the column after the last one, which is the likeliest next
	cells [][]byte // this row's values, in buffers of their own where they do not lie in the text
	seen  []bool
	typed []bool // which of them are numbers, not texts that look like some

	vectors       string // column of lists that are columns; "": none
	vector, width int    // its first column, and how many they are
}

func newJSONLParser(p *plan, o ReadOptions, s spread) *jsonlParser {
	j := &jsonlParser{names: make(map[string]int, len(p.columns)),
		cells: make([][]byte, len(p.columns)), seen: make([]bool, len(p.columns)),
		typed: make([]bool, len(p.columns))}
	j.flat = o.Plain
	for i, c := range p.columns {
		j.names[c.name] = i
	}
	if s.vector >= 0 {
		j.vectors, j.vector, j.width = o.Vectors, s.at[s.vector], s.width
	}
	return j
}

func (p *jsonlParser) parse(text []byte, b *block) {
	columns := b.plan.columns
	set := func(key, value []byte) *fault.Input {
		if p.vectors != "" && string(key) == p.vectors {
			if p.list && !isVectorText(value) {
				return listValueFault()
			}
			return p.setVector(value)
		}
		col := p.guess
		if col >= len(columns) || columns[col].name != string(key) {
			var known bool
			if col, known = p.names[string(key)]; !known {
				if len(value) > 0 {
					b.addLate(string(key))
				}
				return nil
			}
		}
		p.guess = col + 1
		if p.seen[col] {
			return &fault.Input{Problem: "the key occurs twice in the object",
				Fix: "keep one of them", Column: columns[col].name}
		}
		if k := columns[col].keep; p.list && (k == asNumber || k == asRead) {
			wrong := listValueFault()
			wrong.Column = columns[col].name
			return wrong
		}
		p.seen[col], p.typed[col] = true, p.number
		p.cells[col] = append(p.cells[col][:0], value...)
		return nil
	}
	p.records(text, b, func(i int) (int, *fault.Input) {
		p.guess = 0
		clear(p.seen)
		line := p.line
		next, wrong := p.object(text, skipSpace(text, i), set)
		for col := 0; col < len(columns) && wrong == nil; col++ {
			if p.seen[col] {
				wrong = b.addTyped(col, p.cells[col], p.typed[col])
			} else {
				wrong = b.add(col, nil)
			}
		}
		if wrong != nil {
			wrong.Line = line
			return 0, wrong
		}
		b.endRow()
		return next, nil
	})
}

// setVector takes the numbers of a list as cells.
func (p *jsonlParser) setVector(list []byte) *fault.Input {
	if p.seen[p.vector] {
		return &fault.Input{Problem: "the key occurs twice in the object",
			Fix: "keep one of them", Column: p.vectors}
	}
	items, wrong := vectorItems(list, listItems(list), p.vectors, p.width)
	for k, item := range items {
		col := p.vector + k
		p.seen[col], p.typed[col] = true, true
		p.cells[col] = append(p.cells[col][:0], item...)
	}
	return wrong
}

// vectorItems returns the items of a list, which must be so many numbers; nil where the list is
// missing.
func vectorItems(list []byte, items [][]byte, column string, width int) ([][]byte,
	*fault.Input) {
	if isMissing(list) { // and so all of its numbers
		return nil, nil
	}
	if len(items) != width {
		return nil, &fault.Input{Column: column,
			Problem: "has " + plural(len(items), "number", "numbers") +
				", and the lists before have " + itoa(width),
			Fix: "give lists of one length, or compare them as series (--series " +
				words.Shell(column) + ")"}
	}
	for _, item := range items {
		if _, ok := ParseNumber(item); !ok {
			return nil, &fault.Input{Column: column,
				Problem: quote(item) + " in the list is not a number",
				Fix:     "give lists of numbers, all of one length"}
		}
	}
	return items, nil
}

// listItems returns the items of a list as text has it; nil where it is none.
func listItems(text []byte) [][]byte {
	text = bytes.TrimSpace(text)
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil
	}
	if text = bytes.TrimSpace(text[1 : len(text)-1]); len(text) == 0 {
		return nil
	}
	items := bytes.Split(text, []byte{','})
	for i := range items {
		items[i] = bytes.TrimSpace(items[i])
	}
	return items
}

// isVectorText reports whether a text is a list of numbers, of which some may be missing.
func isVectorText(text []byte) bool {
	items := listItems(text)
	numbers := 0
	for _, item := range items {
		if _, ok := ParseNumber(item); ok {
			numbers++
		} else if !isMissing(item) {
			return false
		}
	}
	return numbers > 0
}
