// Package link holds what a person knows about pairs of objects: same cluster, different clusters,
// or asked and not known.
//
// A [Set] is the closure of such links. Must-links are transitive, and a cannot-link between two
// objects separates everything that is must-linked to either; both are entailed without being
// stored. A link that clashes with what is entailed is refused as a [*Contradiction], which holds
// the shortest chain of given links that implies the opposite.
//
// [Read] and [Write] exchange links with CSV, [ReadJSONL] and [WriteJSONL] with JSON lines.
package link

import (
	"fmt"
	"strings"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// Kind reports how two objects are related.
type Kind uint8

// The kinds. Unknown is the zero value: asked, but the answer was "I do not know", or nothing
// entailed.
const (
	Unknown Kind = iota
	MustLink
	CannotLink
)

// String returns the word of files and flags: unknown, same or different.
func (k Kind) String() string {
	switch k {
	case Unknown:
		return "unknown"
	case MustLink:
		return "same"
	case CannotLink:
		return "different"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// ParseKind reads a kind. It takes same, must-link and ml; different, cannot-link and cl; unknown;
// in any case and with blanks around. Numbers are refused, because 0 means "different" in some
// files and "unknown" in others.
func ParseKind(s string) (Kind, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "same", "must-link", "ml":
		return MustLink, nil
	case "different", "cannot-link", "cl":
		return CannotLink, nil
	case "unknown":
		return Unknown, nil
	}
	return Unknown, &fault.Input{
		Column:  "link",
		Problem: fmt.Sprintf("%s is not a link", quote(s)),
		Fix:     "write same, different or unknown",
	}
}

// MarshalText returns [Kind.String], so that JSON shows the word.
func (k Kind) MarshalText() ([]byte, error) {
	if k > CannotLink {
		return nil, fmt.Errorf("link: %v has no name", k)
	}
	return []byte(k.String()), nil
}

// UnmarshalText reads what [ParseKind] takes.
func (k *Kind) UnmarshalText(text []byte) error {
	parsed, err := ParseKind(string(text))
	if err != nil {
		return err
	}
	*k = parsed
	return nil
}

// Link is one statement about the pair of rows A and B, in no particular order.
type Link struct {
	A, B         int       // rows, from 0
	Kind         Kind      // what is stated; the zero value is Unknown
	Plausibility float64   // confidence in the stated link, in (0, 1]; 0 means 1
	Source       string    // who or what stated it; may be empty
	Time         time.Time // when; may be zero
}

// Confidence returns the plausibility of the stated link, in (0, 1], with the zero value read as 1.
func (l Link) Confidence() float64 {
	if l.Plausibility == 0 {
		return 1
	}
	return l.Plausibility
}

// Same returns the plausibility that the two objects are of one class: the confidence of a
// must-link, one minus that of a cannot-link, and ½ when it is unknown.
func (l Link) Same() float64 {
	switch l.Kind {
	case MustLink:
		return l.Confidence()
	case CannotLink:
		return 1 - l.Confidence()
	}
	return 0.5
}

// Pair returns the two rows, the lower one first.
func (l Link) Pair() [2]int { return [2]int{min(l.A, l.B), max(l.A, l.B)} }

// Latest keeps one link per pair: the last one stated, in the place of the first.
func Latest(links []Link) []Link {
	var kept []Link
	at := make(map[[2]int]int, len(links))
	for _, l := range links {
		if i, again := at[l.Pair()]; again {
			kept[i] = l
			continue
		}
		at[l.Pair()] = len(kept)
		kept = append(kept, l)
	}
	return kept
}

// check reports whether l may join a set of n objects.
func (l Link) check(n int) error {
	for _, row := range [2]int{l.A, l.B} {
		if row < 0 || row >= n {
			return fault.Inputf("use the rows of the data at hand",
				"a link names row %d of %d", row+1, n)
		}
	}
	if l.A == l.B {
		return fault.Inputf("link two different rows", "row %d is linked to itself", l.A+1)
	}
	if l.Kind > CannotLink {
		return fault.Inputf("", "%v is not a kind of link", l.Kind)
	}
	if !validPlausibility(l.Plausibility) && l.Plausibility != 0 {
		return fault.Inputf("give how sure the stated link is, up to 1",
			"the confidence %v of a link is not in (0, 1]", l.Plausibility)
	}
	return nil
}

// validPlausibility is false for NaN too.
func validPlausibility(p float64) bool { return p > 0 && p <= 1 }

// Violated returns the links that a partition breaks, in order: must-links between different labels
// and cannot-links within one. Unknown links are never broken. labels has one value per object and
// they are compared as they are, so label 0 (noise) counts as a cluster of its own. A link with an
// end outside labels cannot be judged and is left out.
func Violated[L comparable](labels []L, links []Link) []Link {
	var broken []Link
	for _, l := range links {
		if min(l.A, l.B) < 0 || max(l.A, l.B) >= len(labels) {
			continue
		}
		same := labels[l.A] == labels[l.B]
		if l.Kind == MustLink && !same || l.Kind == CannotLink && same {
			broken = append(broken, l)
		}
	}
	return broken
}

// quote shows a cell in a message, shortened when it is long.
func quote(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return fmt.Sprintf("%q…", string(r[:most]))
	}
	return fmt.Sprintf("%q", s)
}
