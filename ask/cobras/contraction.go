package cobras

import (
	"slices"

	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/link"
)

// contraction is what statements that some worlds judge otherwise are about: classes of nodes that
// all of these worlds have in one group, and what is known of two classes. What is known of other
// nodes is the same in all worlds.
type contraction struct {
	b      *belief
	judged []int32   // statements that a world judges otherwise, rising
	class  []int32   // of each node; −1: in none
	nodes  [][]int32 // of each class
	apart  [][]int32 // of each class, those that all worlds keep apart from it
	group  disjoint.Sets
	free   []int   // of each class, nodes that may be asked about
	asked  []int32 // of each pair of classes, pairs of those that were
}

// contract works out the classes of worlds. Askable reports whether a node may be asked about.
func (b *belief) contract(worlds []world, askable func(v int32) bool) *contraction {
	c := &contraction{b: b, class: slices.Repeat([]int32{-1}, len(b.rows))}
	for _, w := range worlds {
		c.judged = append(c.judged, w.flips...)
	}
	slices.Sort(c.judged)
	c.judged = slices.Compact(c.judged)
	for _, e := range c.judged {
		for _, seed := range [2]int32{b.said[e].a, b.said[e].b} {
			if c.class[seed] >= 0 {
				continue
			}
			nodes := b.reach(seed, func(e int32) bool {
				return !c.in(e) && b.kind(e, nil) == link.MustLink
			})
			for _, v := range nodes {
				c.class[v] = int32(len(c.nodes))
			}
			c.nodes = append(c.nodes, nodes)
		}
	}
	c.group = disjoint.Singletons(len(c.nodes))
	for _, e := range c.judged {
		if b.kind(e, nil) == link.MustLink {
			c.group[c.group.Root(c.class[b.said[e].a])] = c.group.Root(c.class[b.said[e].b])
		}
	}
	c.count(askable)
	return c
}

// in reports whether a world judges a statement otherwise.
func (c *contraction) in(e int32) bool {
	_, in := slices.BinarySearch(c.judged, e)
	return in
}

// count finds out which classes are apart, and which pairs of nodes were asked about.
func (c *contraction) count(askable func(v int32) bool) {
	n := len(c.nodes)
	c.apart, c.free, c.asked = make([][]int32, n), make([]int, n), make([]int32, n*n)
	apart, may := make([]bool, n*n), make([]bool, len(c.class))
	for x, nodes := range c.nodes {
		for _, v := range nodes {
			if may[v] = askable(v); may[v] {
				c.free[x]++
			}
		}
	}
	seen := func(u, v int32) {
		if x, y := c.class[u], c.class[v]; x >= 0 && y >= 0 && may[u] && may[v] {
			c.asked[c.pair(x, y)]++
		}
	}
	for x, nodes := range c.nodes {
		for _, v := range nodes {
			for e := range c.b.edges(v) {
				u := c.b.said[e].other(v)
				y := c.class[u]
				if y < 0 || y > int32(x) || y == int32(x) && u > v {
					continue // the statement is looked at from the other end
				}
				seen(u, v)
				if i := c.pair(int32(x), y); !apart[i] && !c.in(e) &&
					c.b.kind(e, nil) == link.CannotLink {
					apart[i] = true
					c.apart[x], c.apart[y] = append(c.apart[x], y), append(c.apart[y], int32(x))
				}
			}
		}
	}
	for _, key := range c.b.unknown {
		if c.b.at[key] < 0 {
			seen(int32(key>>32), int32(uint32(key)))
		}
	}
}

// pair numbers a pair of classes.
func (c *contraction) pair(x, y int32) int { return int(max(x, y))*len(c.nodes) + int(min(x, y)) }

// open reports whether some nodes of two classes may be asked about, and were not.
func (c *contraction) open(x, y int32) bool {
	return c.free[x]*c.free[y] > int(c.asked[c.pair(x, y)])
}

// all returns the classes.
func (c *contraction) all() []int32 { return disjoint.Singletons(len(c.nodes)) }

// about returns the classes of the groups that some statements are about.
func (c *contraction) about(statements []int32) (classes []int32) {
	roots := make(map[int32]bool, 2*len(statements))
	for _, e := range statements {
		s := &c.b.said[e]
		roots[c.group.Root(c.class[s.a])], roots[c.group.Root(c.class[s.b])] = true, true
	}
	for x := range int32(len(c.nodes)) {
		if roots[c.group.Root(x)] {
			classes = append(classes, x)
		}
	}
	return classes
}

// seen returns what is known of two of some classes, the statements of flips judged the other way
// round. The classes are those of whole groups, and of all that flips are about.
func (c *contraction) seen(flips, classes []int32) func(x, y int32) link.Kind {
	group := disjoint.Singletons(len(c.nodes))
	here := make([]bool, len(c.nodes))
	for _, x := range classes {
		here[x] = true
	}
	ends := func(e int32) (x, y int32, ok bool) {
		x, y = c.class[c.b.said[e].a], c.class[c.b.said[e].b]
		return x, y, here[x] && here[y]
	}
	for _, e := range c.judged {
		if x, y, ok := ends(e); ok && c.b.kind(e, flips) == link.MustLink {
			group[group.Root(x)] = group.Root(y)
		}
	}
	place := make([]int32, len(c.nodes)) // of roots
	count := int32(0)
	for _, x := range classes {
		if group.Root(x) == x {
			place[x] = count
			count++
		}
	}
	for _, x := range classes {
		place[x] = place[group.Root(x)]
	}
	apart := make([]bool, count*count)
	part := func(x, y int32) {
		apart[place[x]*count+place[y]], apart[place[y]*count+place[x]] = true, true
	}
	for _, x := range classes {
		for _, y := range c.apart[x] {
			if y < x && here[y] {
				part(x, y)
			}
		}
	}
	for _, e := range c.judged {
		if x, y, ok := ends(e); ok && c.b.kind(e, flips) == link.CannotLink {
			part(x, y)
		}
	}
	return func(x, y int32) link.Kind {
		switch {
		case place[x] == place[y]:
			return link.MustLink
		case apart[place[x]*count+place[y]]:
			return link.CannotLink
		}
		return link.Unknown
	}
}
