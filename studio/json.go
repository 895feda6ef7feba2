package studio

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

func writeJSON(w io.Writer, v any) error {
	// Escaping <, > and & costs little, and keeps the text harmless should it ever end up in
	// markup.
	return json.NewEncoder(w).Encode(v)
}

// readJSON reads a request's body, and refuses what is nested deeper than anything the API takes.
func readJSON(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("the body is not UTF-8")
	}
	depth, inText, escaped := 0, false, false
	for _, b := range data {
		switch {
		case escaped:
			escaped = false
		case inText:
			escaped, inText = b == '\\', b != '"'
		case b == '"':
			inText = true
		case b == '[' || b == '{':
			if depth++; depth > deepestJSON {
				return fmt.Errorf("the body is nested deeper than %d", deepestJSON)
			}
		case b == ']' || b == '}':
			depth--
		}
	}
	return json.Unmarshal(data, v)
}
