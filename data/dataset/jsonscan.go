package dataset

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/kindred-go/kindred/fault"
)

func skipSpace(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' {
		i++
	}
	return i
}

// object reads the JSON object at text[i], which ends with its line, and returns each key and
// value, as text and valid only during the call, to set; null is an empty value. It returns the
// position of the next line.
func (s *textScanner) object(text []byte, i int, set func(key, value []byte) *fault.Input) (int,
	*fault.Input) {
	if text[i] != '{' {
		return i, &fault.Input{Problem: "is not a JSON object",
			Fix: `give one object a line, as in {"x": 1.5, "y": 2}`}
	}
	i, wrong := s.members(text, i, 0, 1, set)
	if wrong != nil {
		return i, wrong
	}
	i = skipSpace(text, i)
	if text[i] != '\n' && text[i] != '\r' {
		return i, notJSON(text, i, "the end of the line")
	}
	return s.endLine(text, i), nil
}

// members reads the object at text[i] and returns the position after it. Keys begin with the first
// prefix bytes of scratch; those of an object within it begin with its key and a point.
func (s *textScanner) members(text []byte, i, prefix, depth int,
	set func(key, value []byte) *fault.Input) (int, *fault.Input) {
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
		key, next, wrong := s.jsonText(text, i)
		if wrong != nil {
			return i, wrong
		}
		s.scratch = append(s.scratch[:prefix], key...)
		if len(s.scratch) > longestKey {
			return i, &fault.Input{Problem: "a key is longer than " + itoa(longestKey) + " bytes: " +
				quote(s.scratch), Fix: "give shorter keys"}
		}
		i = skipSpace(text, next)
		if text[i] != ':' {
			return i, notJSON(text, i, "a colon")
		}
		i = skipSpace(text, i+1)
		if text[i] == '{' {
			if s.flat {
				return i, &fault.Input{Column: string(s.scratch),
					Problem: "the value is an object",
					Fix:     "give each of its fields a key of its own in the row"}
			}
			if depth == mostNested {
				return i, &fault.Input{Column: string(s.scratch),
					Problem: "has objects within objects, deeper than " +
						itoa(mostNested) + " levels", Fix: "give values under fewer keys"}
			}
			s.scratch = append(s.scratch, '.')
			if i, wrong = s.members(text, i, len(s.scratch), depth+1, set); wrong != nil {
				return i, wrong
			}
			s.nested++
			i = skipSpace(text, i)
			continue
		}
		s.number, s.list = text[i] == '-' || text[i]-'0' <= 9, false
		value, next, wrong := s.jsonValue(text, i)
		if wrong == nil {
			wrong = set(s.scratch, value)
		}
		if wrong != nil {
			if wrong.Column == "" {
				wrong.Column = string(s.scratch)
			}
			return i, wrong
		}
		i = skipSpace(text, next)
	}
	return i + 1, nil
}

// jsonValue reads a string, number, true, false or null.
func (s *textScanner) jsonValue(text []byte, i int) ([]byte, int, *fault.Input) {
	switch text[i] {
	case '"':
		return s.jsonText(text, i)
	case '[':
		if s.flat {
			return nil, i, listValueFault()
		}
		s.list = true
		return jsonList(text, i)
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
	if _, ok := ParseNumber(word); !ok {
		return nil, i, notJSON(text, start, "a value")
	}
	return word, i, nil
}

// listValueFault reports a list where no list can be.
func listValueFault() *fault.Input {
	return &fault.Input{Problem: "the value is a list",
		Fix: "give each of its items a key of its own in the row"}
}

// jsonList reads the list at text[i] as it is written.
func jsonList(text []byte, i int) ([]byte, int, *fault.Input) {
	start, depth := i, 0
	line := text[:lineEnd(text, i)]
	for {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '\n', '\r':
			return nil, i, &fault.Input{Problem: "a list is not closed on its line",
				Fix: "give one whole JSON object a line"}
		case '"':
			if i = stringEnd(line, i) - 1; i < 0 {
				return nil, start, &fault.Input{Problem: "a string is not closed on its line",
					Fix: `close it; a line break in a string is written \n`}
			}
		}
		if i++; depth == 0 {
			break
		}
	}
	list := text[start:i]
	if !json.Valid(list) && !json.Valid(bytes.ReplaceAll(list, []byte("NaN"), []byte("null"))) {
		return nil, start, &fault.Input{Problem: "is not JSON: the list " + quote(list),
			Fix: "fix what stands in it"}
	}
	return list, i, nil
}

// jsonText reads the string whose opening quote is text[i].
func (s *textScanner) jsonText(text []byte, i int) ([]byte, int, *fault.Input) {
	start := i + 1
	for i = start; text[i] != '"'; i++ {
		switch text[i] {
		case '\n', '\r':
			return nil, i, &fault.Input{Problem: "a string is not closed on its line",
				Fix: `close it; a line break in a string is written \n`}
		case '\\':
			return s.jsonEscaped(text, start)
		}
	}
	return text[start:i], i + 1, nil
}

// jsonEscaped reads a string with a backslash in it.
func (s *textScanner) jsonEscaped(text []byte, start int) ([]byte, int, *fault.Input) {
	i := start
	for text[i] != '"' && text[i] != '\n' && text[i] != '\r' {
		if text[i] == '\\' && text[i+1] != '\n' && text[i+1] != '\r' {
			i++
		}
		i++
	}
	var value string
	if err := json.Unmarshal(text[start-1:min(i+1, s.end)], &value); err != nil {
		return nil, i, &fault.Input{Problem: "a string is not JSON",
			Fix: "close it and fix its backslashes"}
	}
	return []byte(value), i + 1, nil
}

// notJSON describes what was expected where something else is.
func notJSON(text []byte, i int, want string) *fault.Input {
	rest := text[i:lineEnd(text, i)]
	if len(rest) == 0 {
		return &fault.Input{Problem: "the line ends where " + want + " should be",
			Fix: "give one whole JSON object a line"}
	}
	if n := bytes.IndexAny(rest, ",} \t"); n > 0 {
		rest = rest[:n]
	}
	return &fault.Input{Problem: "is not JSON: " + quote(rest) + " where " + want + " should be",
		Fix: "give one whole JSON object a line"}
}

// addLate remembers a key that came after the sample.
func (b *block) addLate(key string) {
	const most = 100
	if len(b.late) < most && !slices.Contains(b.late, key) {
		b.late = append(b.late, key)
	}
}
