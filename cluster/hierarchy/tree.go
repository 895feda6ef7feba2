package hierarchy

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/internal/disjoint"
)

// join is a merge of the clusters that two objects are in.
type join struct {
	a, b   int32 // positions in an order of the objects
	height float64
}

// newTree makes a tree of n−1 joins. Those of reducible linkages come in any order in which parts
// precede wholes. Order has the object at each position.
func newTree(n int, l Linkage, joins []join, order []int32) *dendrogram.Tree {
	if l.reducible() {
		slices.SortStableFunc(joins, func(x, y join) int { return cmp.Compare(x.height, y.height) })
	}
	t := &dendrogram.Tree{N: n, Linkage: l.String(),
		Merges: make([]dendrogram.Merge, 0, len(joins))}
	up := disjoint.Singletons(n)
	node, size := make([]int, n), slices.Repeat([]int{1}, n) // of the cluster with this root
	for i := range node {
		node[i] = i
	}
	for i, j := range joins {
		a, b := up.Root(order[j.a]), up.Root(order[j.b])
		m := dendrogram.Merge{A: min(node[a], node[b]), B: max(node[a], node[b]), Height: j.height,
			Size: size[a] + size[b]}
		t.Merges = append(t.Merges, m)
		up[a] = b
		node[b], size[b] = n+i, m.Size
	}
	return t
}
