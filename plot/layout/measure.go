package layout

import (
	"cmp"
	"context"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Quality is how well a map keeps neighbours (Venna and Kaski, Neighborhood preservation in
// nonlinear projection methods, 2001): 1 is best, and about ½ a map at random.
type Quality struct {
	// Trustworthiness falls where neighbours on the map are none among the objects, and Continuity
	// where neighbours among the objects are none on the map.
	Trustworthiness, Continuity float64

	Neighbours int // that each object is looked at with
	Objects    int // looked at, among all others: all, or a sample at equal steps
}

const (
	measurePairs = 10_000_000 // that are compared, at most,
	measureRows  = 200        // but so many rows are looked at
	pieceRows    = 1024       // objects that those of a block are compared with at a time
)

// Measure compares a map of the objects of src with them. Ranks are exact, those of up to 3162 objects
// for all, and for a sample of more: of 500 among 20 000, and at least 200. Objects that are equally
// far have the best of their ranks. Neighbours are at most a third of the others.
func Measure(ctx context.Context, src dissim.Source, points dataset.Matrix, neighbours,
	threads int) (Quality, error) {
	n := src.Len()
	k := min(neighbours, (n-1)/3)
	q := Quality{Trustworthiness: 1, Continuity: 1, Neighbours: k, Objects: n}
	if k < 1 {
		return q, ctx.Err()
	}
	if pairs := n * n; pairs > measurePairs {
		q.Objects = min(n, max(measureRows, measurePairs/n))
	}
	const block = 8
	type loss struct{ trust, keep float64 }
	lost := make([]loss, parallel.Count(q.Objects, block))
	all := disjoint.Singletons(n)
	err := parallel.Blocks(ctx, q.Objects, block, threads, func(b, lo, hi int) {
		far := make([][]float32, hi-lo)
		for t := range far {
			far[t] = make([]float32, n)
		}
		for from := 0; from < n; from += pieceRows {
			to := min(n, from+pieceRows)
			for t := range far {
				if ctx.Err() != nil {
					return
				}
				src.Row(far[t][from:to], (lo+t)*n/q.Objects, all[from:to])
			}
		}
		flat := make([]float32, n)
		for t := range far {
			i := (lo + t) * n / q.Objects
			for j := range n {
				dx, dy := points.At(i, 0)-points.At(j, 0), points.At(i, 1)-points.At(j, 1)
				flat[j] = float32(float64(dx*dx) + float64(dy*dy))
			}
			lost[b].trust += misses(flat, far[t], i, k)
			lost[b].keep += misses(far[t], flat, i, k)
		}
	})
	var all2 loss
	for _, l := range lost {
		all2.trust += l.trust
		all2.keep += l.keep
	}
	most := float64(q.Objects) * float64(k) * (2*float64(n) - 3*float64(k) - 1) / 2
	q.Trustworthiness -= all2.trust / most
	q.Continuity -= all2.keep / most
	return q, err
}

// misses returns the sum, over the k objects nearest to object i by one distance, of how far
// their ranks by the other are beyond k.
func misses(by, other []float32, i, k int) float64 {
	near := make([]int32, 0, k+1)
	for j := range by {
		if j == i || len(near) == k && by[j] >= by[near[k-1]] {
			continue
		}
		at := len(near)
		for at > 0 && by[j] < by[near[at-1]] {
			at--
		}
		near = slices.Insert(near, at, int32(j))
		near = near[:min(k, len(near))]
	}
	limits := make([]float32, k)
	for t, j := range near {
		limits[t] = other[j]
	}
	slices.SortFunc(limits, cmp.Compare[float32])
	// nearer[t] counts those that lie before limit t but not before the one below it.
	nearer := make([]int, k)
	top := limits[k-1]
	for j, d := range other {
		if d >= top || j == i {
			continue
		}
		t := k - 1
		for t > 0 && d < limits[t-1] {
			t--
		}
		nearer[t]++
	}
	sum, rank := 0.0, 1
	for _, c := range nearer {
		rank += c
		sum += float64(max(0, rank-k))
	}
	return sum
}
