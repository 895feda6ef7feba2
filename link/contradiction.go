package link

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kindred-go/kindred/fault"
)

// Contradiction reports a link that clashes with what earlier links entail.
type Contradiction struct {
	Link Link // the one that clashes; it was left out

	// Chain is a shortest chain of given links, from Link.A to Link.B, that entails the opposite:
	// only must-links when Link is a cannot-link, and exactly one cannot-link among them when it is
	// a must-link. Each is as it was given, so a step may run from its B to its A. It is nil where
	// [Build] left it out.
	Chain []Link

	Names func(row int) string `json:"-"` // the id of a row; nil: the row counted from 1
	// where a link comes from, as the name of a file, if it is to be said; nil: it is not
	Origin func(Link) string `json:"-"`
}

// Error shows the chain and the link, as in "12 = 40, 40 = 7, but 12 ≠ 7". The middle of a long
// chain is only counted. With origins it is as in "by a.csv 12 = 40, 40 = 7, but by column kind
// 12 ≠ 7".
func (c *Contradiction) Error() string {
	name := func(row int) string { return shown(c.Names, row) }
	said := ""
	by := func(l Link) string { // "" where it is as that of the link before
		if c.Origin == nil {
			return ""
		}
		if origin := c.Origin(l); origin != said {
			said = origin
			return "by " + origin + " "
		}
		return ""
	}
	last := fmt.Sprintf("%s %s %s", name(c.Link.A), sign(c.Link.Kind), name(c.Link.B))
	if len(c.Chain) == 0 {
		return by(c.Link) + last + " contradicts earlier links"
	}
	const ends = 4
	var b strings.Builder
	at := c.Link.A
	for i, l := range c.Chain {
		from, to := l.A, l.B
		if from != at {
			from, to = to, from
		}
		at = to
		switch hidden := len(c.Chain) - 2*ends; {
		case hidden <= 1 || i < ends || i >= len(c.Chain)-ends:
			fmt.Fprintf(&b, "%s%s %s %s, ", by(l), name(from), sign(l.Kind), name(to))
		case i == ends:
			fmt.Fprintf(&b, "… %d more …, ", hidden)
		}
	}
	said = "" // it is said of the last in any case
	return b.String() + "but " + by(c.Link) + last
}

func sign(k Kind) string {
	switch k {
	case MustLink:
		return "="
	case CannotLink:
		return "≠"
	}
	return "?"
}

// number is the id of a row where there are no others.
func number(row int) string { return strconv.Itoa(row + 1) }

// shown returns an id for a message, quoted where a terminal would act on it.
func shown(names func(int) string, row int) string {
	if names == nil {
		return number(row)
	}
	id := names(row)
	if id == "" || strings.ContainsFunc(id, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(id)
	}
	return id
}

// Policy describes what [Build] does with contradictions.
type Policy uint8

// The policies.
const (
	Refuse Policy = iota // stop at the first; the zero value
	Keep                 // leave the contradicting links out of the closure and list them
)

// effort bounds the ends of links that [Build] looks at for chains: one chain may cost as much as a
// whole component, so a noisy file of a million links would otherwise take quadratic time.
func effort(n, links int) int { return max(1_000_000, 8*(n+links)) }

// Check refuses a number that is no policy, by a [*fault.Input].
func (p Policy) Check() error {
	if p > Keep {
		return fault.Inputf("", "unknown policy for contradictions, %d", p)
	}
	return nil
}

// Build adds links in order to a new set over n objects.
//
// Under [Refuse] the first contradiction is returned as the error, and alone in the list, without a
// set. Under [Keep] contradicting links are left out of the set and returned in order. The first
// ones have their chain, as many as near-linear time allows, which is all of them but in a large
// and noisy file; [Set.Explain] finds the others. A link that is no link at all, such as one out of
// range, is a [*fault.Input] under both.
func Build(n int, links []Link, policy Policy) (*Set, []*Contradiction, error) {
	if err := policy.Check(); err != nil {
		return nil, nil, err
	}
	s := NewSet(n)
	s.given = make([]Link, 0, len(links))
	s.next = make([]int32, 0, 2*len(links))
	s.effects = make([]effect, 0, len(links))
	var found []*Contradiction
	work, most := 0, effort(n, len(links))
	for _, l := range links {
		clash, err := s.add(l)
		if err != nil {
			return nil, nil, err
		}
		if !clash {
			continue
		}
		c := &Contradiction{Link: l}
		if work < most {
			c.Chain = s.explain(l.A, l.B, &work)
		}
		found = append(found, c)
		if policy == Refuse {
			return nil, found, c
		}
	}
	return s, found, nil
}

// Explain returns a shortest chain of given links, from a to b, from which their relation follows:
// the must-links between them, or must-links with one cannot-link among them when they are
// separated. Of equal chains it is always the same one. It is nil when nothing is entailed, and for
// a = b. It takes time in the sizes of the components of a and b.
func (s *Set) Explain(a, b int) []Link { return s.explain(a, b, new(int)) }

// explain is Explain, and adds to work the ends of links that it looked at.
func (s *Set) explain(a, b int, work *int) []Link {
	if a == b {
		return nil
	}
	switch s.Relation(a, b) {
	case MustLink:
		return s.walk(a, b, work).path(s, a, b)
	case CannotLink:
		return s.across(a, b, work)
	}
	return nil
}

// steps records a breadth-first walk along must-links: how each object was reached.
type steps map[int]step

type step struct {
	link, distance int // link is an index into Set.given, -1 at the start
}

// walk goes from a along must-links, nearest first, until it meets goal; the whole component when
// goal is not in it.
func (s *Set) walk(a, goal int, work *int) steps {
	seen := steps{a: {-1, 0}}
	queue := []int{a}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at == goal {
			break
		}
		for i := range s.at(at) {
			*work++
			if s.given[i].Kind != MustLink {
				continue
			}
			to := s.given[i].other(at)
			if _, known := seen[to]; !known {
				seen[to] = step{i, seen[at].distance + 1}
				queue = append(queue, to)
			}
		}
	}
	return seen
}

// path returns the links of the walk from a to b, in order.
func (w steps) path(s *Set, a, b int) []Link {
	list := make([]Link, w[b].distance)
	for i := len(list) - 1; i >= 0; i-- {
		list[i] = s.given[w[b].link]
		b = list[i].other(b)
	}
	return list
}

// across returns a shortest chain between separated components: the cannot-link x–y with the least
// distance a…x plus y…b, the earliest given of those that tie.
func (s *Set) across(a, b int, work *int) []Link {
	fromA, fromB := s.walk(a, -1, work), s.walk(b, -1, work)
	scan, opposite := fromA, fromB
	if len(fromB) < len(fromA) {
		scan, opposite = fromB, fromA
	}
	best, length := -1, 0
	for x, here := range scan {
		for i := range s.at(x) {
			if s.given[i].Kind != CannotLink {
				continue
			}
			there, joins := opposite[s.given[i].other(x)]
			if !joins {
				continue
			}
			d := here.distance + there.distance
			if best < 0 || d < length || d == length && i < best {
				best, length = i, d
			}
		}
	}
	x, y := s.given[best].A, s.given[best].B
	if _, inA := fromA[x]; !inA {
		x, y = y, x
	}
	chain := append(fromA.path(s, a, x), s.given[best])
	back := fromB.path(s, b, y)
	slices.Reverse(back)
	return append(chain, back...)
}

// other returns the end of l that is not row.
func (l Link) other(row int) int {
	if l.A == row {
		return l.B
	}
	return l.A
}
