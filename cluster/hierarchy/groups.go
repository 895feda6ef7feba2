package hierarchy

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// groups are objects that must-links join; one without is a group of its own.
type groups struct {
	set    *link.Set
	of     []int32    // group of each object, from 0 by first object
	first  []int      // first object of each group
	linked []int32    // groups of two objects and more, rising
	apart  [][2]int32 // groups that cannot-links separate, the lower first
}

func newGroups(set *link.Set) *groups {
	g := &groups{set: set}
	g.of, g.first = set.Numbers()
	size := make([]int, len(g.first))
	for _, a := range g.of {
		size[a]++
	}
	for a, first := range g.first {
		if size[a] > 1 {
			g.linked = append(g.linked, int32(a))
		}
		for other := range set.Separated(first) {
			if b := g.of[other]; b > int32(a) {
				g.apart = append(g.apart, [2]int32{int32(a), b})
			}
		}
	}
	return g
}

// feasible refuses numbers of clusters that cannot be had.
func (g *groups) feasible(ctx context.Context, k int) error {
	if k > len(g.first) {
		return fault.Inputf(fmt.Sprintf("ask for at most %d", len(g.first)),
			"%s asked for, and must-links leave only %s of objects", words.Count(k, "cluster"),
			words.Count(len(g.first), "group"))
	}
	objects, err := g.set.Different(ctx, k+1)
	if objects == nil {
		return err
	}
	return link.AllDifferent(objects, k)
}

// unfold returns the tree of the objects from that of the groups: the objects of a group are joined
// first, at height 0.
func (g *groups) unfold(t *dendrogram.Tree) *dendrogram.Tree {
	n := len(g.of)
	out := &dendrogram.Tree{N: n, Linkage: t.Linkage,
		Merges: make([]dendrogram.Merge, 0, max(0, n-1))}
	node, size := make([]int, len(g.first)+len(t.Merges)), make([]int, len(g.first))
	for i, a := range g.of {
		if size[a]++; size[a] == 1 {
			node[a] = i
			continue
		}
		out.Merges = append(out.Merges,
			dendrogram.Merge{A: min(i, node[a]), B: max(i, node[a]), Size: size[a]})
		node[a] = n + len(out.Merges) - 1
	}
	for i, m := range t.Merges {
		a, b := node[m.A], node[m.B]
		size := out.Size(a) + out.Size(b)
		out.Merges = append(out.Merges,
			dendrogram.Merge{A: min(a, b), B: max(a, b), Height: m.Height, Size: size})
		node[len(g.first)+i] = n + len(out.Merges) - 1
	}
	return out
}
