package competitive

import (
	"github.com/kindred-go/kindred/internal/words"
)

// Rule names a way to learn a row.
type Rule int

// The rules; the package's documentation describes each.
const (
	CRPCL              Rule = iota // rival penalised under links; the zero value
	OLCVQE                         // winner takes all under links
	RPCL                           // rival penalised (Xu, Krzyżak and Oja 1993)
	FrequencySensitive             // frequent winners are held back (Ahalt et al. 1990)
	WinnerTakeAll                  // on-line k-means
)

var rules = words.Enum[Rule]{Type: "Rule", What: "rule of competitive learning",
	Words: []string{"crpcl", "olcvqe", "rpcl", "fscl", "wta"}}

// String returns the word of flags and files: crpcl, olcvqe, rpcl, fscl or wta.
func (r Rule) String() string { return rules.Name(r) }

// ParseRule reads a word of [Rule.String], in any case and with blanks around.
func ParseRule(s string) (Rule, error) { return rules.Parse(s) }

// MarshalText returns [Rule.String].
func (r Rule) MarshalText() ([]byte, error) { return rules.Marshal(r) }

// UnmarshalText reads what [ParseRule] takes.
func (r *Rule) UnmarshalText(text []byte) error { return rules.Unmarshal(r, text) }

// links reports whether the rule learns from links.
func (r Rule) links() bool { return r == CRPCL || r == OLCVQE }

// frequent reports whether frequent winners are held back.
func (r Rule) frequent() bool { return r == CRPCL || r == RPCL || r == FrequencySensitive }

// penalises reports whether rivals are driven off.
func (r Rule) penalises() bool { return r == CRPCL || r == RPCL }

// Schedule is how the learning rate falls.
type Schedule int

// The schedules. The unlearning rate falls in proportion.
const (
	// Constant keeps the rate at its start, as the paper does.
	Constant Schedule = iota

	// Harmonic is the rate 1/(1+wins), so that a prototype is the mean of its rows, but
	// never less than Rate.Least.
	Harmonic

	// Power is Start·(1+t/HalfWay)^−Exponent after t rows, but never less than Rate.Least.
	Power
)

var schedules = words.Enum[Schedule]{Type: "Schedule", What: "schedule of competitive learning",
	Words: []string{"constant", "harmonic", "power"}}

// String returns the word of flags and files: constant, harmonic or power.
func (s Schedule) String() string { return schedules.Name(s) }

// ParseSchedule reads a word of [Schedule.String], in any case and with blanks around.
func ParseSchedule(s string) (Schedule, error) { return schedules.Parse(s) }

// MarshalText returns [Schedule.String].
func (s Schedule) MarshalText() ([]byte, error) { return schedules.Marshal(s) }

// UnmarshalText reads what [ParseSchedule] takes.
func (s *Schedule) UnmarshalText(text []byte) error { return schedules.Unmarshal(s, text) }

// Penalty is how far a rival is driven off.
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

var penalties = words.Enum[Penalty]{Type: "Penalty", What: "penalty of competitive learning",
	Words: []string{"controlled", "plain"}}

// String returns the word of flags and files: controlled or plain.
func (p Penalty) String() string { return penalties.Name(p) }

// MarshalText returns [Penalty.String].
func (p Penalty) MarshalText() ([]byte, error) { return penalties.Marshal(p) }

// UnmarshalText reads what MarshalText returns, in any case.
func (p *Penalty) UnmarshalText(text []byte) error { return penalties.Unmarshal(p, text) }

// Init is where prototypes start.
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

var inits = words.Enum[Init]{Type: "Init", What: "start of competitive learning",
	Words: []string{"plusplus", "gaussian", "sample"}}

// String returns the word of flags and files: plusplus, gaussian or sample.
func (i Init) String() string { return inits.Name(i) }

// MarshalText returns [Init.String].
func (i Init) MarshalText() ([]byte, error) { return inits.Marshal(i) }

// UnmarshalText reads what MarshalText returns, in any case.
func (i *Init) UnmarshalText(text []byte) error { return inits.Unmarshal(i, text) }
