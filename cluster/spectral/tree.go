package spectral

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
)

// treeLeaf is the most rows that a leaf of a k-d tree holds.
const treeLeaf = 32

// kdTree halves the rows along the widest column, again and again.
type kdTree struct {
	x     dataset.Matrix
	order []int32 // rows, leaf after leaf
	nodes []kdNode
}

// kdNode is a box of rows, order[lo:hi].
type kdNode struct {
	lo, hi      int
	low, high   []float64 // the corners of the box
	left, right int32     // 0 for a leaf
}

func newTree(x dataset.Matrix) *kdTree {
	t := &kdTree{x: x, order: make([]int32, x.Rows)}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	t.split(0, x.Rows)
	return t
}

func (t *kdTree) split(lo, hi int) int32 {
	d := t.x.Cols
	node := kdNode{lo: lo, hi: hi, low: make([]float64, d), high: make([]float64, d)}
	for j := range d {
		node.low[j], node.high[j] = math.Inf(1), math.Inf(-1)
	}
	for _, i := range t.order[lo:hi] {
		for j := range d {
			v := t.x.At(int(i), j)
			node.low[j], node.high[j] = min(node.low[j], v), max(node.high[j], v)
		}
	}
	at := int32(len(t.nodes))
	t.nodes = append(t.nodes, node)
	if hi-lo <= treeLeaf {
		return at
	}
	widest := 0
	for j := range d {
		if node.high[j]-node.low[j] > node.high[widest]-node.low[widest] {
			widest = j
		}
	}
	mid := (lo + hi) / 2
	t.halve(lo, hi, mid, widest)
	left := t.split(lo, mid)
	right := t.split(mid, hi)
	t.nodes[at].left, t.nodes[at].right = left, right
	return at
}

// halve puts the rows of lower value in a column before place mid (quickselect; rows of equal value
// by number).
func (t *kdTree) halve(lo, hi, mid, column int) {
	less := func(a, b int32) bool {
		u, v := t.x.At(int(a), column), t.x.At(int(b), column)
		return u < v || u == v && a < b
	}
	for hi-lo > 1 {
		a, b, c := t.order[lo], t.order[(lo+hi)/2], t.order[hi-1]
		if less(b, a) {
			a, b = b, a
		}
		if less(c, b) {
			b = c
			if less(b, a) {
				b = a
			}
		}
		i, j := lo, hi-1
		for i <= j {
			for less(t.order[i], b) {
				i++
			}
			for less(b, t.order[j]) {
				j--
			}
			if i <= j {
				t.order[i], t.order[j] = t.order[j], t.order[i]
				i++
				j--
			}
		}
		switch {
		case mid <= j:
			hi = j + 1
		case mid >= i:
			lo = i
		default:
			return
		}
	}
}

// byTree asks a k-d tree for the neighbours of every row, leaf after leaf.
func (s *searcher) byTree(x dataset.Matrix) error {
	t := newTree(x)
	return s.blocks(256, func(_, lo, hi int) {
		q := query{s: s, t: t, row: make([]float64, 0, x.Cols)}
		for _, i := range t.order[lo:hi] {
			q.of = int(i)
			q.row = x.AppendRow(q.row[:0], q.of)
			q.list = s.list(q.of)
			q.visit(0, 0)
		}
	})
}

// query is the search for the neighbours of one row.
type query struct {
	s    *searcher
	t    *kdTree
	of   int
	row  []float64
	list list
	d    [treeLeaf]float32
}

// visit goes through a box that lies at least √gap away, the nearer half first.
func (q *query) visit(at int32, gap float64) {
	// Distances are rounded, to float32 at the last: boxes that are farther by as much are looked
	// into, too.
	if worst := float64(q.list.worst()); gap > worst*worst*(1+1e-5) {
		return
	}
	node := &q.t.nodes[at]
	if node.left == 0 {
		js := q.t.order[node.lo:node.hi]
		q.s.src.Row(q.d[:len(js)], q.of, js)
		worst := q.list.worst()
		for t, v := range q.d[:len(js)] {
			if v <= worst && int(js[t]) != q.of && q.list.add(js[t], v) {
				worst = q.list.worst()
			}
		}
		return
	}
	left, right := q.gap(node.left), q.gap(node.right)
	if left <= right {
		q.visit(node.left, left)
		q.visit(node.right, right)
	} else {
		q.visit(node.right, right)
		q.visit(node.left, left)
	}
}

// gap returns the squared distance of the row from a box.
func (q *query) gap(at int32) float64 {
	node := &q.t.nodes[at]
	sum := 0.0
	for j, v := range q.row {
		if d := max(node.low[j]-v, v-node.high[j]); d > 0 {
			sum += float64(d * d)
		}
	}
	return sum
}

// contains reports whether a list holds j.
func (l list) contains(j int32) bool { return slices.Contains(l.index, j) }
