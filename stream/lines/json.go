package lines

import (
	"bytes"
	"encoding/json"
	"math"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
)

// objects decodes JSON objects, one per line, of text from i on, which ends in a line end and whose
// first clean bytes need no check.
func (d *Decoder) objects(text []byte, i, clean int, b *stream.Block, most int) int {
	d.front = false
	for {
		for i < len(text) &&
			(text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
			i++
		}
		if i >= len(text) || b.Len() >= most {
			return i
		}
		d.begin(b)
		next, problem := d.objectRow(text, i, d.row(b), b)
		if next < 0 {
			next = nextLine(text, i)
		}
		if next-i > MaxLine {
			problem, next = long(text[i:]), nextLine(text, i)
		}
		if problem != errDirective {
			d.settle(text[i:next], next <= clean, problem, b)
		} else {
			d.rows--
			d.undo(b)
			if line := text[i:next]; d.dirty(line) {
				d.badLine(b, "it is not UTF-8 text", fixJSON)
			} else {
				d.directiveJSON(line, b)
			}
		}
		i = next
	}
}

// errDirective reports that an object is a link or a row to forget. It is never shown.
var errDirective = &fault.Input{}

// objectRow reads the object at text[i] into row, and returns the next line, or what is wrong.
func (d *Decoder) objectRow(text []byte, i int, row []float64, b *stream.Block) (int,
	*fault.Input) {
	d.object++
	guess, found := 0, 0
	if text[i] != '{' {
		return -1, fault.Inputf(`give one object a line, as in {"x": 1.5, "y": 2}`,
			"is not a JSON object")
	}
	i = skipSpace(text, i+1)
	for first := true; text[i] != '}'; first = false {
		if !first {
			if text[i] != ',' {
				return -1, notJSON(text, i, "a comma or a closing brace")
			}
			i = skipSpace(text, i+1)
		}
		col, known, next := guess, false, i
		// keys mostly keep their order
		if guess < len(d.columns) && bytes.HasPrefix(text[i:], d.columns[guess].quoted) {
			known, next = true, i+len(d.columns[guess].quoted)
		} else {
			if text[i] != '"' {
				return -1, notJSON(text, i, "a key in double quotes")
			}
			key, after, problem := d.text(text, i, &d.key)
			if problem != nil {
				return -1, problem
			}
			if string(key) == "@link" || string(key) == "@forget" {
				return -1, errDirective
			}
			next = after
			col, known = d.byName[string(key)]
		}
		if i = skipSpace(text, next); text[i] != ':' {
			return -1, notJSON(text, i, "a colon")
		}
		i = skipSpace(text, i+1)
		if known && d.seen[col] == d.object {
			return -1, &fault.Input{Column: d.columns[col].name,
				Problem: "the key occurs twice in the object", Fix: "keep one of them"}
		}
		if known && d.columns[col].use == number {
			if v, next, ok := shortNumber(text, i); ok && ends(text[next]) {
				if p := d.columns[col].Apply(v); math.Abs(p) <= competitive.MostValue {
					row[d.columns[col].at] = p
					d.keep(d.columns[col].at, v)
					d.seen[col], guess = d.object, col+1
					found++
					i = skipSpace(text, next)
					continue
				}
			}
		}
		value, next, problem := d.value(text, i)
		if problem == nil && known {
			d.seen[col], guess = d.object, col+1
			found++
			problem = d.set(&d.columns[col], value, row, b)
		}
		if problem != nil {
			if known {
				problem.Column = d.columns[col].name
			}
			return -1, problem
		}
		i = skipSpace(text, next)
	}
	if i = skipSpace(text, i+1); text[i] != '\n' && text[i] != '\r' {
		return -1, notJSON(text, i, "the end of the line")
	}
	for col := 0; found < len(d.columns) && col < len(d.columns); col++ {
		if c := &d.columns[col]; d.seen[col] != d.object {
			if problem := d.set(c, nil, row, b); problem != nil {
				problem.Column = c.name
				return -1, problem
			}
		}
	}
	return i + 1, nil
}

// ends reports whether c may follow a number.
func ends(c byte) bool {
	return c == ',' || c == '}' || c == ' ' || c == '\t' || c == '\n' || c == '\r'
}

func skipSpace(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' {
		i++
	}
	return i
}

// value reads a string, number, true, false or null, which is an empty value.
func (d *Decoder) value(text []byte, i int) ([]byte, int, *fault.Input) {
	switch text[i] {
	case '"':
		return d.text(text, i, &d.spare)
	case '{':
		return nil, i, fault.Inputf("give each of its fields a key of its own in the row",
			"the value is an object")
	case '[':
		return nil, i, fault.Inputf("give each of its items a key of its own in the row",
			"the value is a list")
	}
	start := i
	for !ends(text[i]) {
		i++
	}
	switch word := text[start:i]; string(word) {
	case "null", "NaN":
		return nil, i, nil
	case "true", "false", "Infinity", "-Infinity":
		return word, i, nil
	default:
		if !isDecimal(word) {
			return nil, i, notJSON(text, start, "a value")
		}
		return word, i, nil
	}
}

// text reads the string whose opening quote is text[i]. A string with a backslash is put into
// spare.
func (d *Decoder) text(text []byte, i int, spare *[]byte) ([]byte, int, *fault.Input) {
	start := i + 1
	for i = start; text[i] != '"'; i++ {
		switch text[i] {
		case '\n', '\r':
			return nil, i, fault.Inputf(`close it; a line break in a string is written \n`,
				"a string is not closed on its line")
		case '\\':
			if text[i+1] == '\n' || text[i+1] == '\r' {
				continue
			}
			i++
		}
	}
	value := text[start:i]
	if bytes.IndexByte(value, '\\') < 0 {
		return value, i + 1, nil
	}
	var s string
	if err := json.Unmarshal(text[start-1:i+1], &s); err != nil {
		return nil, i, fault.Inputf("close it and fix its backslashes", "a string is not JSON")
	}
	*spare = append((*spare)[:0], s...)
	return *spare, i + 1, nil
}

// notJSON describes what was expected where something else is.
func notJSON(text []byte, i int, want string) *fault.Input {
	rest := text[i:]
	if n := bytes.IndexAny(rest[1:], ",} \t\r\n"); n >= 0 {
		rest = rest[:n+1]
	}
	if rest[0] == '\n' || rest[0] == '\r' {
		return fault.Inputf("give one whole JSON object a line", "the line ends where %s should be",
			want)
	}
	return fault.Inputf("give one whole JSON object a line", "is not JSON: %s where %s should be",
		quote(rest), want)
}
