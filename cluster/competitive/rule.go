package competitive

import (
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// Rule names a way to learn a row.
type Rule int

// The rules; the package's documentation tells how each learns.
const (
	CRPCL              Rule = iota // rival penalised under links; the zero value
	OLCVQE                         // winner takes all under links
	RPCL                           // rival penalised (Xu, Krzyżak and Oja 1993)
	FrequencySensitive             // frequent winners are held back (Ahalt et al. 1990)
	WinnerTakeAll                  // on-line k-means
)

var ruleNames = []string{"crpcl", "olcvqe", "rpcl", "fscl", "wta"}

// String returns the word of flags and files: crpcl, olcvqe, rpcl, fscl or wta.
func (r Rule) String() string { return word("Rule", ruleNames, int(r)) }

// ParseRule reads a word of [Rule.String], in any case and with blanks around.
func ParseRule(s string) (Rule, error) { return parse[Rule]("rule", ruleNames, s) }

// MarshalText returns [Rule.String].
func (r Rule) MarshalText() ([]byte, error) { return marshal(r.String(), ruleNames, int(r)) }

// UnmarshalText reads what [ParseRule] takes.
func (r *Rule) UnmarshalText(text []byte) error { return unmarshal(r, ParseRule, text) }

// links reports whether the rule learns from links.
func (r Rule) links() bool { return r == CRPCL || r == OLCVQE }

// frequent reports whether frequent winners are held back.
func (r Rule) frequent() bool { return r == CRPCL || r == RPCL || r == FrequencySensitive }

// penalises reports whether rivals are driven off.
func (r Rule) penalises() bool { return r == CRPCL || r == RPCL }

// Metric says what distances a prototype measures.
type Metric int

// The metrics. With Diagonal and Full every prototype learns the covariance S of the rows that it
// wins, beside its place, and measures (x−μ)ᵀ M (x−μ) with M = det(S)^(1/d)·S⁻¹ (Gustafson and
// Kessel 1979), so that all have the same volume and none grows at the cost of the others; Diagonal
// keeps the diagonal of S alone. They are for rpcl and crpcl, and Full for at most 1000 columns.
const (
	Euclidean Metric = iota // the zero value
	Diagonal
	Full
)

var metricNames = []string{"euclidean", "diagonal", "full"}

// String returns the word of flags and files: euclidean, diagonal or full.
func (m Metric) String() string { return word("Metric", metricNames, int(m)) }

// ParseMetric reads a word of [Metric.String], in any case and with blanks around.
func ParseMetric(s string) (Metric, error) { return parse[Metric]("metric", metricNames, s) }

// MarshalText returns [Metric.String].
func (m Metric) MarshalText() ([]byte, error) { return marshal(m.String(), metricNames, int(m)) }

// UnmarshalText reads what [ParseMetric] takes.
func (m *Metric) UnmarshalText(text []byte) error { return unmarshal(m, ParseMetric, text) }

// Schedule reports how the learning rate falls.
type Schedule int

// The schedules. The unlearning rate falls in proportion.
const (
	// Constant keeps the rate at its start, as the paper does.
	Constant Schedule = iota

	// Harmonic returns each prototype the rate 1/(1+wins), so that it is the mean of its rows, but
	// never less than Rate.Least.
	Harmonic

	// Power is Start·(1+t/HalfWay)^−Exponent after t rows, but never less than Rate.Least.
	Power
)

var scheduleNames = []string{"constant", "harmonic", "power"}

// String returns the word of flags and files: constant, harmonic or power.
func (s Schedule) String() string { return word("Schedule", scheduleNames, int(s)) }

// ParseSchedule reads a word of [Schedule.String], in any case and with blanks around.
func ParseSchedule(s string) (Schedule,
	error) {
	return parse[Schedule]("schedule", scheduleNames, s)
}

// MarshalText returns [Schedule.String].
func (s Schedule) MarshalText() ([]byte,
	error) {
	return marshal(s.String(), scheduleNames, int(s))
}

// UnmarshalText reads what [ParseSchedule] takes.
func (s *Schedule) UnmarshalText(text []byte) error { return unmarshal(s, ParseSchedule, text) }

// Penalty reports how far a rival is driven off.
type Penalty int

// The penalties, for rpcl and crpcl.
const (
	// Controlled does as Plain, but by 10β times the distance of the row from the winner at most,
	// so that a rival that is far already does not go farther and farther (in the manner of Cheung
	// 2005). The zero value.
	Controlled Penalty = iota

	// Plain drives a rival off by β times its own distance, as the paper does. That grows without
	// end where many rows in a row, or most of all rows, have the same rival, as on streams, until
	// one prototype is left.
	Plain
)

var penaltyNames = []string{"controlled", "plain"}

// String returns the word of flags and files: controlled or plain.
func (p Penalty) String() string { return word("Penalty", penaltyNames, int(p)) }

// ParsePenalty reads a word of [Penalty.String], in any case and with blanks around.
func ParsePenalty(s string) (Penalty, error) { return parse[Penalty]("penalty", penaltyNames, s) }

// MarshalText returns [Penalty.String].
func (p Penalty) MarshalText() ([]byte, error) { return marshal(p.String(), penaltyNames, int(p)) }

// UnmarshalText reads what [ParsePenalty] takes.
func (p *Penalty) UnmarshalText(text []byte) error { return unmarshal(p, ParsePenalty, text) }

// Init says where prototypes start.
type Init int

// The ways to start.
const (
	// PlusPlus is k-means++ on the sample of rows and a few of Lloyd's rounds: the better one, and
	// the zero value.
	PlusPlus Init = iota

	// Gaussian draws prototypes from the normal distribution with mean and covariance of a fifth of
	// the rows, as the paper does.
	Gaussian

	// Sample takes distinct rows.
	Sample
)

var initNames = []string{"plusplus", "gaussian", "sample"}

// String returns the word of flags and files: plusplus, gaussian or sample.
func (i Init) String() string { return word("Init", initNames, int(i)) }

// ParseInit reads a word of [Init.String], in any case and with blanks around.
func ParseInit(s string) (Init, error) { return parse[Init]("start", initNames, s) }

// MarshalText returns [Init.String].
func (i Init) MarshalText() ([]byte, error) { return marshal(i.String(), initNames, int(i)) }

// UnmarshalText reads what [ParseInit] takes.
func (i *Init) UnmarshalText(text []byte) error { return unmarshal(i, ParseInit, text) }

// word returns name i, or the type and the number where there is none.
func word(of string, names []string, i int) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%s(%d)", of, i)
	}
	return names[i]
}

func parse[T ~int](what string, names []string, s string) (T, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	for i, name := range names {
		if s == name {
			return T(i), nil
		}
	}
	return 0, &fault.Input{
		Problem: fmt.Sprintf("%.40q is not a %s of competitive learning", s, what),
		Fix:     "write " + strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1],
	}
}

func marshal(name string, names []string, i int) ([]byte, error) {
	if i < 0 || i >= len(names) {
		return nil, fmt.Errorf("competitive: %s has no name", name)
	}
	return []byte(name), nil
}

func unmarshal[T any](to *T, parse func(string) (T, error), text []byte) error {
	v, err := parse(string(text))
	if err == nil {
		*to = v
	}
	return err
}
