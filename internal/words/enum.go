package words

import (
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// Name returns name i, or the type and the number where there is none.
func Name(of string, names []string, i int) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%s(%d)", of, i)
	}
	return names[i]
}

// Parse returns the value of a name: its position among names, in any case and with blanks around.
// What the values are is for the error, a *fault.Input.
func Parse[T ~int](what string, names []string, s string) (T, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	for i, name := range names {
		if s == name {
			return T(i), nil
		}
	}
	return 0, fault.Inputf("write "+List(names, "or"), "%.40q is not a %s", s, what)
}

// Marshal returns name i as text; it fails where there is none.
func Marshal(of string, names []string, i int) ([]byte, error) {
	if i < 0 || i >= len(names) {
		return nil, fmt.Errorf("%s has no name", Name(of, names, i))
	}
	return []byte(names[i]), nil
}

// Unmarshal sets to to what parse makes of text.
func Unmarshal[T any](to *T, parse func(string) (T, error), text []byte) error {
	v, err := parse(string(text))
	if err == nil {
		*to = v
	}
	return err
}
