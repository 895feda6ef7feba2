package cobras

import (
	"cmp"
	"math"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// Bounds of the search for explanations. Beyond them what is left of a contradiction is explained
// by taking the cannot-links in it for mistakes.
const (
	deepest    = 5      // mistakes beyond those that were known, less those that are taken back
	mostSteps  = 10_000 // contradictions looked at in one search
	mostWorlds = 96     // explanations that a question is chosen by, the likeliest first
)

// world is one way to explain the statements: those to judge the other way round, rising, and
// how much less likely it is than what is believed, as a log-odds.
type world struct {
	flips []int32
	cost  float64
}

// search looks for all ways to make the statements consistent.
type search struct {
	b *belief
	// mistakes beyond those that are believed, less those that are taken back, on the way to a
	// world
	most   int
	banned map[int32]bool
	found  []world
	seen   map[string]bool
	steps  int
}

func (b *belief) search(most int) *search {
	return &search{b: b, most: most, banned: make(map[int32]bool), seen: make(map[string]bool)}
}

// from looks for the consistent worlds that flips lead to: some statement of every cycle with
// exactly one cannot-link is wrong.
func (s *search) from(flips []int32) {
	if s.steps++; s.steps > mostSteps || s.more(flips) > s.most {
		return // a statement that was taken for a mistake and is not any more makes up for another
	}
	cycle := s.b.cycle(flips)
	if cycle == nil {
		s.keep(flips)
		return
	}
	var banned []int32
	for _, e := range cycle {
		if s.banned[e] || slices.Contains(flips, e) {
			continue
		}
		s.from(append(slices.Clip(flips), e))
		// Worlds with e are found: the others are those without it.
		s.banned[e] = true
		banned = append(banned, e)
	}
	for _, e := range banned {
		delete(s.banned, e)
	}
}

// more is how many more statements are mistakes with flips than are believed to be.
func (s *search) more(flips []int32) int {
	n := 0
	for _, f := range flips {
		if s.b.said[f].wrong {
			n--
		} else {
			n++
		}
	}
	return n
}

func (s *search) keep(flips []int32) {
	w := world{flips: slices.Clone(flips)}
	slices.Sort(w.flips)
	key := make([]byte, 0, 4*len(flips))
	for _, f := range w.flips {
		key = append(key, byte(f), byte(f>>8), byte(f>>16), byte(f>>24))
		if s.b.said[f].wrong {
			w.cost -= s.b.said[f].cost
		} else {
			w.cost += s.b.said[f].cost
		}
	}
	if !s.seen[string(key)] {
		s.seen[string(key)] = true
		s.found = append(s.found, w)
	}
}

// cycle returns the statements of a cycle with exactly one cannot-link, which comes last; nil where
// there is none. Of several it is the one whose cannot-link came first.
func (b *belief) cycle(flips []int32) []int32 {
	e := b.within(flips)
	if e < 0 {
		return nil
	}
	return append(b.path(b.said[e].a, b.said[e].b, flips), e)
}

// within returns the first cannot-link within a group, the statements of flips judged the other way
// round; −1 where there is none. Only the groups that those are about are looked at anew.
func (b *belief) within(flips []int32) int32 {
	group := b.known().group
	touched := make(map[int32]bool, 2*len(flips)) // roots
	var seeds []int32
	for _, f := range flips {
		s := &b.said[f]
		seeds = append(seeds, s.a, s.b)
		touched[group.Root(s.a)], touched[group.Root(s.b)] = true, true
	}
	first := int32(-1)
	for _, e := range b.violated() { // the groups of others are as they were
		if !touched[group.Root(b.said[e].a)] {
			first = e
			break
		}
	}
	before := b.pass
	for _, seed := range seeds {
		if b.reached[seed] > before {
			continue
		}
		for _, v := range b.reach(seed, func(e int32) bool {
			return b.kind(e, flips) == link.MustLink
		}) {
			for e := range b.edges(v) {
				if first >= 0 && e >= first {
					break // they come in order
				}
				if b.reached[b.said[e].other(v)] == b.pass && b.kind(e, flips) == link.CannotLink {
					first = e
				}
			}
		}
	}
	return first
}

// violated returns the cannot-links within a group, rising.
func (b *belief) violated() []int32 {
	if !b.clashes {
		return nil
	}
	if b.clash == nil {
		b.clash = []int32{}
		group := b.known().group
		for i, s := range b.said {
			if b.kind(int32(i), nil) == link.CannotLink && group.Root(s.a) == group.Root(s.b) {
				b.clash = append(b.clash, int32(i))
			}
		}
	}
	return b.clash
}

// reach returns the nodes that statements for which along is true join to one, the nearest first.
func (b *belief) reach(from int32, along func(e int32) bool) (nodes []int32) {
	b.pass++
	b.reached[from] = b.pass
	nodes = []int32{from}
	for at := 0; at < len(nodes); at++ {
		for e := range b.edges(nodes[at]) {
			if v := b.said[e].other(nodes[at]); b.reached[v] != b.pass && along(e) {
				b.reached[v] = b.pass
				nodes = append(nodes, v)
			}
		}
	}
	return nodes
}

// path returns the must-links of a shortest chain from one node to another that they join.
func (b *belief) path(from, to int32, flips []int32) []int32 {
	b.pass++
	b.reached[from] = b.pass
	queue := []int32{from}
	for at := 0; b.reached[to] != b.pass; at++ {
		u := queue[at]
		for e := range b.edges(u) {
			v := b.said[e].other(u)
			if b.reached[v] != b.pass && b.kind(e, flips) == link.MustLink {
				b.reached[v], b.by[v] = b.pass, e
				queue = append(queue, v)
			}
		}
	}
	var chain []int32
	for at := to; at != from; {
		e := b.by[at]
		chain = append(chain, e)
		at = b.said[e].other(at)
	}
	return chain
}

// explanations returns the likeliest worlds found in which the statements are consistent, all of
// the same likelihood.
func (b *belief) explanations() []world {
	costs := make([]float64, len(b.said)) // rising: those that are most easily wrong come first
	for i, s := range b.said {
		costs[i] = s.cost
	}
	slices.Sort(costs)
	least := 0.0 // what mistakes cost, as many as are looked for
	var found []world
	best := math.Inf(1)
	for most, first := 1, deepest; most <= min(deepest, len(costs)); most++ {
		// One flip more may be likelier, as it may restore an earlier statement, and many where
		// they are of statements that nobody was sure of.
		if least += costs[most-1]; most > first+1 && least > best {
			break
		}
		s := b.search(most)
		s.from(nil)
		if len(s.found) == 0 {
			continue
		}
		if len(found) == 0 {
			first = most
		}
		cost := math.Inf(1)
		for _, w := range s.found {
			cost = min(cost, w.cost)
		}
		if cost <= best+1e-9 { // else the search was cut short
			found, best = s.found, cost
		}
	}
	if len(found) == 0 {
		return []world{b.surrender()}
	}
	return slices.DeleteFunc(found, func(w world) bool { return w.cost > best+1e-9 })
}

// surrender takes every cannot-link within a group for a mistake.
func (b *belief) surrender() world {
	return world{flips: slices.Clone(b.violated())}
}

// alternatives returns the worlds, beside the one that is believed, in which a statement that
// matters is judged otherwise, the likeliest first: with up to three more mistakes than are
// believed, that must be mistakes together.
func (b *belief) alternatives(matter []int32) []world {
	const together = 3
	s := b.search(together)
	for _, e := range matter {
		s.banned = map[int32]bool{e: true}
		s.from([]int32{e})
	}
	slices.SortStableFunc(s.found, func(v, w world) int {
		return cmp.Or(cmp.Compare(v.cost, w.cost), slices.Compare(v.flips, w.flips))
	})
	return s.found
}

// judge takes the statements of a world the other way round.
func (b *belief) judge(w world) {
	for _, f := range w.flips {
		b.said[f].wrong = !b.said[f].wrong
		b.note(uint64(f), 16)
	}
	b.changes += len(w.flips)
	b.clashes, b.view, b.clash = true, nil, nil
	b.clashes = len(b.violated()) > 0
}
