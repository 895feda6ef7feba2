package cobras

import (
	"slices"

	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/link"
)

// view is what statements about nodes entail, kept up to date as they come. Where they contradict
// each other, must-links count.
type view struct {
	group  disjoint.Sets
	size   []int32   // of a root: nodes, and cannot-links that reach them
	rivals [][]int32 // of a root: nodes of the groups that it differs from
	apart  map[uint64]struct{}

	seen []int32 // of a root: the last pass that came to it
	pass int32

	stands []int32 // of a root: nodes that stand for super-instances, where those are marked
	moved  bool    // more is known of two that stand for some than when they were marked
}

// newView returns a view of so many nodes that no statement is about. It is to hold so many
// cannot-links.
func newView(nodes, cannot int) *view {
	return &view{apart: make(map[uint64]struct{}, cannot),
		group: disjoint.Singletons(nodes), size: slices.Repeat([]int32{1}, nodes),
		rivals: make([][]int32, nodes), stands: make([]int32, nodes), seen: make([]int32, nodes)}
}

// add adds a node that no statement is about.
func (w *view) add() {
	w.group = append(w.group, int32(len(w.group)))
	w.size = append(w.size, 1)
	w.rivals = append(w.rivals, nil)
	w.stands, w.seen = append(w.stands, 0), append(w.seen, 0)
}

// mark marks a node that stands for a super-instance.
func (w *view) mark(v int32) { w.stands[w.group.Root(v)]++ }

// unmark marks none.
func (w *view) unmark() {
	clear(w.stands)
	w.moved = false
}

// take takes in a statement.
func (w *view) take(u, v int32, kind link.Kind) {
	x, y := w.group.Root(u), w.group.Root(v)
	switch {
	case x == y:
	case kind == link.MustLink:
		w.join(x, y)
	case kind == link.CannotLink && !w.separated(x, y):
		w.apart[pairKey(x, y)] = struct{}{}
		w.rivals[x], w.rivals[y] = append(w.rivals[x], y), append(w.rivals[y], x)
		w.size[x]++
		w.size[y]++
		w.moved = w.moved || w.stands[x] > 0 && w.stands[y] > 0
	}
}

// join makes one group of two roots. The smaller one moves its rivals over.
func (w *view) join(x, y int32) {
	w.moved = w.moved || w.stands[x] > 0 && w.stands[y] > 0 || w.tells(x, y) || w.tells(y, x)
	if w.size[x] < w.size[y] {
		x, y = y, x
	}
	delete(w.apart, pairKey(x, y))
	w.group[y] = x
	w.size[x] += w.size[y]
	w.stands[x] += w.stands[y]
	for _, v := range w.rivals[y] {
		z := w.group.Root(v)
		if z == x {
			continue // they contradict each other
		}
		delete(w.apart, pairKey(y, z))
		if !w.separated(x, z) {
			w.apart[pairKey(x, z)] = struct{}{}
			w.rivals[x] = append(w.rivals[x], z)
		}
	}
	w.rivals[y] = nil
}

// tells reports whether a group with marked nodes comes to differ from others with such by joining
// one that has none.
func (w *view) tells(x, y int32) bool {
	if w.stands[x] == 0 || w.stands[y] > 0 {
		return false
	}
	for _, v := range w.rivals[y] {
		if z := w.group.Root(v); z != x && w.stands[z] > 0 && !w.separated(x, z) {
			return true
		}
	}
	return false
}

// parted reports whether some of the nodes are known to be different.
func (w *view) parted(nodes []int32) bool {
	w.pass++
	var here []int32 // roots
	rivals := 0
	for _, v := range nodes {
		if root := w.group.Root(v); w.seen[root] != w.pass {
			w.seen[root] = w.pass
			here = append(here, root)
			rivals += len(w.rivals[root])
		}
	}
	if len(here)*len(here) <= rivals {
		for i, x := range here {
			for _, y := range here[:i] {
				if w.separated(x, y) {
					return true
				}
			}
		}
		return false
	}
	for _, x := range here {
		for _, v := range w.rivals[x] {
			if y := w.group.Root(v); y != x && w.seen[y] == w.pass {
				return true
			}
		}
	}
	return false
}

// separated reports whether two roots are known to be different.
func (w *view) separated(x, y int32) bool {
	_, apart := w.apart[pairKey(x, y)]
	return apart
}

func (w *view) relation(u, v int32) link.Kind {
	switch x, y := w.group.Root(u), w.group.Root(v); {
	case x == y:
		return link.MustLink
	case w.separated(x, y):
		return link.CannotLink
	}
	return link.Unknown
}
