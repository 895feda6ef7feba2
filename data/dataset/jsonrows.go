package dataset

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// Bounds of JSON.
const (
	mostNested = 32   // objects and lists within each other
	longestKey = 1000 // bytes of a key, with those of the objects around it
)

// jsonDocument is how rows lie in JSON that is not one object a line.
type jsonDocument struct {
	start int      // where the array begins, or the first object
	array bool     // the rows are the items of an array, else objects one after the other
	key   string   // of the array in the object around it; "": there is none
	names []string // what the object around it calls the columns; nil: nothing
}

// findDocument finds how rows lie in JSON by its front; nil for one object a line.
func findDocument(text []byte, whole bool) (*jsonDocument, *fault.Input) {
	at := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	switch {
	case at == len(text):
		return nil, nil
	case text[at] == '[':
		return &jsonDocument{start: at, array: true}, nil
	case text[at] != '{':
		return nil, nil
	}
	w := jsonWalk{text: text, at: at}
	end := w.object()
	lines := end < 0 || bytes.ContainsAny(text[at:end], "\r\n")
	alone := end < 0 || len(bytes.TrimSpace(text[end:])) == 0
	switch {
	case end < 0 && whole:
	case alone && len(w.arrays) > 1:
		var keys []string
		for _, a := range w.arrays {
			keys = append(keys, a.key)
		}
		return nil, &fault.Input{Problem: "is one JSON object with several arrays of rows: " +
			words.UpTo(keys, 8), Fix: "write the one that is meant to a file of its own (jq ." +
			keys[0] + ")"}
	case alone && len(w.arrays) == 1:
		return &jsonDocument{start: w.arrays[0].at, array: true, key: w.arrays[0].key,
			names: w.names}, nil
	case end >= 0 && lines:
		return &jsonDocument{start: at}, nil
	}
	return nil, nil
}

// jsonWalk goes through an object to find arrays of rows in it.
type jsonWalk struct {
	text   []byte
	at     int
	arrays []struct {
		key string
		at  int
	}
	names []string
}

// object returns the position after the object; -1 where the text ends within.
func (w *jsonWalk) object() int {
	text, depth, key, named := w.text, 0, "", false
	for i := w.at; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '[':
			if depth++; depth == 2 && c == '[' && named {
				w.array(key, i)
			}
			named = named && depth != 2
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			end := stringEnd(text, i)
			if end < 0 {
				return -1
			}
			if depth == 1 && !named {
				if json.Unmarshal(text[i:end], &key) != nil {
					return -1
				}
				named = true
			}
			i = end - 1
		case ',':
			named = named && depth != 1
		}
	}
	return -1
}

// array takes note of an array under a key: of rows, or of the names of columns.
func (w *jsonWalk) array(key string, at int) {
	inside := bytes.TrimLeft(w.text[at+1:], " \t\r\n")
	if len(inside) == 0 {
		return
	}
	if c := inside[0]; c == '{' || c == '[' {
		w.arrays = append(w.arrays, struct {
			key string
			at  int
		}{key, at})
	} else if c == '"' && (key == "columns" || key == "fields" || key == "names") {
		var names []string
		if json.NewDecoder(bytes.NewReader(w.text[at:])).Decode(&names) == nil {
			w.names = names
		}
	}
}

// stringEnd returns the position after the string whose opening quote is text[i]; -1 where it does
// not end.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// documentRows replaces a JSON document by its rows, one object a line, which it returns, and what
// to note of it. A text of lines stays as it is.
func (s *source) documentRows(ctx context.Context) (rows *jsonRows, note string, err error) {
	var doc *jsonDocument
	at := 0
	err = s.front(func(text []byte, mark int, whole bool) (bool, error) {
		var wrong *fault.Input
		if doc, wrong = findDocument(text, whole); wrong != nil {
			wrong.File = s.name
			return false, wrong
		}
		at = mark
		return true, nil
	}, fault.Input{})
	if err != nil || doc == nil {
		return nil, "", err
	}
	s.streamed(ctx)
	if _, err := io.CopyN(io.Discard, s.stream, int64(at+doc.start)); err != nil {
		return nil, "", s.wrap(err)
	}
	r := &jsonRows{name: s.name, in: bufio.NewReaderSize(s.stream, 1<<16), array: doc.array,
		within: doc.key != "", names: doc.names}
	s.stream = r
	if doc.key != "" {
		note = "the rows are the array " + strconv.Quote(doc.key)
	}
	return r, note, nil
}

// jsonRows turns the items of a JSON array, or objects that follow each other, into lines. Items
// that are arrays become objects, whose keys the first one has where it holds texts alone.
type jsonRows struct {
	name   string // of the input, in messages
	in     *bufio.Reader
	array  bool
	within bool     // an object, of which the rest does not count
	names  []string // of the items of rows that are arrays; nil: not known yet
	keys   [][]byte // those in JSON
	note   string   // that some of them were renamed; ""
	number int      // of the row, from 1
	begun  bool
	over   bool
	row    []byte
	ready  []byte // to be read
	line   []byte
}

func (r *jsonRows) Read(p []byte) (int, error) {
	for len(r.ready) == 0 {
		if r.over {
			return 0, io.EOF
		}
		if err := r.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// wrong reports what is wrong with the row at hand.
func (r *jsonRows) wrong(problem, fix string) error {
	return &fault.Input{File: r.name, Row: r.number, Problem: problem, Fix: fix}
}

// cut reports a document that ends too early.
func (r *jsonRows) cut(err error) error {
	if err != io.EOF {
		return err
	}
	return r.wrong("the JSON ends before it is closed", "fetch or write the file again")
}

// next makes the next row ready.
func (r *jsonRows) next() error {
	c, err := r.solid()
	if r.array && !r.begun { // the bracket that opens
		r.begun = true
		c, err = r.solid()
		if err == nil && c == ']' {
			return &fault.Input{File: r.name, Problem: "is a JSON array that holds no rows",
				Fix: `give an object for each row, as in [{"x": 1.5, "y": 2}]`}
		}
	} else if r.array && r.number > 0 {
		switch {
		case err != nil:
			return r.cut(err)
		case c == ']':
			return r.end()
		case c != ',':
			return r.wrong("is followed by "+quote([]byte{c})+" where a comma or the end of the "+
				"array should be", "fix the JSON, or give one object a line")
		}
		if c, err = r.solid(); err == nil && c == ']' {
			return r.wrong("is followed by a comma, and no row follows", "take the comma away")
		}
	}
	if err == io.EOF && !r.array {
		r.over = true
		return nil
	}
	r.number++
	if err != nil {
		return r.cut(err)
	}
	if c == 'n' && r.array {
		return r.wrong("is null, or no JSON", "take the null away, or give an object whose "+
			`values are missing, as in {"x": null}`)
	}
	if c != '{' && !(c == '[' && r.array) {
		return r.wrong("is not an object or an array, but begins with "+quote([]byte{c}),
			`give an object for each row, as in [{"x": 1.5, "y": 2}]`)
	}
	if err := r.take(c); err != nil {
		return err
	}
	if c == '{' {
		r.ready = append(r.row, '\n')
		return nil
	}
	return r.list()
}

// end ends the rows.
func (r *jsonRows) end() error {
	r.over = true
	if r.within {
		return nil
	}
	if c, err := r.solid(); err == nil {
		return &fault.Input{File: r.name,
			Problem: "has " + quote([]byte{c}) + " after the end of the array",
			Fix:     "give one array, or one object a line"}
	} else if err != io.EOF {
		return err
	}
	return nil
}

// solid reads the next byte that is no blank.
func (r *jsonRows) solid() (byte, error) {
	for {
		c, err := r.in.ReadByte()
		if err != nil || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c, err
		}
	}
}

// take reads the object or array that begins with c, in one line.
func (r *jsonRows) take(c byte) error {
	r.row = append(r.row[:0], c)
	text, depth := false, 1
	for depth > 0 {
		c, err := r.in.ReadByte()
		if err != nil {
			return r.cut(err)
		}
		if len(r.row) >= maxRecord-1 {
			return r.wrong("is longer than 64 MiB", "check that every quote and bracket is closed")
		}
		switch {
		case text && c == '\\':
			r.row = append(r.row, c)
			if c, err = r.in.ReadByte(); err != nil {
				return r.cut(err)
			}
		case c == '"':
			text = !text
		case text:
		case c == '{', c == '[':
			if depth++; depth > mostNested {
				return r.wrong("is nested deeper than "+itoa(mostNested)+" levels",
					"give objects of values, or a list of numbers")
			}
		case c == '}', c == ']':
			depth--
		case c == '\n', c == '\r':
			c = ' '
		}
		r.row = append(r.row, c)
	}
	return nil
}

// list makes an object of a row that is an array.
func (r *jsonRows) list() error {
	items, texts := splitItems(r.row[1 : len(r.row)-1])
	if r.keys == nil {
		header := r.names == nil && texts && len(items) > 0
		for i, item := range items {
			switch {
			case header:
				var name string
				if json.Unmarshal(item, &name) != nil {
					return r.wrong("a name of a column is no JSON text", "fix its backslashes")
				}
				r.names = append(r.names, strings.TrimSpace(name))
			case i >= len(r.names):
				r.names = append(r.names, "x"+itoa(i+1))
			}
		}
		r.names, r.note = distinctNames(r.names)
		for _, name := range r.names {
			key, err := json.Marshal(name)
			if err != nil {
				return err
			}
			r.keys = append(r.keys, key)
		}
		if header {
			r.number--
			r.begun = true
			return r.afterHeader()
		}
	}
	if len(items) != len(r.keys) {
		return r.wrong("has "+plural(len(items), "item", "items")+" where "+itoa(len(r.keys))+
			" are expected", "give arrays of one length")
	}
	r.line = append(r.line[:0], '{')
	for i, item := range items {
		if i > 0 {
			r.line = append(r.line, ',')
		}
		r.line = append(append(append(r.line, r.keys[i]...), ':'), item...)
	}
	r.ready = append(r.line, '}', '\n')
	return nil
}

// afterHeader steps over the comma between the names of the columns and the first row.
func (r *jsonRows) afterHeader() error {
	c, err := r.solid()
	switch {
	case err != nil:
		return r.cut(err)
	case c == ']':
		return &fault.Input{File: r.name, Problem: "has names of columns but no rows",
			Fix: "add rows, each an array"}
	case c != ',':
		return r.wrong("the names of the columns are followed by "+quote([]byte{c}),
			"fix the JSON, or give one object a line")
	}
	return nil
}

// splitItems splits what is within an array at its commas; texts reports whether all are texts.
func splitItems(inside []byte) (items [][]byte, texts bool) {
	texts = true
	depth, first := 0, 0
	add := func(end int) {
		item := bytes.TrimSpace(inside[first:end])
		texts = texts && len(item) > 0 && item[0] == '"'
		items = append(items, item)
		first = end + 1
	}
	for i := 0; i < len(inside); i++ {
		switch inside[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			if i = stringEnd(inside, i) - 1; i < 0 {
				i = len(inside) // not closed, which the parser reports
			}
		case ',':
			if depth == 0 {
				add(i)
			}
		}
	}
	if len(bytes.TrimSpace(inside)) > 0 {
		add(len(inside))
	}
	return items, texts
}
