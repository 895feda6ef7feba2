// Package dendrogram is trees of joined objects: what hierarchical methods return, cut into
// clusters, drawn and written to files.
package dendrogram

import (
	"fmt"

	"github.com/kindred-go/kindred/fault"
)

// Merge joins two nodes of a tree.
type Merge struct {
	A, B   int     // nodes, A < B: objects are 0 … n−1, and merge i, from 0, makes node n+i
	Height float64 // how far apart the two were, in the unit of the data
	Size   int     // objects below
}

// Tree is how n objects were joined, step by step.
//
// Merges and heights are those of a linkage matrix of SciPy: heights never fall but under centroid
// and median linkage, whose joined clusters can lie nearer to a third than their parts did.
type Tree struct {
	N       int
	Linkage string  // how far apart two clusters are, as in "ward"
	Merges  []Merge // n−1 of them, in order
}

// Cut returns the cluster of each object, from 0 by first object, when the last k−1 merges are
// undone. k is from 1 to n; anything else is a *fault.Input.
func (t *Tree) Cut(k int) ([]int32, error) {
	if k < 1 || k > t.N {
		return nil, &fault.Input{Problem: fmt.Sprintf(
			"a tree of %d objects cannot be cut into %d clusters", t.N, k),
			Fix: fmt.Sprintf("ask for 1 to %d", t.N)}
	}
	return t.labels(func(i int) bool { return i < len(t.Merges)-(k-1) }), nil
}

// CutAt returns the cluster of each object, from 0 by first object, when nodes that no merge higher
// than height made are kept whole. NaN and heights below 0 leave every object alone.
func (t *Tree) CutAt(height float64) []int32 {
	high := t.reaches()
	return t.labels(func(i int) bool { return high[i] <= height })
}

// reaches returns the greatest height at or below each merge.
func (t *Tree) reaches() []float64 {
	high := make([]float64, len(t.Merges))
	for i, m := range t.Merges {
		high[i] = m.Height
		for _, child := range []int{m.A, m.B} {
			if child >= t.N {
				high[i] = max(high[i], high[child-t.N])
			}
		}
	}
	return high
}

// labels numbers the clusters that stay when only some merges are kept: with a merge all below it.
func (t *Tree) labels(kept func(merge int) bool) []int32 {
	top := make([]int, t.N+len(t.Merges)) // the highest kept node above
	for i := range top {
		top[i] = i
	}
	for i := len(t.Merges) - 1; i >= 0; i-- {
		if m := t.Merges[i]; top[t.N+i] != t.N+i || kept(i) {
			top[m.A], top[m.B] = top[t.N+i], top[t.N+i]
		}
	}
	number := make(map[int]int32)
	out := make([]int32, t.N)
	for i := range out {
		c, known := number[top[i]]
		if !known {
			c = int32(len(number))
			number[top[i]] = c
		}
		out[i] = c
	}
	return out
}

// Order returns the objects in an order in which each node's are together, the part with the lower
// node number first, so that lines of a dendrogram do not cross.
func (t *Tree) Order() []int {
	out := make([]int, 0, t.N)
	stack := []int{t.N + len(t.Merges) - 1}
	for len(stack) > 0 {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if node < t.N {
			out = append(out, node)
			continue
		}
		m := t.Merges[node-t.N]
		stack = append(stack, m.B, m.A)
	}
	return out
}

// Cophenetic returns for each pair of objects i < j the height at which they are first in one
// cluster, in the order (0,1), (0,2) … (n−2,n−1), as SciPy's cophenet does: n(n−1)/2 values.
func (t *Tree) Cophenetic() []float64 {
	out := make([]float64, t.N*(t.N-1)/2)
	at := t.Order()
	end := make([]int, t.N+len(t.Merges)) // of each node, in the order
	begin := make([]int, len(end))
	for place, object := range at {
		begin[object], end[object] = place, place+1
	}
	for i, m := range t.Merges {
		begin[t.N+i], end[t.N+i] = begin[m.A], end[m.B]
		for _, x := range at[begin[m.A]:end[m.A]] {
			for _, y := range at[begin[m.B]:end[m.B]] {
				lo, hi := min(x, y), max(x, y)
				out[lo*(2*t.N-lo-1)/2+hi-lo-1] = m.Height
			}
		}
	}
	return out
}

// Size returns the number of objects below a node.
func (t *Tree) Size(node int) int {
	if node < t.N {
		return 1
	}
	return t.Merges[node-t.N].Size
}
