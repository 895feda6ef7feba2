package density

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// leafRows is the most rows of a leaf: enough for vector kernels, few enough to tell leaves apart.
const leafRows = 32

// tree is a k-d tree: node i has the children 2i+1 and 2i+2, and all leaves lie equally deep. A
// node is halved at the median of its widest column; rows that are equal there are ordered by the
// next columns, so that it is the values that say where a row lies.
//
// Distances, and what is said of those between boxes, are the same chain of fused multiply-adds
// over the columns, so that bounds hold to the last bit.
type tree struct {
	n, d, threads int
	order         []int32   // row of each position
	at            []float64 // rows, leaf after leaf, each column by column
	first         int       // number of the first leaf
	low, high     []int32   // positions of each node
	box           []float64 // least and greatest values of each node, 2d of them
}

func growTree(ctx context.Context, m dataset.Matrix, threads int) (*tree, error) {
	t := &tree{n: m.Rows, d: m.Cols, threads: threads}
	leaves := 1
	for leaves*leafRows < t.n {
		leaves *= 2
	}
	t.first = leaves - 1
	nodes := 2*leaves - 1
	t.low, t.high, t.box = make([]int32, nodes), make([]int32, nodes), make([]float64, nodes*2*t.d)
	t.high[0] = int32(t.n)
	for i := range t.first {
		middle := (t.low[i] + t.high[i]) / 2
		t.low[2*i+1], t.high[2*i+1] = t.low[i], middle
		t.low[2*i+2], t.high[2*i+2] = middle, t.high[i]
	}
	g := &grower{tree: t, rows: make([]float64, 0, t.n*t.d)}
	t.order = make([]int32, t.n)
	for i := range t.order {
		t.order[i] = int32(i)
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
	scratch := make([]float64, leafRows*t.d)
	for leaf := t.first; leaf < nodes; leaf++ {
		rows := t.block(leaf)
		copy(scratch, rows)
		m := len(rows) / t.d
		for i := range m {
			for j := range t.d {
				rows[j*m+i] = scratch[i*t.d+j]
			}
		}
	}
	return t, nil
}

func (t *tree) size() int                  { return t.n }
func (t *tree) rows() []int32              { return t.order }
func (t *tree) key(radius float64) float64 { return squareKey(radius) }
func (t *tree) radius(key float64) float64 { return math.Sqrt(key) }

func (t *tree) leaves() []int32 {
	var starts []int32
	for leaf := t.first; leaf < len(t.low); leaf++ {
		starts = append(starts, t.low[leaf])
	}
	return append(starts, int32(t.n))
}

// block returns the values of a leaf, or of a node while rows are not yet turned.
func (t *tree) block(node int) []float64 {
	return t.at[int(t.low[node])*t.d : int(t.high[node])*t.d]
}

// keys sets dst to the keys from x to the rows of a leaf, and gives as many as there are.
func (t *tree) keys(dst *[leafRows]float64, x []float64, leaf int) []float64 {
	m := int(t.high[leaf] - t.low[leaf])
	simd.SquaredDistancesColumns(dst[:m], x, t.block(leaf), m)
	return dst[:m]
}

// point copies row i of a leaf to x.
func (t *tree) point(x []float64, leaf, i int) {
	block := t.block(leaf)
	m := len(block) / t.d
	for j := range x {
		x[j] = block[j*m+i]
	}
}

func (t *tree) bounds(node int) (least, greatest []float64) {
	b := t.box[node*2*t.d:][:2*t.d]
	return b[:t.d], b[t.d:]
}

// toPoint returns a key that no row of the node is nearer to x than.
func (t *tree) toPoint(x []float64, node int) (s float64) {
	least, greatest := t.bounds(node)
	for j, v := range x {
		if gap := max(least[j]-v, v-greatest[j]); gap > 0 {
			s = math.FMA(gap, gap, s)
		}
	}
	return s
}

// apart returns keys that no rows of two nodes are nearer than, and none farther.
func (t *tree) apart(a, b int) (near, far float64) {
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

func (t *tree) between(i, j int32) float64 {
	x := make([]float64, t.d)
	var dist [leafRows]float64
	a, b := t.leafOf(i), t.leafOf(j)
	t.point(x, a, int(i-t.low[a]))
	return t.keys(&dist, x, b)[j-t.low[b]]
}

// leafOf returns the leaf that holds a position.
func (t *tree) leafOf(i int32) int {
	at, _ := slices.BinarySearch(t.low[t.first:], i+1)
	return t.first + at - 1
}

// eachLeaf calls do for all leaves, some at a time.
func (t *tree) eachLeaf(ctx context.Context, do func(leaf int, w *treeWork)) error {
	return parallel.Blocks(ctx, len(t.low)-t.first, max(1, 16/t.d), t.threads, func(_, lo, hi int) {
		w := &treeWork{x: make([]float64, t.d)}
		for leaf := lo; leaf < hi; leaf++ {
			do(t.first+leaf, w)
		}
	})
}

// treeWork is what a goroutine works with.
type treeWork struct {
	x    []float64
	dist [leafRows]float64
}
