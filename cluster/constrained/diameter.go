package constrained

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simd"
)

// farthest finds the pair of rows farthest from each other in the metric of cluster c.
func (m *mpck) farthest(ctx context.Context, c int) (farthest, error) {
	space, _ := m.places.Get().(*[]float64)
	if space == nil {
		all := make([]float64, m.t.n*m.d)
		space = &all
	}
	defer m.places.Put(space)
	x := *space
	serial := *m.t
	serial.threads = 1
	var gaps []float64
	err := serial.blocks(ctx, func(_, lo, hi int, rows []float64) {
		gaps = slices.Grow(gaps[:0], len(rows))[:len(rows)]
		less(gaps, rows, m.t.origin)
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

// outermost bounds the points of which diameter looks at all pairs.
const outermost = 1500

// diameter returns the two points that are farthest from each other, and their squared distance. It
// walks from the outermost point to the farthest from it, and on from there, and then goes through
// the pairs of the outermost points. Points that lie so far inwards that no pair with them can be
// farther apart than one found are left out; where there are more than it looks at besides those,
// the pair that it returns is at least half as far apart as the farthest.
func diameter(ctx context.Context, x []float64, d int) (i, j int, distance float64, err error) {
	n := len(x) / d
	at := func(i int) []float64 { return x[i*d : (i+1)*d] }
	center := make([]float64, d)
	for i := range n {
		linalg.Add(center, at(i))
	}
	linalg.Divide(center, float64(n))
	radius, from := make([]float64, n), make([]float64, n)
	simd.SquaredDistances(radius, center, x)
	i = linalg.ArgMax(radius)
	for range 4 {
		if ctx.Err() != nil {
			return 0, 0, 0, ctx.Err()
		}
		simd.SquaredDistances(from, at(i), x)
		far := linalg.ArgMax(from)
		if !(from[far] > distance) {
			break
		}
		distance, j, i = from[far], i, far
	}
	for p, v := range radius {
		radius[p] = math.Sqrt(v)
	}
	order := outer(radius, math.Sqrt(distance)*(1-1e-12))
	points := make([]float64, 0, len(order)*d)
	for _, p := range order {
		points = append(points, at(int(p))...)
	}
	for a, p := range order {
		// Points before p with a lesser radius are too near, with room for rounding.
		reach := math.Sqrt(distance)*(1-1e-12) - radius[p]
		if radius[order[0]] < reach {
			break
		}
		few := sort.Search(a, func(b int) bool { return radius[order[b]] < reach })
		simd.SquaredDistances(from[:few], at(int(p)), points)
		for b, v := range from[:few] {
			if v > distance {
				distance, i, j = v, int(order[b]), int(p)
			}
		}
	}
	return i, j, distance, ctx.Err()
}

// outer returns the points, by falling radius, that may be in a pair as far apart as diameter: the
// outermost of them, where they are too many.
func outer(radius []float64, diameter float64) []int32 {
	most := radius[linalg.ArgMax(radius)]
	least := diameter - most
	const bins = 4096
	var count [bins + 1]int
	bin := func(v float64) int { return min(bins, int(bins*(v-least)/(most-least))) }
	total := 0
	for _, v := range radius {
		if v >= least {
			total++
			if most > least {
				count[bin(v)]++
			}
		}
	}
	from := 0
	for b, sum := bins, 0; b >= 0 && total > outermost; b-- {
		if sum += count[b]; sum >= outermost {
			from = b
			break
		}
	}
	var order []int32
	for p, v := range radius {
		if v >= least && (from == 0 || bin(v) >= from) {
			order = append(order, int32(p))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(radius[b], radius[a]) })
	return order[:min(len(order), outermost)]
}
