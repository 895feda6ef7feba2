package dataset

import (
	"fmt"
	"slices"
	"strings"
)

// Scale is how the columns of the matrix are brought to a common size.
type Scale int

// The ways to scale. A constant column becomes 0 under min–max and z-score.
const (
	ScaleMinMax Scale = iota // (x − min) / (max − min), so that values lie in [0, 1]; the default
	ScaleNone                // as they are
	ScaleZScore              // (x − mean) / σ with σ² = Σ(x − mean)²/n
)

// Missing is what is done about missing values in features.
type Missing int

// The treatments of missing values.
const (
	MissingRefuse Missing = iota // they are a fault; the default
	MissingDrop                  // rows that have any are left out
	// the mean of the column; of a category or boolean the most frequent value
	MissingMean
	// the median of the column; of a category or boolean the most frequent value
	MissingMedian
)

// Duplicates is what is done about rows whose features are all equal.
type Duplicates int

// The treatments of duplicates.
const (
	DuplicatesKeep Duplicates = iota // they stay; the default
	DuplicatesDrop                   // the first of each stays
)

// Dates is how dates and times become columns of the matrix.
type Dates int

// The ways to compare dates and times. Days are counted from the first one. The parts are the time
// of day, the day of the week, of the month and of the year, each as the sine and the cosine of its
// place in its cycle.
//
// DatesNone is the default: what happened at the same time seldom is of the same kind, the rows of
// most tables stand in the order of their dates, and those who look for times know it. So a date
// says when, as an id says which, unless it is asked for.
const (
	DatesNone  Dates = iota // not at all; the default
	DatesAuto               // by days, and by the parts whose cycle they span and that vary
	DatesDays               // by days
	DatesParts              // by the parts that vary
)

var (
	typeNames       = []string{"number", "boolean", "category", "text", "time"}
	scaleNames      = []string{"minmax", "none", "zscore"}
	missingNames    = []string{"refuse", "drop", "mean", "median"}
	duplicatesNames = []string{"keep", "drop"}
	datesNames      = []string{"none", "auto", "days", "parts"}
)

// ParseScale reads "minmax", "none" or "zscore".
func ParseScale(s string) (Scale, error) { return choose[Scale]("scale", scaleNames, s) }

// ParseMissing reads "refuse", "drop", "mean" or "median".
func ParseMissing(s string) (Missing, error) {
	return choose[Missing]("treatment of missing values", missingNames, s)
}

// ParseDuplicates reads "keep" or "drop".
func ParseDuplicates(s string) (Duplicates, error) {
	return choose[Duplicates]("treatment of duplicates", duplicatesNames, s)
}

// ParseDates reads "none", "auto", "days" or "parts".
func ParseDates(s string) (Dates, error) {
	return choose[Dates]("way to compare dates", datesNames, s)
}

// ParseType reads "number", "boolean", "category", "text" or "time".
func ParseType(s string) (Type, error) { return choose[Type]("type", typeNames, s) }

// String returns the name that ParseDates reads.
func (d Dates) String() string { return datesNames[d] }

// String returns the name that ParseScale reads.
func (s Scale) String() string { return scaleNames[s] }

// String returns the name that ParseMissing reads.
func (m Missing) String() string { return missingNames[m] }

// String returns the name that ParseDuplicates reads.
func (d Duplicates) String() string { return duplicatesNames[d] }

// String returns "number", "boolean", "category", "text" or "time".
func (t Type) String() string { return typeNames[t] }

// MarshalText returns the name, for JSON.
func (s Scale) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalText returns the name, for JSON.
func (m Missing) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// MarshalText returns the name, for JSON.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// MarshalText returns the name, for JSON.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the name.
func (s *Scale) UnmarshalText(text []byte) (err error) {
	*s, err = ParseScale(string(text))
	return err
}

// UnmarshalText reads the name.
func (m *Missing) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMissing(string(text))
	return err
}

// UnmarshalText reads the name.
func (t *Type) UnmarshalText(text []byte) (err error) {
	*t, err = ParseType(string(text))
	return err
}

func choose[T ~int](what string, names []string, s string) (T, error) {
	if i := slices.Index(names, s); i >= 0 {
		return T(i), nil
	}
	return 0, fmt.Errorf("unknown %s %q: give one of %s", what, s, strings.Join(names, ", "))
}
