package strategy

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	forestTrees = 50     // as in Xiong, Azimi and Fern 2014
	forestRows  = 10_000 // rows that trees are grown on at most; all rows fall through them
	forestDepth = 64     // of a tree, at most
)

// forest holds the leaf of each row in each tree of a random forest (Breiman 2001) that learns
// labels.
type forest struct {
	rows int
	leaf []int32 // trees×rows
}

// grow grows a forest: each tree on as many rows drawn with replacement as there are, each split on
// the best of ⌊√d⌋ features drawn, by the Gini index, down to leaves of one label. Trees have seeds
// of their own, so that threads play no part.
func grow(ctx context.Context, x dataset.Matrix, labels []int, seed uint64, threads int) (*forest,
	error) {
	f := &forest{rows: x.Rows, leaf: make([]int32, forestTrees*x.Rows)}
	from := make([]int32, 0, min(x.Rows, forestRows))
	if x.Rows > forestRows {
		// "rows"
		from = draw.Rising(rand.New(rand.NewPCG(seed, 0x726f7773)), 0, x.Rows-1, forestRows)
	} else {
		for i := range x.Rows {
			from = append(from, int32(i))
		}
	}
	classes := slices.Max(append([]int{0}, labels...)) + 1
	err := parallel.Try(ctx, forestTrees, 1, threads, func(t, _, _ int) error {
		g := &grower{x: x, labels: labels,
			rng:   rand.New(rand.NewPCG(seed, 0x74726565+uint64(t)<<32)),
			tries: max(1, int(math.Sqrt(float64(x.Cols))))}
		g.left, g.right = make([]int, classes), make([]int, classes)
		for range from {
			g.rows = append(g.rows, from[g.rng.IntN(len(from))])
		}
		for j := range x.Cols {
			g.features = append(g.features, j)
		}
		if err := g.split(ctx, 0, len(g.rows), 0); err != nil {
			return err
		}
		g.drop(f.leaf[t*x.Rows : (t+1)*x.Rows])
		return nil
	})
	return f, err
}

// alike returns how alike some rows are to groups of rows, rows×groups: the share of trees in which
// a row falls into the same leaf as a row of a group, added up over those.
func (f *forest) alike(rows []int, groups [][]int) []float64 {
	type share struct {
		group, rows int32
	}
	out := make([]float64, len(rows)*len(groups))
	there := make(map[int32][]share) // rows of groups in each leaf
	for t := range forestTrees {
		leaves := f.leaf[t*f.rows : (t+1)*f.rows]
		clear(there)
		for g, members := range groups {
			for _, row := range members {
				in := there[leaves[row]]
				if last := len(in) - 1; last >= 0 && in[last].group == int32(g) {
					in[last].rows++
				} else {
					there[leaves[row]] = append(in, share{int32(g), 1})
				}
			}
		}
		for i, row := range rows {
			for _, s := range there[leaves[row]] {
				out[i*len(groups)+int(s.group)] += float64(s.rows)
			}
		}
	}
	for i := range out {
		out[i] /= forestTrees
	}
	return out
}

// node is a split, or a leaf where feature is negative.
type node struct {
	feature int32
	right   int32 // the left child follows its parent
	cut     float64
}

// grower grows one tree.
type grower struct {
	x           dataset.Matrix
	labels      []int
	rng         *rand.Rand
	tries       int
	rows        []int32 // drawn; those of a node are together
	features    []int
	nodes       []node
	values      []valued
	left, right []int // rows of each label
}

type valued struct {
	v     float64
	label int32
}

// split makes a node of rows [lo, hi) and all below it.
func (g *grower) split(ctx context.Context, lo, hi, depth int) error {
	if hi-lo > 1000 && ctx.Err() != nil {
		return ctx.Err()
	}
	at := len(g.nodes)
	g.nodes = append(g.nodes, node{feature: -1})
	if depth == forestDepth || g.pure(lo, hi) {
		return nil
	}
	// Features that are constant here do not count as tries, so that a split is found where there
	// is one.
	best, tried := math.Inf(-1), 0
	var feature int
	var cut float64
	for k := 0; k < len(g.features) && tried < g.tries; k++ {
		other := k + g.rng.IntN(len(g.features)-k)
		g.features[k], g.features[other] = g.features[other], g.features[k]
		score, where, ok := g.best(lo, hi, g.features[k])
		if !ok {
			continue
		}
		if tried++; score > best {
			best, feature, cut = score, g.features[k], where
		}
	}
	if tried == 0 {
		return nil
	}
	mid := lo
	for i := lo; i < hi; i++ {
		if g.x.At(int(g.rows[i]), feature) <= cut {
			g.rows[i], g.rows[mid] = g.rows[mid], g.rows[i]
			mid++
		}
	}
	g.nodes[at].feature, g.nodes[at].cut = int32(feature), cut
	if err := g.split(ctx, lo, mid, depth+1); err != nil {
		return err
	}
	g.nodes[at].right = int32(len(g.nodes))
	return g.split(ctx, mid, hi, depth+1)
}

func (g *grower) pure(lo, hi int) bool {
	for _, row := range g.rows[lo:hi] {
		if g.labels[row] != g.labels[g.rows[lo]] {
			return false
		}
	}
	return true
}

// best finds the cut of one feature that leaves the purest halves: the greatest sum of Σ
// count²/size over both, which orders cuts as the Gini index does. ok is false where the feature is
// constant.
func (g *grower) best(lo, hi, feature int) (score, cut float64, ok bool) {
	g.values = g.values[:0]
	for _, row := range g.rows[lo:hi] {
		g.values = append(g.values, valued{g.x.At(int(row), feature), int32(g.labels[row])})
	}
	slices.SortFunc(g.values, func(a, b valued) int { return cmp.Compare(a.v, b.v) })
	clear(g.left)
	clear(g.right)
	var squaresLeft, squaresRight int
	for _, v := range g.values {
		squaresRight += 2*g.right[v.label] + 1
		g.right[v.label]++
	}
	n := len(g.values)
	for i, v := range g.values[:n-1] {
		squaresLeft += 2*g.left[v.label] + 1
		g.left[v.label]++
		squaresRight -= 2*g.right[v.label] - 1
		g.right[v.label]--
		next := g.values[i+1].v
		if v.v == next {
			continue
		}
		if s := float64(squaresLeft)/float64(i+1) + float64(squaresRight)/float64(n-i-1); !ok ||
			s > score {
			score, cut, ok = s, v.v+(next-v.v)/2, true
			if cut >= next { // neighbouring numbers
				cut = v.v
			}
		}
	}
	return score, cut, ok
}

// drop lets all rows fall through the tree.
func (g *grower) drop(leaf []int32) {
	for i := range leaf {
		at := int32(0)
		for g.nodes[at].feature >= 0 {
			if g.x.At(i, int(g.nodes[at].feature)) <= g.nodes[at].cut {
				at++
			} else {
				at = g.nodes[at].right
			}
		}
		leaf[i] = at
	}
}
