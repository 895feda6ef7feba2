package nearest

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// LeafRows is the most rows of a leaf: enough for vector kernels, few enough to separate leaves.
const LeafRows = 32

// Tree is a k-d tree: node i has the children 2i+1 and 2i+2, and all leaves lie equally deep. A
// node is halved at the median of its widest column; rows that are equal there are ordered by the
// next columns, so that the values decide where a row lies.
//
// Distances, and the bounds between boxes, are the same chain of fused multiply-adds
// over the columns, so that bounds hold to the last bit.
type Tree struct {
	N, D      int     // rows and columns
	Order     []int32 // row of each position: leaf after leaf
	First     int     // number of the first leaf
	Low, High []int32 // positions of each node: from Low up to High

	threads int
	at      []float64 // rows, leaf after leaf, each column by column
	box     []float64 // least and greatest values of each node, 2d of them
}

// Grow returns the tree of the rows of m. Threads ≤ 0 means one per processor. It fails when ctx is
// done.
func Grow(ctx context.Context, m dataset.Matrix, threads int) (*Tree, error) {
	t := &Tree{N: m.Rows, D: m.Cols, threads: threads}
	leaves := 1
	for leaves*LeafRows < t.N {
		leaves *= 2
	}
	t.First = leaves - 1
	nodes := 2*leaves - 1
	t.Low, t.High, t.box = make([]int32, nodes), make([]int32, nodes), make([]float64, nodes*2*t.D)
	t.High[0] = int32(t.N)
	for i := range t.First {
		middle := (t.Low[i] + t.High[i]) / 2
		t.Low[2*i+1], t.High[2*i+1] = t.Low[i], middle
		t.Low[2*i+2], t.High[2*i+2] = middle, t.High[i]
	}
	g := &grower{Tree: t, rows: make([]float64, 0, t.N*t.D)}
	t.Order = disjoint.Singletons(t.N)
	for i := range t.N {
		g.rows = m.AppendRow(g.rows, i)
	}
	level := 1
	for begin := 0; begin < nodes; begin, level = begin+level, 2*level {
		// The nodes of a level are cut side by side.
		err := parallel.Blocks(ctx, level, max(1, level/64), threads, func(_, lo, hi int) {
			for i := begin + lo; i < begin+hi && ctx.Err() == nil; i++ {
				g.settle(i)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	t.at = g.rows
	scratch := make([]float64, LeafRows*t.D)
	for leaf := t.First; leaf < nodes; leaf++ {
		rows := t.block(leaf)
		m := copy(scratch, rows)
		linalg.Transpose(rows, scratch[:m], t.D)
	}
	return t, nil
}

// Leaves returns the position at which each leaf begins, and the number of rows.
func (t *Tree) Leaves() []int32 {
	var starts []int32
	for leaf := t.First; leaf < len(t.Low); leaf++ {
		starts = append(starts, t.Low[leaf])
	}
	return append(starts, int32(t.N))
}

// block returns the values of a leaf, or of a node while rows are not yet turned.
func (t *Tree) block(node int) []float64 {
	return t.at[int(t.Low[node])*t.D : int(t.High[node])*t.D]
}

// Keys sets dst to the squared distances, the keys, of x from the rows of a leaf, and returns as
// many as there are.
func (t *Tree) Keys(dst *[LeafRows]float64, x []float64, leaf int) []float64 {
	m := int(t.High[leaf] - t.Low[leaf])
	simd.SquaredDistancesColumns(dst[:m], x, t.block(leaf), m)
	return dst[:m]
}

// Point copies row i of a leaf to x.
func (t *Tree) Point(x []float64, leaf, i int) {
	block := t.block(leaf)
	m := len(block) / t.D
	for j := range x {
		x[j] = block[j*m+i]
	}
}

// bounds returns the box of a node.
func (t *Tree) bounds(node int) (least, greatest []float64) {
	b := t.box[node*2*t.D:][:2*t.D]
	return b[:t.D], b[t.D:]
}

// ToPoint returns a key that no row of the node is nearer to x than.
func (t *Tree) ToPoint(x []float64, node int) (s float64) {
	least, greatest := t.bounds(node)
	for j, v := range x {
		if gap := max(least[j]-v, v-greatest[j]); gap > 0 {
			s = math.FMA(gap, gap, s)
		}
	}
	return s
}

// Apart returns keys that no rows of two nodes are nearer than, and none farther.
func (t *Tree) Apart(a, b int) (near, far float64) {
	lowA, highA := t.bounds(a)
	lowB, highB := t.bounds(b)
	for j, v := range lowA {
		up, down := lowB[j]-highA[j], v-highB[j]
		if gap := max(up, down); gap > 0 {
			near = math.FMA(gap, gap, near)
		}
		reach := max(highB[j]-v, highA[j]-lowB[j])
		far = math.FMA(reach, reach, far)
	}
	return near, far
}

// Between returns the key of two positions.
func (t *Tree) Between(i, j int32) float64 {
	x := make([]float64, t.D)
	var dist [LeafRows]float64
	a, b := t.LeafOf(i), t.LeafOf(j)
	t.Point(x, a, int(i-t.Low[a]))
	return t.Keys(&dist, x, b)[j-t.Low[b]]
}

// LeafOf returns the leaf that holds a position.
func (t *Tree) LeafOf(i int32) int {
	at, _ := slices.BinarySearch(t.Low[t.First:], i+1)
	return t.First + at - 1
}

// Nearer returns the children of an inner node, the one nearer to x first, and keys that none of
// their rows is nearer than.
func (t *Tree) Nearer(x []float64, node int) (a, b int, toA, toB float64) {
	a, b = 2*node+1, 2*node+2
	toA, toB = t.ToPoint(x, a), t.ToPoint(x, b)
	if toB < toA {
		return b, a, toB, toA
	}
	return a, b, toA, toB
}

// Sibling returns the other child of a node's parent, (node−1)/2.
func Sibling(node int) int { return (node - 1) ^ 1 + 1 }

// EachLeaf calls do for all leaves, some at a time. It fails when ctx is done.
func (t *Tree) EachLeaf(ctx context.Context, do func(leaf int, w *Work)) error {
	return parallel.Blocks(ctx, len(t.Low)-t.First, max(1, 16/t.D), t.threads, func(_, lo, hi int) {
		w := &Work{X: make([]float64, t.D)}
		for leaf := lo; leaf < hi; leaf++ {
			do(t.First+leaf, w)
		}
	})
}

// Work is scratch memory of a goroutine: a row, and its keys to those of a leaf.
type Work struct {
	X    []float64
	Dist [LeafRows]float64
}
