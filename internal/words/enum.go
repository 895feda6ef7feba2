package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// Enum is the words of a type whose values count from 0.
type Enum[T ~int] struct {
	Type  string   // its name, for values without a word
	What  string   // what a value is, for errors of Parse, as in "link"
	Words []string // of the values, in order
}

// Name returns the word of a value, or the type and the number where there is none.
func (e Enum[T]) Name(v T) string {
	if v < 0 || int(v) >= len(e.Words) {
		return fmt.Sprintf("%s(%d)", e.Type, int(v))
	}
	return e.Words[v]
}

// Parse returns the value of a word, in any case and with blanks around. Others are a *fault.Input.
func (e Enum[T]) Parse(s string) (T, error) {
	if i := slices.Index(e.Words, strings.ToLower(strings.TrimSpace(s))); i >= 0 {
		return T(i), nil
	}
	return 0, fault.Inputf("write "+List(e.Words, "or"), "%.40q is not a %s",
		strings.ToLower(strings.TrimSpace(s)), e.What)
}

// Marshal returns the word of a value as text; it fails where there is none.
func (e Enum[T]) Marshal(v T) ([]byte, error) {
	if v < 0 || int(v) >= len(e.Words) {
		return nil, fmt.Errorf("%s has no name", e.Name(v))
	}
	return []byte(e.Words[v]), nil
}

// Unmarshal sets v to what Parse makes of text.
func (e Enum[T]) Unmarshal(v *T, text []byte) error {
	parsed, err := e.Parse(string(text))
	if err == nil {
		*v = parsed
	}
	return err
}
