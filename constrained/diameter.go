package constrained

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/kindred-go/kindred/internal/simd"
)

// farthest finds the pair of rows farthest from each other in the metric of cluster c.
func (m *mpck) farthest(ctx context.Context, c int) (farthest, error) {
	x := make([]float64, m.t.n*m.d)
	err := m.t.blocks(ctx, func(_, lo, hi int, rows []float64) {
		gaps := make([]float64, len(rows))
		for at := 0; at < len(rows); at += m.d {
			for j := range m.d {
				gaps[at+j] = rows[at+j] - m.t.origin[j]
			}
		}
		m.rooted(x[lo*m.d:hi*m.d], gaps, c)
	})
	if err != nil {
		return farthest{}, err
	}
	i, j, distance, err := diameter(ctx, x, m.d)
	gap := make([]float64, m.d)
	for q, v := range m.t.data.AppendRow(nil, i) {
		gap[q] = v - m.t.data.At(j, q)
	}
	return farthest{gap, distance}, err
}

// mostDistances bounds the distances that diameter computes beyond those to find a centre and good first pairs.
const mostDistances = 4_000_000

// diameter gives the two points that are farthest from each other, and their squared distance. Points are gone through from the outermost
// inwards, until two of them cannot be as far apart as the farthest pair found, or the distances allowed are used up; that pair is then at least half as
// far apart as the farthest.
func diameter(ctx context.Context, x []float64, d int) (i, j int, distance float64, err error) {
	n := len(x) / d
	at := func(i int) []float64 { return x[i*d : (i+1)*d] }
	center := make([]float64, d)
	for i := range n {
		for q, v := range at(i) {
			center[q] += v / float64(n)
		}
	}
	radius := make([]float64, n)
	simd.SquaredDistances(radius, center, x)
	from := make([]float64, n)
	i = farthestOf(radius)
	for range 4 { // to the farthest row, and from there to the farthest
		simd.SquaredDistances(from, at(i), x)
		far := farthestOf(from)
		if !(from[far] > distance) {
			break
		}
		distance, j, i = from[far], i, far
		if ctx.Err() != nil {
			return 0, 0, 0, ctx.Err()
		}
	}
	order := make([]int32, n)
	for p := range order {
		order[p] = int32(p)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(radius[b], radius[a]) })
	sorted := make([]float64, 0, len(x))
	for _, p := range order {
		sorted = append(sorted, at(int(p))...)
		radius[p] = math.Sqrt(radius[p])
	}
	used := 0
	for a, p := range order {
		// Rows before p with a lesser radius are too near, with room for rounding.
		reach := math.Sqrt(distance)*(1-1e-12) - radius[p]
		if radius[order[0]] < reach || used > mostDistances {
			break
		}
		if a%64 == 0 && ctx.Err() != nil {
			return 0, 0, 0, ctx.Err()
		}
		few := sort.Search(a, func(b int) bool { return radius[order[b]] < reach })
		simd.SquaredDistances(from[:few], at(int(p)), sorted)
		used += few
		for b, v := range from[:few] {
			if v > distance {
				distance, i, j = v, int(order[b]), int(p)
			}
		}
	}
	return i, j, distance, nil
}

// farthestOf gives where the greatest value is, the first among equals.
func farthestOf(values []float64) int {
	best := 0
	for i, v := range values {
		if v > values[best] {
			best = i
		}
	}
	return best
}
