package density

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/internal/nearest"
)

// marks counts marked positions up to each.
type marks []int32

// countMarks counts them; nil means all, and is not counted.
func countMarks(marked []bool) marks {
	if marked == nil {
		return nil
	}
	m := make(marks, len(marked)+1)
	for i, yes := range marked {
		m[i+1] = m[i]
		if yes {
			m[i+1]++
		}
	}
	return m
}

// of returns how many positions of a node are marked.
func (t *tree) of(m marks, node int) int32 {
	if m == nil {
		return t.High[node] - t.Low[node]
	}
	return m[t.High[node]] - m[t.Low[node]]
}

// count implements [space].
func (t *tree) count(ctx context.Context, key float64, most int32, asked []bool) ([]int32, error) {
	counts := make([]int32, t.N)
	err := t.EachLeaf(ctx, func(leaf int, w *nearest.Work) {
		c := &counting{tree: t, Work: w, leaf: leaf, key: key, most: most,
			counts: counts[t.Low[leaf]:t.High[leaf]]}
		for i := range c.counts {
			if asked == nil || asked[int(t.Low[leaf])+i] {
				c.open = append(c.open, i)
			}
		}
		c.visit(leaf)
		for node := leaf; node > 0 && len(c.open) > 0; node = (node - 1) / 2 {
			c.visit(nearest.Sibling(node))
		}
	})
	return counts, err
}

// counting counts for the rows of a leaf.
type counting struct {
	*tree
	*nearest.Work
	leaf   int
	key    float64
	most   int32
	counts []int32 // of the leaf's rows
	open   []int   // rows that are asked about and have not reached most
}

func (c *counting) visit(node int) {
	if len(c.open) == 0 {
		return
	}
	near, far := c.Apart(c.leaf, node)
	switch {
	case near > c.key:
	case far <= c.key:
		for _, i := range c.open {
			c.counts[i] += c.High[node] - c.Low[node]
		}
		c.close()
	case node < c.First:
		c.visit(2*node + 1)
		c.visit(2*node + 2)
	default:
		for _, i := range c.open {
			if c.Point(c.X, c.leaf, i); c.ToPoint(c.X, node) > c.key {
				continue
			}
			for _, v := range c.Keys(&c.Dist, c.X, node) {
				if v <= c.key {
					c.counts[i]++
				}
			}
		}
		c.close()
	}
}

// close leaves alone the rows that have reached most.
func (c *counting) close() {
	c.open = slices.DeleteFunc(c.open, func(i int) bool { return c.counts[i] >= c.most })
}

// join implements [space].
func (t *tree) join(ctx context.Context, key float64, marked []bool, groups *groups) error {
	j := &joining{tree: t, key: key, marked: marked, marks: countMarks(marked), groups: groups}
	j.some = make([]int32, len(t.Low))
	j.solid = make([]bool, len(t.Low))
	for node := len(t.Low) - 1; node >= 0; node-- {
		if j.of(j.marks, node) == 0 {
			continue
		}
		_, far := t.Apart(node, node)
		j.solid[node] = far <= key
		if node < t.First {
			if j.some[node] = j.some[2*node+1]; j.of(j.marks, 2*node+1) == 0 {
				j.some[node] = j.some[2*node+2]
			} else if j.solid[node] && j.of(j.marks, 2*node+2) > 0 {
				groups.join(j.some[node], j.some[2*node+2])
			}
			continue
		}
		first := int32(-1)
		for i := t.Low[node]; i < t.High[node]; i++ {
			if marked[i] && first < 0 {
				first = i
			} else if marked[i] && j.solid[node] {
				groups.join(first, i)
			}
		}
		j.some[node] = first
	}
	return t.EachLeaf(ctx, func(leaf int, w *nearest.Work) {
		if j.of(j.marks, leaf) == 0 {
			return
		}
		if !j.solid[leaf] {
			j.leaves(leaf, leaf, w)
		}
		for node := leaf; node > 0; node = (node - 1) / 2 {
			// the pairs before have been, or are, others' work
			if next := nearest.Sibling(node); next > node {
				j.visit(leaf, next, w)
			}
		}
	})
}

// joining joins objects within key.
type joining struct {
	*tree
	key    float64
	marked []bool
	marks  marks
	groups *groups
	some   []int32 // a marked position of each node that has one
	// no two rows of the node are farther apart than key: its marked rows are one group
	solid []bool
}

func (j *joining) visit(leaf, node int, w *nearest.Work) {
	if j.of(j.marks, node) == 0 {
		return
	}
	both := j.solid[leaf] && j.solid[node]
	if both && j.groups.find(j.some[leaf]) == j.groups.find(j.some[node]) {
		return
	}
	near, far := j.Apart(leaf, node)
	switch {
	case near > j.key:
	case both && far <= j.key:
		j.groups.join(j.some[leaf], j.some[node])
	case node < j.First:
		j.visit(leaf, 2*node+1, w)
		j.visit(leaf, 2*node+2, w)
	default:
		j.leaves(leaf, node, w)
	}
}

// leaves compares the rows of two leaves.
func (j *joining) leaves(a, b int, w *nearest.Work) {
	both := j.solid[a] && j.solid[b]
	for i := range int(j.High[a] - j.Low[a]) {
		at := j.Low[a] + int32(i)
		if !j.marked[at] {
			continue
		}
		if j.Point(w.X, a, i); j.ToPoint(w.X, b) > j.key {
			continue
		}
		for k, v := range j.Keys(&w.Dist, w.X, b) {
			if other := j.Low[b] + int32(k); v <= j.key && j.marked[other] {
				if j.groups.join(at, other); both {
					return
				}
			}
		}
	}
}
