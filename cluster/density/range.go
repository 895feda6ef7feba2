package density

import (
	"context"
	"slices"
)

// marks counts marked positions up to each.
type marks []int32

// countMarks counts them; nil stands for all, and is not counted.
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
		return t.high[node] - t.low[node]
	}
	return m[t.high[node]] - m[t.low[node]]
}

// count implements [space].
func (t *tree) count(ctx context.Context, key float64, most int32, asked []bool) ([]int32, error) {
	counts := make([]int32, t.n)
	err := t.eachLeaf(ctx, func(leaf int, w *treeWork) {
		c := &counting{tree: t, treeWork: w, leaf: leaf, key: key, most: most,
			counts: counts[t.low[leaf]:t.high[leaf]]}
		for i := range c.counts {
			if asked == nil || asked[int(t.low[leaf])+i] {
				c.open = append(c.open, i)
			}
		}
		c.visit(leaf)
		for node := leaf; node > 0 && len(c.open) > 0; node = (node - 1) / 2 {
			c.visit(sibling(node))
		}
	})
	return counts, err
}

// sibling returns the other child of a node's parent.
func sibling(node int) int { return (node - 1) ^ 1 + 1 }

// counting counts for the rows of a leaf.
type counting struct {
	*tree
	*treeWork
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
	near, far := c.apart(c.leaf, node)
	switch {
	case near > c.key:
	case far <= c.key:
		for _, i := range c.open {
			c.counts[i] += c.high[node] - c.low[node]
		}
		c.close()
	case node < c.first:
		c.visit(2*node + 1)
		c.visit(2*node + 2)
	default:
		for _, i := range c.open {
			if c.point(c.x, c.leaf, i); c.toPoint(c.x, node) > c.key {
				continue
			}
			for _, v := range c.keys(&c.dist, c.x, node) {
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
	j.some = make([]int32, len(t.low))
	j.solid = make([]bool, len(t.low))
	for node := len(t.low) - 1; node >= 0; node-- {
		if j.of(j.marks, node) == 0 {
			continue
		}
		_, far := t.apart(node, node)
		j.solid[node] = far <= key
		if node < t.first {
			if j.some[node] = j.some[2*node+1]; j.of(j.marks, 2*node+1) == 0 {
				j.some[node] = j.some[2*node+2]
			} else if j.solid[node] && j.of(j.marks, 2*node+2) > 0 {
				groups.join(j.some[node], j.some[2*node+2])
			}
			continue
		}
		first := int32(-1)
		for i := t.low[node]; i < t.high[node]; i++ {
			if marked[i] && first < 0 {
				first = i
			} else if marked[i] && j.solid[node] {
				groups.join(first, i)
			}
		}
		j.some[node] = first
	}
	return t.eachLeaf(ctx, func(leaf int, w *treeWork) {
		if j.of(j.marks, leaf) == 0 {
			return
		}
		if !j.solid[leaf] {
			j.leaves(leaf, leaf, w)
		}
		for node := leaf; node > 0; node = (node - 1) / 2 {
			// the pairs before have been, or are, others' work
			if next := sibling(node); next > node {
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

func (j *joining) visit(leaf, node int, w *treeWork) {
	if j.of(j.marks, node) == 0 {
		return
	}
	both := j.solid[leaf] && j.solid[node]
	if both && j.groups.find(j.some[leaf]) == j.groups.find(j.some[node]) {
		return
	}
	near, far := j.apart(leaf, node)
	switch {
	case near > j.key:
	case both && far <= j.key:
		j.groups.join(j.some[leaf], j.some[node])
	case node < j.first:
		j.visit(leaf, 2*node+1, w)
		j.visit(leaf, 2*node+2, w)
	default:
		j.leaves(leaf, node, w)
	}
}

// leaves compares the rows of two leaves.
func (j *joining) leaves(a, b int, w *treeWork) {
	both := j.solid[a] && j.solid[b]
	for i := range int(j.high[a] - j.low[a]) {
		at := j.low[a] + int32(i)
		if !j.marked[at] {
			continue
		}
		if j.point(w.x, a, i); j.toPoint(w.x, b) > j.key {
			continue
		}
		for k, v := range j.keys(&w.dist, w.x, b) {
			if other := j.low[b] + int32(k); v <= j.key && j.marked[other] {
				if j.groups.join(at, other); both {
					return
				}
			}
		}
	}
}
