package dataset

import (
	"bytes"
	"encoding/json"
	"slices"
)

// jsonScanner takes flat JSON objects apart, one per line. The text it is given holds one byte more
// than end, a line feed.
type jsonScanner struct {
	end  int
	line int // line ends passed
	key  []byte
}

// skipBlank steps over lines that hold nothing but blanks, and over blanks.
func (s *jsonScanner) skipBlank(text []byte, i int) int {
	for i < s.end {
		switch text[i] {
		case ' ', '\t':
			i++
		case '\n', '\r':
			i = s.endLine(text, i)
		default:
			return i
		}
	}
	return i
}

func (s *jsonScanner) endLine(text []byte, i int) int {
	s.line++
	if text[i] == '\r' && i+1 < s.end && text[i+1] == '\n' {
		return i + 2
	}
	return i + 1
}

func skipSpace(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' {
		i++
	}
	return i
}

// object reads the object at text[i], which ends with its line, and returns each key and value, as
// text and valid only during the call, to set; null is an empty value. It returns the position of
// the next line.
func (s *jsonScanner) object(text []byte, i int, set func(key, value []byte) *textFault) (int,
	*textFault) {
	if text[i] != '{' {
		return i, &textFault{problem: "is not a JSON object",
			fix: `give one object a line, as in {"x": 1.5, "y": 2}`}
	}
	i = skipSpace(text, i+1)
	for first := true; text[i] != '}'; first = false {
		if !first {
			if text[i] != ',' {
				return i, notJSON(text, i, "a comma or a closing brace")
			}
			i = skipSpace(text, i+1)
		}
		if text[i] != '"' {
			return i, notJSON(text, i, "a key in double quotes")
		}
		key, next, fault := s.text(text, i)
		if fault != nil {
			return i, fault
		}
		s.key = append(s.key[:0], key...)
		i = skipSpace(text, next)
		if text[i] != ':' {
			return i, notJSON(text, i, "a colon")
		}
		i = skipSpace(text, i+1)
		value, next, fault := s.value(text, i)
		if fault == nil {
			fault = set(s.key, value)
		}
		if fault != nil {
			if fault.column == "" {
				fault.column = string(s.key)
			}
			return i, fault
		}
		i = skipSpace(text, next)
	}
	i = skipSpace(text, i+1)
	if text[i] != '\n' && text[i] != '\r' {
		return i, notJSON(text, i, "the end of the line")
	}
	return s.endLine(text, i), nil
}

// value reads a string, number, true, false or null.
func (s *jsonScanner) value(text []byte, i int) ([]byte, int, *textFault) {
	switch text[i] {
	case '"':
		return s.text(text, i)
	case '{':
		return nil, i, &textFault{problem: "the value is an object",
			fix: "give each of its fields a key of its own in the row"}
	case '[':
		return nil, i, &textFault{problem: "the value is a list",
			fix: "give each of its items a key of its own in the row"}
	}
	start := i
	for {
		c := text[i]
		if c == ',' || c == '}' || c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			break
		}
		i++
	}
	word := text[start:i]
	switch string(word) {
	case "null", "NaN":
		return nil, i, nil
	case "true", "false", "Infinity", "-Infinity":
		return word, i, nil
	}
	if _, ok := parseNumber(word); !ok {
		return nil, i, notJSON(text, start, "a value")
	}
	return word, i, nil
}

// text reads the string whose opening quote is text[i].
func (s *jsonScanner) text(text []byte, i int) ([]byte, int, *textFault) {
	start := i + 1
	for i = start; text[i] != '"'; i++ {
		switch text[i] {
		case '\n', '\r':
			return nil, i, &textFault{problem: "a string is not closed on its line",
				fix: `close it; a line break in a string is written \n`}
		case '\\':
			return s.escaped(text, start)
		}
	}
	return text[start:i], i + 1, nil
}

// escaped reads a string with a backslash in it.
func (s *jsonScanner) escaped(text []byte, start int) ([]byte, int, *textFault) {
	i := start
	for text[i] != '"' && text[i] != '\n' && text[i] != '\r' {
		if text[i] == '\\' && text[i+1] != '\n' && text[i+1] != '\r' {
			i++
		}
		i++
	}
	var value string
	if err := json.Unmarshal(text[start-1:min(i+1, s.end)], &value); err != nil {
		return nil, i, &textFault{problem: "a string is not JSON",
			fix: "close it and fix its backslashes"}
	}
	return []byte(value), i + 1, nil
}

// notJSON describes what was expected where something else is.
func notJSON(text []byte, i int, want string) *textFault {
	rest := text[i:lineEnd(text, i)]
	if len(rest) == 0 {
		return &textFault{problem: "the line ends where " + want + " should be",
			fix: "give one whole JSON object a line"}
	}
	if n := bytes.IndexAny(rest, ",} \t"); n > 0 {
		rest = rest[:n]
	}
	return &textFault{problem: "is not JSON: " + quote(rest) + " where " + want + " should be",
		fix: "give one whole JSON object a line"}
}

// addLate remembers a key that came after the sample.
func (b *block) addLate(key string) {
	const most = 100
	if len(b.late) < most && !slices.Contains(b.late, key) {
		b.late = append(b.late, key)
	}
}
