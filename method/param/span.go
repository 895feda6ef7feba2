package param

import (
	"fmt"
	"strconv"
	"strings"
)

// Span is a range of whole numbers, both ends in it.
type Span struct{ From, To int }

// parseSpan reads a whole number, which is both ends, or a range as in 2..8.
func parseSpan(text string) (s Span, err error) {
	first, last, ranged := strings.Cut(text, "..")
	if s.From, err = strconv.Atoi(first); err != nil || !ranged {
		s.To = s.From
		return s, err
	}
	s.To, err = strconv.Atoi(last)
	return s, err
}

// String returns the range as parseSpan reads it.
func (s Span) String() string {
	if s.From == s.To {
		return strconv.Itoa(s.From)
	}
	return fmt.Sprintf("%d..%d", s.From, s.To)
}

// Span declares a whole number or a range of them, as in 2..8.
func (s *Set) Span(v *Span, p Param) {
	p.Kind, p.Span = Int, true
	bind(s, v, p, parseSpan, Span.String)
}

// Widen lets a whole number that was declared be a range, too. A range is kept in v, and not in the
// variable of the number; v then has different ends.
func (s *Set) Widen(name string, v *Span) {
	d := s.find(name)
	d.Span = true
	assign, value, reset := d.assign, d.value, d.reset
	d.assign = func(text string) error {
		span, err := parseSpan(text)
		if *v = span; err != nil || span.From < span.To {
			return err
		}
		return assign(strconv.Itoa(span.From))
	}
	d.value = func() string {
		if v.From < v.To {
			return v.String()
		}
		return value()
	}
	d.reset = func() {
		*v = Span{}
		reset()
	}
}
