// Package param declares parameters: each once, with its name, type, range or choices, default,
// help and the variable that it is bound to.
//
// A [Set] works like a flag set. A method declares its parameters on it, bound to the fields of its
// configuration; whoever runs the method then sets values by name, as text. Flags and their checks,
// the settings that a project remembers, the schema of the HTTP API, the form of the page and the
// reference in docs/ are all made from the declarations.
package param

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
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
	List               // names, as one line of CSV
)

// String returns the name of the kind as documentation has it.
func (k Kind) String() string {
	return [...]string{"whole number", "number", "true or false", "choice", "text", "file",
		"names"}[k]
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
	// Span takes a range of whole numbers, too, as in 2..8. It is set by [Set.Span].
	Span bool

	Choices []string // values of a Choice; special words of a Text or File
	Values  string   // of a Text: in words, as in "a number above 0, or auto"; "": a text

	// Default is the value that the method uses when none is given, in the form that it is set in.
	// Setting it changes nothing. "": it follows from the data or other parameters, by Auto.
	Default string
	Auto    string // how the default follows, as in "from the data"; "" where there is a Default

	Example string // a good value, for error messages; "": Default
	Basic   bool   // shown first in forms
	Short   string // one-letter flag; "": none

	Formats []string // of data that it means something to; nil: all
}

// Range returns the values in words, as in "a number above 0 and at most 1".
func (p Param) Range() string {
	switch p.Kind {
	case Bool:
		return "true or false"
	case Choice:
		return words.List(p.Choices, "or")
	case List:
		return "names, separated by commas"
	case Text, File:
		if p.Values != "" {
			return p.Values
		}
		what := "a text"
		if p.Kind == File {
			what = "a file"
		}
		if len(p.Choices) > 0 {
			return words.List(p.Choices, "or") + ", or " + what
		}
		return what
	}
	if p.Span {
		p.Span = false
		return p.Range() + ", or a range of them to choose from, as in 2..8"
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

// Usage returns the help with the choices and a default that is not 0, as a line of a list of flags
// has it.
func (p Param) Usage() string {
	text := p.Help
	if p.Kind == Choice {
		text += ": " + words.List(p.Choices, "or")
	}
	switch {
	case p.Auto != "":
		text += " (default: " + p.Auto + ")"
	case p.Default != "" && p.Default != "0" && p.Kind != Bool:
		text += " (default " + p.Default + ")"
	}
	return text
}

// check returns a [fault.Setting] unless text is a value of the parameter.
func (p Param) check(text string) error {
	bad := func() error { return p.Invalid(text) }
	switch p.Kind {
	case Int:
		first, last, ranged := strings.Cut(text, "..")
		from, ok := p.whole(first)
		to := from
		if ranged {
			ok = ok && p.Span
			var fits bool
			to, fits = p.whole(last)
			ok = ok && fits
		}
		if !ok || from > to {
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
		if p.choice(text) < 0 {
			return bad()
		}
	}
	return nil
}

// choice returns the index of a choice, in letters of any case; −1: it is none.
func (p Param) choice(text string) int {
	return slices.IndexFunc(p.Choices, func(c string) bool { return strings.EqualFold(c, text) })
}

// whole reads a whole number; ok is false unless the range holds it.
func (p Param) whole(text string) (v float64, ok bool) {
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return float64(u), p.holds(float64(u))
	}
	i, err := strconv.ParseInt(text, 10, 64)
	return float64(i), err == nil && p.holds(float64(i))
}

// Invalid returns the error for a value that the parameter cannot have.
func (p Param) Invalid(text string) error {
	if s, err := parseSpan(text); p.Span && err == nil && s.From > s.To && p.holds(float64(s.To)) {
		return fault.Settingf("--%s is %q: give the lower end first, as in %d..%d", p.Name, text,
			s.To, s.From)
	}
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

// Set is the parameters of one method, bound to its configuration. The zero value is empty and
// ready to use.
type Set struct {
	params []declared
}

// declared is a parameter and the variable that it is bound to.
type declared struct {
	Param
	assign func(text string) error
	value  func() string // of the variable
	reset  func()        // to what the variable was before any value was set
	before string        // value then
	given  bool
}

// Params returns the declarations in order.
func (s *Set) Params() []Param {
	params := make([]Param, len(s.params))
	for i, d := range s.params {
		params[i] = d.Param
	}
	return params
}

// Lookup returns the declaration of a name.
func (s *Set) Lookup(name string) (p Param, ok bool) {
	if d := s.find(name); d != nil {
		return d.Param, true
	}
	return Param{}, false
}

// Given reports whether a value was set.
func (s *Set) Given(name string) bool {
	d := s.find(name)
	return d != nil && d.given
}

// Value returns the value of a parameter in the form that it is set in: what was set, or else the
// default. "" where neither is known, and for a name that is not declared.
func (s *Set) Value(name string) string {
	d := s.find(name)
	switch {
	case d == nil:
		return ""
	case !d.given && d.value() == d.before:
		return d.Default
	}
	return d.value()
}

// Set sets a value. One that the parameter cannot have, and a name that is not declared, are a
// [fault.Setting].
func (s *Set) Set(name, text string) error {
	d := s.find(name)
	if d == nil {
		return fault.Settingf("there is no parameter %q", name)
	}
	if err := d.check(text); err != nil {
		return err
	}
	if d.Kind == Choice {
		text = d.Choices[d.choice(text)]
	}
	if err := d.assign(text); err != nil {
		if _, ok := errors.AsType[*strconv.NumError](err); ok {
			return d.Invalid(text)
		}
		return err
	}
	d.given = true
	return nil
}

func (s *Set) find(name string) *declared {
	at := slices.IndexFunc(s.params, func(d declared) bool { return d.Name == name })
	if at < 0 {
		return nil
	}
	return &s.params[at]
}

// Reset takes back what was set; of a Text it forgets that it was, and the variable stays.
func (s *Set) Reset(name string) {
	if d := s.find(name); d != nil {
		d.reset()
		d.given = false
	}
}

// bind declares a parameter of a variable. It panics for a name that is declared twice, which is a
// fault of the program.
func bind[T any](s *Set, v *T, p Param, parse func(text string) (T, error),
	format func(T) string) {
	if s.find(p.Name) != nil {
		panic(fmt.Sprintf("param: --%s is declared twice", p.Name))
	}
	before := *v
	s.params = append(s.params, declared{
		Param: p,
		assign: func(text string) error {
			value, err := parse(text)
			if err == nil {
				*v = value
			}
			return err
		},
		value:  func() string { return format(*v) },
		reset:  func() { *v = before },
		before: format(before),
	})
}

func same(text string) string { return text }

func taken(text string) (string, error) { return text, nil }

// Int declares a whole number.
func (s *Set) Int(v *int, p Param) {
	p.Kind = Int
	bind(s, v, p, strconv.Atoi, strconv.Itoa)
}

// Int64 declares a whole number that may be large, such as one of bytes.
func (s *Set) Int64(v *int64, p Param) {
	p.Kind = Int
	bind(s, v, p, func(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) },
		func(v int64) string { return strconv.FormatInt(v, 10) })
}

// Uint64 declares a whole number of 0 or more, such as a seed.
func (s *Set) Uint64(v *uint64, p Param) {
	p.Kind = Int
	bind(s, v, p, func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) },
		func(v uint64) string { return strconv.FormatUint(v, 10) })
}

// Float declares a number.
func (s *Set) Float(v *float64, p Param) {
	p.Kind = Float
	bind(s, v, p, func(text string) (float64, error) { return strconv.ParseFloat(text, 64) },
		number)
}

// FloatFunc declares a number that assign takes.
func (s *Set) FloatFunc(p Param, assign func(value float64)) {
	p.Kind = Float
	s.parsed(p, func(text string) error {
		value, err := strconv.ParseFloat(text, 64)
		if err == nil {
			assign(value)
		}
		return err
	})
}

// Bool declares a switch.
func (s *Set) Bool(v *bool, p Param) {
	p.Kind = Bool
	bind(s, v, p, strconv.ParseBool, strconv.FormatBool)
}

// Choice declares one of p.Choices, kept as text.
func (s *Set) Choice(v *string, p Param) {
	p.Kind = Choice
	bind(s, v, p, taken, same)
}

// Enum declares one of p.Choices, which stand for first and the values after it. Unless p has a
// Default or Auto, the first one is the default.
func Enum[T ~int | ~uint8](s *Set, v *T, first T, p Param) {
	p.Kind = Choice
	if p.Default == "" && p.Auto == "" {
		p.Default = p.Choices[0]
	}
	before := *v
	s.parsed(p, func(text string) error {
		*v = first + T(slices.Index(p.Choices, text))
		return nil
	})
	d := &s.params[len(s.params)-1]
	forget := d.reset
	d.reset = func() { forget(); *v = before }
}

// Text declares a text that parse takes. An error of parse that is no [fault.Setting] becomes that
// of [Param.Invalid].
func (s *Set) Text(p Param, parse func(text string) error) {
	p.Kind = Text
	s.parsed(p, parse)
}

// parsed declares a parameter whose text is kept beside what parse makes of it.
func (s *Set) parsed(p Param, parse func(text string) error) {
	given := ""
	bind(s, &given, p, func(text string) (string, error) {
		err := parse(text)
		var setting fault.Setting
		if err != nil && !errors.As(err, &setting) {
			err = p.Invalid(text)
		}
		return text, err
	}, same)
}

// String declares any text, such as the name of a column.
func (s *Set) String(v *string, p Param) {
	p.Kind = Text
	bind(s, v, p, taken, same)
}

// File declares the name of a file, or one of p.Choices.
func (s *Set) File(v *string, p Param) {
	p.Kind = File
	bind(s, v, p, taken, same)
}

// List declares names, as one line of CSV.
func (s *Set) List(v *[]string, p Param) {
	p.Kind = List
	bind(s, v, p, func(text string) ([]string, error) {
		if text == "" {
			return nil, nil
		}
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(lines) != 1 {
			return nil, p.Invalid(text)
		}
		return lines[0], nil
	}, line)
}

// line writes names as one line of CSV.
func line(names []string) string {
	if len(names) == 0 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(names) // a strings.Builder takes everything
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}
