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

var ruleNames = []string{"crpcl", "olcvqe", "rpcl", "fscl", "wta"}

// String returns the word of flags and files: crpcl, olcvqe, rpcl, fscl or wta.
func (r Rule) String() string { return words.Name("Rule", ruleNames, int(r)) }

// ParseRule reads a word of [Rule.String], in any case and with blanks around.
func ParseRule(s string) (Rule, error) {
	return words.Parse[Rule]("rule of competitive learning", ruleNames, s)
}

// MarshalText returns [Rule.String].
func (r Rule) MarshalText() ([]byte, error) { return words.Marshal("Rule", ruleNames, int(r)) }

// UnmarshalText reads what [ParseRule] takes.
func (r *Rule) UnmarshalText(text []byte) error { return words.Unmarshal(r, ParseRule, text) }

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

var scheduleNames = []string{"constant", "harmonic", "power"}

// String returns the word of flags and files: constant, harmonic or power.
func (s Schedule) String() string { return words.Name("Schedule", scheduleNames, int(s)) }

// ParseSchedule reads a word of [Schedule.String], in any case and with blanks around.
func ParseSchedule(s string) (Schedule, error) {
	return words.Parse[Schedule]("schedule of competitive learning", scheduleNames, s)
}

// MarshalText returns [Schedule.String].
func (s Schedule) MarshalText() ([]byte, error) {
	return words.Marshal("Schedule", scheduleNames, int(s))
}

// UnmarshalText reads what [ParseSchedule] takes.
func (s *Schedule) UnmarshalText(text []byte) error {
	return words.Unmarshal(s, ParseSchedule, text)
}

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

var penaltyNames = []string{"controlled", "plain"}

// String returns the word of flags and files: controlled or plain.
func (p Penalty) String() string { return words.Name("Penalty", penaltyNames, int(p)) }

// ParsePenalty reads a word of [Penalty.String], in any case and with blanks around.
func ParsePenalty(s string) (Penalty, error) {
	return words.Parse[Penalty]("penalty of competitive learning", penaltyNames, s)
}

// MarshalText returns [Penalty.String].
func (p Penalty) MarshalText() ([]byte, error) {
	return words.Marshal("Penalty", penaltyNames, int(p))
}

// UnmarshalText reads what [ParsePenalty] takes.
func (p *Penalty) UnmarshalText(text []byte) error { return words.Unmarshal(p, ParsePenalty, text) }

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

var initNames = []string{"plusplus", "gaussian", "sample"}

// String returns the word of flags and files: plusplus, gaussian or sample.
func (i Init) String() string { return words.Name("Init", initNames, int(i)) }

// ParseInit reads a word of [Init.String], in any case and with blanks around.
func ParseInit(s string) (Init, error) {
	return words.Parse[Init]("start of competitive learning", initNames, s)
}

// MarshalText returns [Init.String].
func (i Init) MarshalText() ([]byte, error) { return words.Marshal("Init", initNames, int(i)) }

// UnmarshalText reads what [ParseInit] takes.
func (i *Init) UnmarshalText(text []byte) error { return words.Unmarshal(i, ParseInit, text) }
