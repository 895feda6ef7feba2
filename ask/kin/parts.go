package kin

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
)

// parts is which groups are supposed to be one: the likeliest pair is joined, and again, until none
// is likelier one than not, or two parts are left that are not very likely one. What answers part
// stays apart.
type parts struct {
	of    []int  // part of each group, with the number of its lowest; −1: it has no members
	count int    // parts there are
	most  int    // parts there would be if only what is very likely were joined
	pairs []pair // that were joined, and those of parts that were not and may be

	f  [][]entry // masses of the nodes on groups that it is by
	on [][]entry // and on parts

	up    []int     // tree of what was joined: of each group, and of each join after them; −1: none
	score []float64 // of each join
	rest  *joining  // the parts
	model pairModel
	low   int // what fewest returned; 0: nothing yet
}

// pair is two parts of which it may be asked whether they are one.
type pair struct {
	one, two []int // groups of each
	score    float64
	rows     float64 // of the smaller part
}

// What is very likely, and what is not very unlikely, for the range of the number of groups.
const veryLikely, notUnlikely = 0.9, 0.1

// leastParts is how many parts are left unless they are very likely one, or fewer are expected.
const leastParts = 2

// parts finds which groups are supposed to be one, by the masses of the nodes.
func (p *play) parts(f [][]entry) *parts {
	j := p.joining(f)
	n := p.size
	out := &parts{of: slices.Repeat([]int{-1}, n), count: j.live, most: j.live,
		up: slices.Repeat([]int{-1}, n), rest: j, model: p.model, f: f}
	node := make([]int, n) // of each part, in up
	for a := range node {
		node[a] = a
	}
	note := func(s union) {
		if p.model.same(s.score) >= veryLikely {
			out.most--
		}
		made := len(out.up)
		out.up[node[s.one]], out.up[node[s.two]] = made, made
		out.up, out.score = append(out.up, -1), append(out.score, s.score)
		node[s.one] = made
		out.count--
	}
	for _, s := range j.early {
		note(s)
	}
	out.pairs = slices.Grow(j.earlyPairs, j.open())
	for {
		one, two, z := j.best()
		if one < 0 || z <= p.model.even ||
			out.count <= min(leastParts, p.expected) && p.model.same(z) < veryLikely {
			break
		}
		out.pairs = append(out.pairs, j.pair(one, two, z))
		note(union{one, two, z})
		j.join(one, two)
	}
	for a, gone := range j.gone {
		if gone {
			continue
		}
		for _, g := range j.members[a] {
			out.of[g] = a
		}
		for _, t := range j.ties[a] {
			if int(t.to) < a && !t.apart && !j.gone[t.to] {
				out.pairs = append(out.pairs, j.pair(a, int(t.to), t.score))
			}
		}
	}
	p.onParts = gather(f, out.of, nil, n, p.cfg.Threads, p.onParts)
	out.on = p.onParts.out
	return out
}

// fewest is how many parts there are at least: as many as differ from each other by links and
// answers that hold, or as there would be if what is not very unlikely were joined.
func (p *play) fewest(c *parts) int {
	low := c.fewest()
	if low < c.most && !p.doubtful() {
		taken, _ := p.trusted().Apart(c.most)
		low = max(low, len(taken))
	}
	return low
}

// fewest is how many parts there would be if what is not very unlikely were joined as well.
func (c *parts) fewest() int {
	if c.low > 0 {
		return c.low
	}
	j := c.rest.clone()
	for c.low = c.count; ; c.low-- {
		one, two, z := j.best()
		if one < 0 || c.model.same(z) < notUnlikely {
			return c.low
		}
		j.join(one, two)
	}
}

// between returns the score of two groups: that at which they were joined, or that of their parts;
// −Inf: they are apart.
func (c *parts) between(g, h int) float64 {
	if c.of[g] != c.of[h] {
		return c.rest.between(c.of[g], c.of[h])
	}
	a, b := g, h
	for a != b { // what is above comes later
		if a < b {
			a = c.up[a]
		} else {
			b = c.up[b]
		}
	}
	return c.score[a-len(c.of)]
}

// nearest returns the two groups of a pair of parts that are nearest: with the least squared
// distance between nodes that are known to be of them.
func (p *play) nearest(q pair) (one, two int) {
	one, two = q.one[0], q.two[0]
	if len(q.one)*len(q.two) == 1 {
		return one, two
	}
	var of [2][]int
	for l, g := range p.group {
		for side, groups := range [2][]int{q.one, q.two} {
			if slices.Contains(groups, g) {
				of[side] = append(of[side], l)
			}
		}
	}
	least := math.Inf(1)
	for _, l := range of[0] {
		for _, o := range of[1] {
			g, h := p.group[l], p.group[o]
			if p.apart.has(g, h) || p.aside.has(g, h) {
				continue
			}
			if d := p.square(p.ends[l], p.ends[o]); d < least {
				least, one, two = d, g, h
			}
		}
	}
	return one, two
}

// square is the squared distance of two nodes.
func (b *base) square(i, j int) float64 {
	return linalg.SquaredDistance(b.means[i*b.d:(i+1)*b.d], b.means[j*b.d:(j+1)*b.d])
}
