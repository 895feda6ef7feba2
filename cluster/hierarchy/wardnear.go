package hierarchy

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// compare orders candidates from near to far, by number among equals.
func (c candidate) compare(e candidate) int {
	return cmp.Or(cmp.Compare(c.far, e.far), cmp.Compare(c.to, e.to))
}

// worst returns the measure that a new candidate for the list of a cluster must not exceed.
func (w *wards) worst(a int32) float64 { return w.near[int(a)*listed+listed-1].far }

// offer puts b on the list of a if it is near enough and not there yet.
func (w *wards) offer(a, b int32, far float64) {
	list := w.list(a)
	c := candidate{far, b, w.joins[b]}
	if c.compare(list[listed-1]) >= 0 && list[listed-1].to >= 0 {
		return
	}
	at := listed - 1
	for ; at > 0 && (list[at-1].to < 0 || c.compare(list[at-1]) < 0); at-- {
	}
	for _, e := range list {
		if e.to == b {
			return
		}
	}
	copy(list[at+1:], list[at:listed-1])
	list[at] = c
}

// reach returns half the squared distance within which the centre of a cluster of the given size,
// or a larger one, must be to get on the list of a.
func (w *wards) reach(a int32, least float64) float32 {
	return nearest.Half(w.worst(a) * (1 + 1e-12) / ward(1, w.size[a], least))
}

// meet finds the nearest of all clusters.
func (w *wards) meet(ctx context.Context, progress func(share float64)) error {
	m := len(w.size)
	x := dataset.Matrix{Rows: m, Cols: w.d, F64: w.centres}
	sweep := nearest.NewSweep(x, w.threads)
	if sweep == nil || m < atATime {
		return w.ask(ctx, w.live)
	}
	reach := slices.Repeat([]float32{math.MaxFloat32}, m)
	err := sweep.Near(ctx, reach, progress, func(_, j int, within []int32, low []float32) {
		b := int32(j)
		for t, a := range within {
			square := 2 * float64(low[t])
			if weighed := ward(square, w.size[a], w.size[b]); weighed > w.worst(a) &&
				weighed > w.worst(b) {
				continue
			}
			far := w.far(a, b)
			for _, p := range [2][2]int32{{a, b}, {b, a}} {
				if far <= w.worst(p[0]) {
					w.offer(p[0], p[1], far)
					reach[p[0]] = w.reach(p[0], w.least)
				}
			}
		}
	})
	copyBounds(w, w.live)
	return err
}

// copyBounds takes the last on the lists of some clusters for their bounds.
func copyBounds(w *wards, some []int32) {
	for _, a := range some {
		w.bound[a] = w.worst(a)
	}
}

const (
	askRows = 192 // clusters that the asking ones are compared with at a time
	askFew  = 4   // asking clusters for which bounds of float32 are not worth it
)

// ask fills the lists of some clusters by comparing them with all.
func (w *wards) ask(ctx context.Context, some []int32) error {
	defer copyBounds(w, some)
	if w.mean == nil || len(some) < askFew {
		return parallel.Blocks(ctx, len(some), 1, w.threads, func(_, t, _ int) {
			a := some[t]
			for at, b := range w.live {
				if at%checkEvery == 0 && ctx.Err() != nil {
					return
				}
				if b != a {
					w.offer(a, b, w.far(a, b))
				}
			}
		})
	}
	// Clusters of one size together, so that reaches are short where the others are large.
	others := slices.Clone(w.live)
	slices.SortStableFunc(others,
		func(a, b int32) int { return cmp.Compare(w.size[a], w.size[b]) })
	workers := parallel.Threads(w.threads)
	block := min(1024, (1<<19)/w.d, (len(some)+2*workers-1)/(2*workers))
	block = max(1, (block+simd.TileRows-1)/simd.TileRows) * simd.TileRows
	free := make(chan *asker, workers)
	for range workers {
		free <- &asker{wards: w, pairs: simd.NewPairs(w.d)}
	}
	return parallel.Blocks(ctx, len(some), block, workers, func(_, lo, hi int) {
		k := <-free
		k.run(ctx, some[lo:hi], others)
		free <- k
	})
}

// asker compares some clusters with others, a block at a time.
type asker struct {
	*wards
	pairs *simd.Pairs
	rows  []float64
	reach []float32
}

// gather returns the centres of some clusters, side by side.
func (k *asker) gather(some []int32) []float64 {
	k.rows = k.rows[:0]
	for _, a := range some {
		k.rows = append(k.rows, k.row(a)...)
	}
	return k.rows
}

// run compares some clusters with the others, which are in the order of their sizes.
func (k *asker) run(ctx context.Context, some, others []int32) {
	simd.LoadLeft(k.pairs, k.gather(some), k.mean)
	for lo := 0; lo < len(others) && ctx.Err() == nil; lo += askRows {
		right := others[lo:min(len(others), lo+askRows)]
		simd.LoadRight(k.pairs, k.gather(right), k.mean)
		k.reach = k.reach[:0]
		for _, a := range some {
			k.reach = append(k.reach, k.wards.reach(a, k.size[right[0]]))
		}
		k.pairs.Near(k.reach, nil, func(j, first int, mask uint64, low []float32) {
			b := right[j]
			for ; mask != 0; mask &= mask - 1 {
				t := bits.TrailingZeros64(mask)
				a := some[first+t]
				square := 2 * float64(low[t])
				if a == b || ward(square, k.size[a], k.size[b]) > k.worst(a) {
					continue
				}
				if far := k.far(a, b); far <= k.worst(a) {
					k.offer(a, b, far)
				}
			}
		})
	}
}
