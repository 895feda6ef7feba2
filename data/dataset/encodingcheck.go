package dataset

import (
	"fmt"
	"math"
	"slices"
)

// Check reports whether the recipe hangs together, as one read from a file may not.
func (e Encoding) Check() error {
	seen := make(map[string]bool, len(e.Columns))
	for i := range e.Columns {
		c := &e.Columns[i]
		bad := func(format string, args ...any) error {
			return fmt.Errorf("column %q of the recipe: %s", c.Source, fmt.Sprintf(format, args...))
		}
		switch {
		case seen[c.Source]:
			return bad("it is there twice")
		case c.Type != Number && c.Type != Boolean && c.Type != Category && c.Type != Time:
			return bad("it has no type that can be a feature")
		case c.Type != Category && len(c.Levels) > 0, c.Type == Category && len(c.Levels) == 0:
			return bad("%d levels do not go with its type", len(c.Levels))
		case (c.Type == Time) != (c.Time != nil), c.Time != nil && !c.Time.sound():
			return bad("it does not say what becomes of a time")
		case c.Others && c.Type != Category:
			return bad("other values do not go with its type")
		case c.Weight < 0 || !isFinite(c.Weight):
			return bad("its weight is %v", c.Weight)
		case len(c.Shift) != len(c.Divisor), e.Scale == ScaleNone && len(c.Shift) != 0,
			e.Scale != ScaleNone && len(c.Shift) != c.Width():
			return bad("%d shifts and %d divisors for %d columns", len(c.Shift), len(c.Divisor),
				c.Width())
		case c.Fill != nil && !c.fills(*c.Fill):
			return bad("missing values cannot be filled with %v", *c.Fill)
		}
		seen[c.Source] = true
		for j := range c.Shift {
			if !isFinite(c.Shift[j]) || !isFinite(c.Divisor[j]) || c.Divisor[j] < 0 {
				return bad("it is shifted by %v and divided by %v", c.Shift[j], c.Divisor[j])
			}
		}
	}
	if e.Reading != nil {
		if err := e.Reading.check(); err != nil {
			return fmt.Errorf("the recipe: %w", err)
		}
	}
	if e.Missing == MissingKeep && e.Imputation == nil {
		return fmt.Errorf("the recipe keeps missing values, and does not say how")
	}
	if e.Imputation != nil {
		return e.Imputation.check(e.Cols())
	}
	return nil
}

// check reports whether the imputation is one for so many columns.
func (m *Imputation) check(d int) error {
	rows := append([][]float64{m.Center, m.Low, m.High}, m.Weights...)
	for _, row := range rows {
		if len(row) != d || slices.ContainsFunc(row, func(v float64) bool { return !isFinite(v) }) {
			return fmt.Errorf("the prediction of missing values does not suit %d columns", d)
		}
	}
	if m.Weights != nil && len(m.Weights) != d {
		return fmt.Errorf("missing values are predicted in %d of %d columns", len(m.Weights), d)
	}
	for j := range d {
		if !(m.Low[j] <= m.Center[j] && m.Center[j] <= m.High[j]) {
			return fmt.Errorf("a missing value is predicted as %v, which is not from %v to %v",
				m.Center[j], m.Low[j], m.High[j])
		}
	}
	return nil
}

// sound reports whether the columns of a time are known ones, each there once.
func (e *EncodedTime) sound() bool {
	known := 0
	for _, part := range timeParts {
		for _, name := range e.Parts {
			if name == part.name {
				known++
			}
		}
	}
	return e.width() > 0 && known == len(e.Parts) && isFinite(e.First) &&
		len(slices.Compact(slices.Sorted(slices.Values(e.Parts)))) == len(e.Parts) &&
		e.Zone > -day && e.Zone < day
}

// fills reports whether a missing value may become v.
func (c *EncodedColumn) fills(v float64) bool {
	switch c.Type {
	case Category:
		return v >= 0 && v < float64(len(c.Levels)) && v == math.Trunc(v)
	case Boolean:
		return v >= 0 && v <= 1
	}
	return isFinite(v)
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
