package kin

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/nearest"
)

// neighbours is how many nearest nodes each node is joined to, and scaleAt which of them sets its
// scale.
const (
	neighbours = 6
	scaleAt    = 4
)

// graph is the weights between m nodes.
type graph struct {
	m       int
	joined  [][]entry // nodes each node is joined to, and the weights, which are symmetric
	near    [][]int32 // the nearest nodes of each, nearest first
	threads int
}

// newGraph joins each of m points in d dimensions, each dimension weighing as scale has it (nil:
// 1), to its nearest ones by (1 + d²/(σᵢσⱼ))⁻², σ being the distance to the fourth nearest. The
// scale of the place is that of Zelnik-Manor and Perona (2004); they have exp(−d²/(σᵢσⱼ)), which
// groups no better and is rounded otherwise on other machines.
func newGraph(ctx context.Context, points []float64, m, d, threads int, scale []float64) (*graph,
	error) {
	g := &graph{m: m, joined: make([][]entry, m), near: make([][]int32, m), threads: threads}
	if m == 1 {
		return g, nil
	}
	x := slices.Clone(points)
	for k, s := range scale {
		s = math.Sqrt(s)
		for i := k; i < len(x); i += d {
			x[i] *= s
		}
	}
	unit(x)
	src, err := dissim.Vectors(dataset.Matrix{Rows: m, Cols: d, F64: x}, dissim.Euclidean)
	if err != nil {
		return nil, err
	}
	k := min(neighbours, m-1)
	found, err := nearest.Find(ctx, src, nearest.Config{K: k, Threads: threads})
	if err != nil {
		return nil, err
	}
	apart := func(i, j int) float64 {
		return linalg.SquaredDistance(x[i*d:(i+1)*d], x[j*d:(j+1)*d])
	}
	local := make([]float64, m)
	for i := range m {
		g.near[i] = found.Index[i*k : (i+1)*k]
		local[i] = math.Sqrt(apart(i, int(g.near[i][min(scaleAt, k)-1])))
	}
	const least = 1e-6 // far ones are joined, too
	for i := range m {
		for _, to := range g.near[i] {
			j, w, square := int(to), 1.0, apart(i, int(to))
			if s := local[i] * local[j]; s > 0 {
				t := 1 + square/s
				w = max(least, 1/(t*t))
			} else if square > 0 {
				w = least
			}
			g.joined[i] = append(g.joined[i], entry{to, w})
			g.joined[j] = append(g.joined[j], entry{int32(i), w})
		}
	}
	for i, row := range g.joined {
		slices.SortFunc(row, func(a, b entry) int { return cmp.Compare(a.at, b.at) })
		g.joined[i] = slices.CompactFunc(row, func(a, b entry) bool { return a.at == b.at })
	}
	return g, nil
}

// unit scales values by a power of two such that the greatest is near 1, so that no square
// overflows or vanishes. It returns the factor.
func unit(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	_, exponent := math.Frexp(most)
	for i, v := range x {
		x[i] = math.Ldexp(v, -exponent)
	}
	return math.Ldexp(1, -exponent)
}

// strengthen adds weight between node i and others.
func (g *graph) strengthen(i int, others []int, weight float64) {
	more := func(i, j int) {
		at, ok := slices.BinarySearchFunc(g.joined[i], int32(j),
			func(e entry, j int32) int { return cmp.Compare(e.at, j) })
		if !ok {
			g.joined[i] = slices.Insert(g.joined[i], at, entry{at: int32(j)})
		}
		g.joined[i][at].v += weight
	}
	for _, j := range others {
		if j != i {
			more(i, j)
			more(j, i)
		}
	}
}
