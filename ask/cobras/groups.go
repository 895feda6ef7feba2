package cobras

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// group is a cluster under way: super-instances that were joined.
type group struct {
	parts  []*part
	differ map[*group]bool // groups known to be different; both sides hold it
	aside  map[*group]bool // groups that nobody could compare with it, since it was made
}

func newGroup(p *part) *group { return &group{parts: []*part{p}, differ: make(map[*group]bool)} }

// groups are the clusters under way.
type groups struct {
	list   []*group
	of     map[*part]*group
	joined int // times that two became one
}

func newGroups(parts ...*part) *groups {
	g := &groups{of: make(map[*part]*group)}
	for _, p := range parts {
		g.add(p)
	}
	return g
}

func (g *groups) add(p *part) {
	one := newGroup(p)
	g.list = append(g.list, one)
	g.of[p] = one
}

// remove takes a part out of its group.
func (g *groups) remove(p *part) {
	from := g.of[p]
	delete(g.of, p)
	from.parts = slices.DeleteFunc(from.parts, func(q *part) bool { return q == p })
	if len(from.parts) > 0 {
		return
	}
	for other := range from.differ {
		delete(other.differ, from)
	}
	g.drop(from)
}

func (g *groups) drop(one *group) {
	g.list = slices.DeleteFunc(g.list, func(q *group) bool { return q == one })
}

// join puts the groups of two parts together, unless they are one or known to differ.
func (g *groups) join(p, q *part) {
	into, from := g.of[p], g.of[q]
	if into == from || into.differ[from] {
		return
	}
	g.joined++
	for _, r := range from.parts {
		g.of[r] = into
	}
	into.parts = append(into.parts, from.parts...)
	into.aside = nil
	for other := range from.differ {
		delete(other.differ, from)
		other.differ[into], into.differ[other] = true, true
	}
	g.drop(from)
}

// part records that the groups of two parts are different, unless they are one.
func (g *groups) part(p, q *part) {
	if a, b := g.of[p], g.of[q]; a != b {
		a.differ[b], b.differ[a] = true, true
	}
}

// apply takes in what is known of two parts.
func (g *groups) apply(p, q *part, kind link.Kind) {
	switch kind {
	case link.MustLink:
		g.join(p, q)
	case link.CannotLink:
		g.part(p, q)
	}
}

// open reports whether it is worth while to ask about two parts.
func (g *groups) open(p, q *part) bool {
	a, b := g.of[p], g.of[q]
	return a != b && !a.differ[b] && !a.aside[b] && !b.aside[a]
}

// undecided counts the pairs of groups that are neither one nor known to differ.
func (g *groups) undecided() int {
	n := len(g.list) * (len(g.list) - 1)
	for _, one := range g.list {
		n -= len(one.differ)
	}
	return n / 2
}

// copy returns the parts of each group.
func (g *groups) copy() [][]*part {
	out := make([][]*part, len(g.list))
	for i, one := range g.list {
		out[i] = slices.Clone(one.parts)
	}
	return out
}

// couple is two parts and the squared distance of their representatives.
type couple struct {
	d    float64
	p, q *part
	at   int // in the order they were named, for ties
}

func (c couple) compare(e couple) int {
	return cmp.Or(cmp.Compare(c.d, e.d), cmp.Compare(c.at, e.at))
}
