package density

import (
	"context"
	"slices"
)

// mergeTree holds which objects are together at each key of reachability: it is the single-link
// tree of a minimum spanning tree. Nodes 0 to n−1 are positions, later ones joins, by rising key.
// Joins at one key are one: only the last of them is ever come to.
type mergeTree struct {
	n      int
	height []float64 // key of each join; 0 for positions
	// the two parts of each join, one of which may be of the same key
	left, right []int32

	up    []int32 // next node that holds more, at a greater key; -1 at the top
	start []int32 // the objects of a node are size of order from start on
	size  []int32
	order []int32
}

func newMergeTree(ctx context.Context, s space, core []float64) (*mergeTree, error) {
	edges, err := s.span(ctx, core)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(edges, edge.compare)
	n := s.size()
	nodes := n + len(edges)
	t := &mergeTree{n: n, height: make([]float64, nodes), up: slices.Repeat([]int32{-1}, nodes),
		start: make([]int32, nodes), size: make([]int32, nodes)}
	left, right := make([]int32, nodes), make([]int32, nodes)
	t.left, t.right = left, right
	g, top := newGroups(n), make([]int32, n)
	for i := range n {
		top[i], t.size[i] = int32(i), 1
	}
	for k, e := range edges {
		node := int32(n + k)
		left[node], right[node] = top[g.find(e.a)], top[g.find(e.b)]
		t.height[node] = e.at
		t.size[node] = t.size[left[node]] + t.size[right[node]]
		t.up[left[node]], t.up[right[node]] = node, node
		g.join(e.a, e.b)
		top[g.find(e.a)] = node
	}
	t.order = make([]int32, n)
	for node := nodes - 1; node >= 0; node-- {
		if above := t.up[node]; above >= 0 && t.up[above] >= 0 &&
			t.height[t.up[above]] == t.height[above] {
			t.up[node] = t.up[above] // what lies above has been brought up already
		}
		if node < n {
			t.order[t.start[node]] = int32(node)
			continue
		}
		t.start[left[node]] = t.start[node]
		t.start[right[node]] = t.start[node] + t.size[left[node]]
	}
	return t, nil
}

// members returns the positions of a node.
func (t *mergeTree) members(node int32) []int32 { return t.order[t.start[node]:][:t.size[node]] }

// at returns the node of what is together with a position at a key.
func (t *mergeTree) at(i int32, key float64) int32 {
	for t.up[i] >= 0 && t.height[t.up[i]] <= key {
		i = t.up[i]
	}
	return i
}

// regions returns for each position that has a class the largest node in which there is no other
// class; -1 where there is none.
func (t *mergeTree) regions(class []int32) []int32 {
	sole := slices.Repeat([]int32{none}, len(t.up))
	copy(sole, class)
	for i, c := range sole[:t.n] {
		if c < 0 {
			sole[i] = none
		}
	}
	// Children come before what is above them.
	for node, above := range t.up {
		if above < 0 || sole[node] == none {
			continue
		}
		switch sole[above] {
		case none:
			sole[above] = sole[node]
		case sole[node]:
		default:
			sole[above] = mixed
		}
	}
	region := slices.Repeat([]int32{-1}, t.n)
	for i, c := range class {
		if c < 0 {
			continue
		}
		at := int32(i)
		for t.up[at] >= 0 && sole[t.up[at]] == c {
			at = t.up[at]
		}
		region[i] = at
	}
	return region
}

// parting returns a key, at most limit, at which the objects are in several sets of at least points
// objects: that halfway between the greatest join of two such sets and the join below it on either
// side; 0 where there is none.
func (t *mergeTree) parting(points int, limit float64) float64 {
	large := make(map[int32]int)     // of a join: sets of enough objects below it
	below := make(map[int32]float64) // greatest key of those sets
	for node, above := range t.up {
		if above >= 0 && int(t.size[node]) >= points &&
			(node < t.n || t.height[node] < t.height[above]) {
			large[above]++
			below[above] = max(below[above], t.height[node])
		}
	}
	best, key := -1.0, 0.0
	for node, sets := range large {
		if h := t.height[node]; sets > 1 && h <= limit && h > best {
			best, key = h, (h+below[node])/2
		}
	}
	return key
}

// standing is how many core objects there are at a key, and how many of them are outside the
// largest set that is together.
type standing struct{ core, outside int }

// telling returns the standing at a key; and the key at which the most core objects are outside the
// largest set, with the standing there: that halfway to the next key at which anything changes. It
// is 0 where there is one set at every key.
func (t *mergeTree) telling(core []float64, at float64) (there standing, key float64,
	best standing) {
	enters := slices.Clone(core)
	slices.Sort(enters)
	size := make([]int, len(t.up)) // core objects of a node
	for i := range t.n {
		size[i] = 1
	}
	node, inside, largest := t.n, 0, 1
	from, open := 0.0, false // of the best so far: its key, and that no later one is known
	for {
		next := unreached
		if inside < len(enters) {
			next = enters[inside]
		}
		if node < len(t.up) {
			next = min(next, t.height[node])
		}
		if open {
			key, open = (from+min(next, 2*from))/2, false
		}
		if next == unreached {
			return there, key, best
		}
		for inside < len(enters) && enters[inside] <= next {
			inside++
		}
		for ; node < len(t.up) && t.height[node] <= next; node++ {
			size[node] = size[t.left[node]] + size[t.right[node]]
			largest = max(largest, size[node])
		}
		now := standing{inside, inside - largest}
		if next <= at {
			there = now
		}
		if now.outside > best.outside {
			best, from, open = now, next, true
		}
	}
}
