package hierarchy

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/data/dendrogram"
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
	up := newForest(n)
	node, size := make([]int, n), slices.Repeat([]int{1}, n) // of the cluster with this root
	for i := range node {
		node[i] = i
	}
	for i, j := range joins {
		a, b := up.find(order[j.a]), up.find(order[j.b])
		m := dendrogram.Merge{A: min(node[a], node[b]), B: max(node[a], node[b]), Height: j.height,
			Size: size[a] + size[b]}
		t.Merges = append(t.Merges, m)
		up[a] = b
		node[b], size[b] = n+i, m.Size
	}
	return t
}

// forest is disjoint sets: the parent of each member, a root being its own.
type forest []int32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = int32(i)
	}
	return f
}

func (f forest) find(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}
