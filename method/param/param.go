// Package param declares parameters: each once, with its name, type, range or choices, default,
// help and the variable that it is bound to.
//
// A [Set] works like a flag set. A method declares its parameters on it, bound to the fields of its
// configuration; whoever runs the method then sets values by name, as text. Flags and their checks,
// the settings that a project remembers, the schema of the HTTP API, the form of the page and the
// reference in docs/ are all made from the declarations.
package param

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// Kind is the type of a parameter's values.
type Kind uint8

const (
	Int    Kind = iota // a whole number
	Float              // a number
	Bool               // true or false
	Choice             // one of Param.Choices
	Text               // any text that the method can parse, or one of Param.Choices
	File               // the name of a file, or one of Param.Choices
)

// String returns the name of the kind as documentation has it.
func (k Kind) String() string {
	return [...]string{"whole number", "number", "true or false", "choice", "text", "file"}[k]
}

// Param is the declaration of a parameter. Only Name, Help and, for numbers, the range have to be
// given; Kind is set by the function of [Set] that declares it.
type Param struct {
	Name string // as in --name
	Kind Kind
	Help string // one line, without a full stop, as in "rows that make a neighbourhood dense"
	Unit string // of the values, as in "the data's units"; "": none

	// Min and Max bound a number. Max 0 is no upper bound.
	Min, Max float64
	// Above and Below leave Min and Max out of the range.
	Above, Below bool

	Choices []string // values of a Choice; special words of a Text or File

	// Default is the value that the method uses when none is given, in the form that it is set in.
	// Setting it changes nothing. "": it follows from the data or other parameters, as Auto says.
	Default string
	Auto    string // how the default follows, as in "from the data"; "" where Default says it

	Example string // a good value, for error messages; "": Default
	Basic   bool   // shown first in forms
	Short   string // one-letter flag; "": none
}

// Range returns the values in words, as in "a number above 0 and at most 1".
func (p Param) Range() string {
	switch p.Kind {
	case Bool:
		return "true or false"
	case Choice:
		return list(p.Choices)
	case Text, File:
		what := "a text"
		if p.Kind == File {
			what = "a file"
		}
		if len(p.Choices) > 0 {
			return list(p.Choices) + ", or " + what
		}
		return what
	}
	what := "a number"
	if p.Kind == Int {
		what = "a whole number"
	}
	low, high := number(p.Min), number(p.Max)
	switch {
	case p.Max == 0 && p.Above:
		return what + " above " + low
	case p.Max == 0:
		return what + " of " + low + " or more"
	}
	from, to := "from "+low, " to "+high
	if p.Above {
		from = "above " + low
		to = " and at most " + high
	}
	if p.Below {
		to = strings.Replace(to, " to ", " to below ", 1)
		to = strings.Replace(to, "at most", "below", 1)
	}
	return what + " " + from + to
}

// DefaultWords returns the default in words: the value, or how it follows.
func (p Param) DefaultWords() string {
	if p.Auto != "" {
		return p.Auto
	}
	return p.Default
}

// Check returns a [fault.Setting] unless text is a value of the parameter.
func (p Param) Check(text string) error {
	bad := func() error { return p.Invalid(text) }
	switch p.Kind {
	case Int:
		v, err := strconv.ParseInt(text, 10, 64)
		if u, unsigned := strconv.ParseUint(text, 10, 64); unsigned == nil && err != nil {
			v, err = int64(u>>1), nil // beyond what an int64 holds
		}
		if err != nil || !p.holds(float64(v)) {
			return bad()
		}
	case Float:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || !p.holds(v) {
			return bad()
		}
	case Bool:
		if _, err := strconv.ParseBool(text); err != nil {
			return bad()
		}
	case Choice:
		if !slices.Contains(p.Choices, text) {
			return bad()
		}
	}
	return nil
}

// Invalid returns the error for a value that the parameter cannot have.
func (p Param) Invalid(text string) error {
	such := ""
	if example := p.Example; example != "" || p.Default != "" && p.Kind != Choice &&
		p.Kind != Bool {
		if example == "" {
			example = p.Default
		}
		such = ", such as " + example
	}
	return fault.Settingf("--%s is %q: give %s%s", p.Name, text, p.Range(), such)
}

func (p Param) holds(v float64) bool {
	switch {
	case v < p.Min, p.Above && v == p.Min:
		return false
	case p.Max != 0 && (v > p.Max || p.Below && v == p.Max):
		return false
	}
	return true
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Set is the parameters of one method, bound to its configuration. The zero value is empty and
// ready to use.
type Set struct {
	params []Param
	assign []func(text string) error
	given  map[string]bool
}

// Params returns the declarations in order. The caller must not change them.
func (s *Set) Params() []Param { return s.params }

// Lookup returns the declaration of a name.
func (s *Set) Lookup(name string) (p Param, ok bool) {
	if at := s.index(name); at >= 0 {
		return s.params[at], true
	}
	return Param{}, false
}

// Given reports whether a value was set.
func (s *Set) Given(name string) bool { return s.given[name] }

// Set sets a value. One that the parameter cannot have, and a name that is not declared, are a
// [fault.Setting].
func (s *Set) Set(name, text string) error {
	at := s.index(name)
	if at < 0 {
		return fault.Settingf("there is no parameter %q", name)
	}
	if err := s.params[at].Check(text); err != nil {
		return err
	}
	if err := s.assign[at](text); err != nil {
		return err
	}
	if s.given == nil {
		s.given = map[string]bool{}
	}
	s.given[name] = true
	return nil
}

func (s *Set) index(name string) int {
	return slices.IndexFunc(s.params, func(p Param) bool { return p.Name == name })
}

// declare panics for a name that is declared twice, which is a fault of the program.
func (s *Set) declare(p Param, assign func(text string) error) {
	if s.index(p.Name) >= 0 {
		panic(fmt.Sprintf("param: --%s is declared twice", p.Name))
	}
	s.params = append(s.params, p)
	s.assign = append(s.assign, assign)
}

// Int declares a whole number.
func (s *Set) Int(v *int, p Param) {
	p.Kind = Int
	s.declare(p, func(text string) (err error) { *v, err = strconv.Atoi(text); return err })
}

// Uint64 declares a whole number of 0 or more, such as a seed.
func (s *Set) Uint64(v *uint64, p Param) {
	p.Kind = Int
	s.declare(p, func(text string) (err error) {
		*v, err = strconv.ParseUint(text, 10, 64)
		return err
	})
}

// Float declares a number.
func (s *Set) Float(v *float64, p Param) {
	p.Kind = Float
	s.declare(p, func(text string) (err error) {
		*v, err = strconv.ParseFloat(text, 64)
		return err
	})
}

// Bool declares a switch.
func (s *Set) Bool(v *bool, p Param) {
	p.Kind = Bool
	s.declare(p, func(text string) (err error) { *v, err = strconv.ParseBool(text); return err })
}

// Choice declares one of p.Choices, kept as text.
func (s *Set) Choice(v *string, p Param) {
	p.Kind = Choice
	s.declare(p, func(text string) error { *v = text; return nil })
}

// Enum declares one of p.Choices, which stand for values in the same order.
func Enum[T any](s *Set, v *T, p Param, values ...T) {
	p.Kind = Choice
	s.declare(p, func(text string) error { *v = values[slices.Index(p.Choices, text)]; return nil })
}

// Text declares a text that parse takes. Its errors should be those of [Param.Invalid].
func (s *Set) Text(p Param, parse func(text string) error) {
	p.Kind = Text
	s.declare(p, parse)
}

// File declares the name of a file, or one of p.Choices.
func (s *Set) File(v *string, p Param) {
	p.Kind = File
	s.declare(p, func(text string) error { *v = text; return nil })
}
