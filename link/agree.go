package link

import (
	"strings"
	"time"

	"github.com/kindred-go/kindred/evidence/belief"
)

// Dispute is a pair about which the statements differ.
type Dispute struct {
	Pair       [2]int // rows, the lower one first
	Statements []Link // all about the pair, in order, unknown ones included
	Counts     Link   // what they come to; see [Agree]
}

// level is how near to a half the probability of "same" may be for neither.
const level = 1e-9

// Agree makes one link per pair out of what several people, or one several times, stated about it,
// in the order in which pairs were first named, and lists the pairs whose statements differ. A
// statement that is unknown has no voice beside others that are not.
//
// A nil reliability is no discounting: statements of one kind become that kind, with the highest
// of their confidences, and statements of both kinds become Unknown. Otherwise reliability is how
// far a source is to be believed, in [0, 1] (what lies outside is taken as the nearer end). Each
// statement is then a mass function on {same, different}, of the confidence of its link, discounted
// by the reliability of its source (Shafer 1976; cevclus-2013 §2.1), and those of a pair are
// combined by Dempster's rule: the kind is the one of the higher pignistic probability, which is
// the confidence of the link. It is Unknown where the two are equal, or where sources that are
// wholly reliable contradict each other.
//
// The source of a link names all sources of its statement, separated by commas; the time is that of
// the latest statement.
func Agree(statements []Link, reliability func(source string) float64) (agreed []Link,
	disputes []Dispute) {
	at := make(map[[2]int]int, len(statements))
	var about [][]Link
	for _, l := range statements {
		i, again := at[l.Pair()]
		if !again {
			i = len(about)
			at[l.Pair()] = i
			about = append(about, nil)
		}
		about[i] = append(about[i], l)
	}
	for _, statements := range about {
		same, different := 0, 0
		for _, l := range statements {
			switch l.Kind {
			case MustLink:
				same++
			case CannotLink:
				different++
			}
		}
		l := statements[0]
		switch {
		case reliability != nil && same+different > 0:
			l.Kind, l.Plausibility = discounted(statements, reliability)
		case same > 0 && different > 0:
			l.Kind, l.Plausibility = Unknown, 0
		case same+different > 0:
			l.Kind, l.Plausibility = agreeing(statements)
		}
		l.Source, l.Time = sources(statements, l.Kind)
		agreed = append(agreed, l)
		if same > 0 && different > 0 {
			disputes = append(disputes, Dispute{Pair: l.Pair(), Statements: statements, Counts: l})
		}
	}
	return agreed, disputes
}

// agreeing returns what statements of one kind state.
func agreeing(statements []Link) (kind Kind, confidence float64) {
	for _, l := range statements {
		if l.Kind != Unknown {
			kind, confidence = l.Kind, max(confidence, l.Confidence())
		}
	}
	if confidence == 1 {
		confidence = 0 // which also means 1
	}
	return kind, confidence
}

// discounted combines what is believed of each statement.
func discounted(statements []Link, reliability func(string) float64) (Kind, float64) {
	all, err := belief.Vacuous(2)
	for _, l := range statements {
		if l.Kind == Unknown || err != nil {
			continue
		}
		all, err = join(all, l.Same(), min(1, max(0, reliability(l.Source))))
	}
	if err != nil { // total conflict
		return Unknown, 0
	}
	switch same := all.Pignistic(belief.Dempster)[0]; {
	case same > 0.5+level:
		return MustLink, same
	case same < 0.5-level:
		return CannotLink, 1 - same
	}
	return Unknown, 0
}

// join combines a mass function with a statement that is "same" with some probability, discounted.
func join(all belief.Mass, same, reliability float64) (belief.Mass, error) {
	one, err := belief.New(2, []belief.Set{belief.Singleton(0), belief.Singleton(1)},
		[]float64{same, 1 - same})
	if err == nil {
		one, err = one.Discount(reliability)
	}
	if err != nil {
		return all, err
	}
	return belief.DempsterRule(all, one)
}

// sources names who stated a kind, once each, and returns the time of the latest statement of all.
func sources(statements []Link, kind Kind) (names string, latest time.Time) {
	var who []string
	seen := make(map[string]bool)
	for _, s := range statements {
		if s.Time.After(latest) {
			latest = s.Time
		}
		if s.Kind == kind && s.Source != "" && !seen[s.Source] {
			seen[s.Source] = true
			who = append(who, s.Source)
		}
	}
	return strings.Join(who, ", "), latest
}
