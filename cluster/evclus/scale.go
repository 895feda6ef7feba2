package evclus

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// scale turns dissimilarities into the conflict δ that they call for.
type scale struct {
	transform Transform
	d0, gamma float64
	ranks     []float32 // Rank: evenly spaced quantiles of the dissimilarities used, ascending
}

// rankKnots is the number of quantiles that a rank is counted among.
const rankKnots = 4096

func newScale(t Transform, d0, tail float64, sample []float32) *scale {
	c := &scale{transform: t}
	switch t {
	case Exponential:
		c.d0, c.gamma = d0, -math.Log(tail)/(d0*d0)
	case Linear:
		c.d0 = d0
	case Rank:
		sorted := slices.Clone(sample)
		slices.Sort(sorted)
		if len(sorted) <= rankKnots {
			c.ranks = sorted
			break
		}
		for k := range rankKnots {
			c.ranks = append(c.ranks, sorted[int(int64(k)*int64(len(sorted)-1)/(rankKnots-1))])
		}
	}
	return c
}

// apply sets dst to δ of d; they may be the same slice.
func (c *scale) apply(dst, d []float32) {
	switch c.transform {
	case Exponential:
		simd.Saturate(dst, d, c.gamma)
	case Linear:
		for i, v := range d {
			dst[i] = float32(min(1, float64(v)/c.d0))
		}
	case Rank:
		for i, v := range d {
			dst[i] = c.rank(v)
		}
	}
}

// rank returns the share of the dissimilarities used that are below v, equal ones counted half.
func (c *scale) rank(v float32) float32 {
	below := sort.Search(len(c.ranks), func(i int) bool { return c.ranks[i] >= v })
	upTo := below + sort.Search(len(c.ranks)-below,
		func(i int) bool { return c.ranks[below+i] > v })
	return float32(float64(below+upTo) / float64(2*len(c.ranks)))
}

// applyAll transforms n values in place, in parallel.
func (c *scale) applyAll(ctx context.Context, d []float32, threads int) error {
	const size = 1 << 15
	return parallel.Blocks(ctx, len(d), size, threads,
		func(_, lo, hi int) { c.apply(d[lo:hi], d[lo:hi]) })
}
