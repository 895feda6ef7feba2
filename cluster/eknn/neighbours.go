package eknn

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/parallel"
)

// near is the k nearest neighbours of each of n objects, nearest first, the earlier one on a tie.
type near struct {
	k  int
	at []int32   // n×k
	d  []float32 // n×k
}

// piece is how many dissimilarities are asked for at a time, as what one costs is not known.
const piece = 512

// neighbours finds the k nearest neighbours of each object among all.
func neighbours(ctx context.Context, src dissim.Source, k, threads int,
	progress func(share float64)) (*near, error) {
	n := src.Len()
	out := &near{k: k, at: make([]int32, n*k), d: make([]float32, n*k)}
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	var bad atomic.Int64
	hear := newHearer(n, progress)
	err := parallel.Blocks(ctx, n, 8, threads, func(_, lo, hi int) {
		row := make([]float32, piece)
		for i := lo; i < hi; i++ {
			h := heap{d: out.d[i*k : i*k : (i+1)*k], at: out.at[i*k : i*k : (i+1)*k]}
			for first := 0; first < n; first += piece {
				if ctx.Err() != nil {
					return
				}
				some := all[first:min(n, first+piece)]
				src.Row(row[:len(some)], i, some)
				for t, v := range row[:len(some)] {
					if !(v >= 0 && v <= math.MaxFloat32) {
						bad.Store(int64(i) + 1)
					}
					if j := some[t]; int(j) != i && k > 0 {
						h.offer(v, j)
					}
				}
			}
			h.sort()
		}
		hear.add(hi - lo)
	})
	if err == nil && bad.Load() > 0 {
		return nil, &fault.Input{Row: int(bad.Load()),
			Problem: "a dissimilarity is negative or not finite",
			Fix:     "fix it or leave the row out"}
	}
	return out, err
}

// heap holds the nearest so far in its whole capacity, the farthest on top.
type heap struct {
	d  []float32
	at []int32
}

// farther reports whether entry a is farther than entry b, or as far and later.
func (h *heap) farther(a, b int) bool {
	return h.d[a] > h.d[b] || h.d[a] == h.d[b] && h.at[a] > h.at[b]
}

// offer takes an object where it is nearer than the farthest held, or there is room. Objects come
// by rising number, so that one as far as the farthest is later, and not taken.
func (h *heap) offer(d float32, j int32) {
	if n := len(h.d); n < cap(h.d) {
		h.d, h.at = append(h.d, d), append(h.at, j)
		for n > 0 && h.farther(n, (n-1)/2) {
			h.swap(n, (n-1)/2)
			n = (n - 1) / 2
		}
		return
	}
	if d >= h.d[0] {
		return
	}
	h.d[0], h.at[0] = d, j
	h.sink(len(h.d))
}

// sink puts the top of the first n in its place.
func (h *heap) sink(n int) {
	for i := 0; ; {
		top := i
		for child := 2*i + 1; child <= 2*i+2 && child < n; child++ {
			if h.farther(child, top) {
				top = child
			}
		}
		if top == i {
			return
		}
		h.swap(i, top)
		i = top
	}
}

func (h *heap) swap(i, j int) {
	h.d[i], h.d[j] = h.d[j], h.d[i]
	h.at[i], h.at[j] = h.at[j], h.at[i]
}

// sort puts the nearest first.
func (h *heap) sort() {
	for n := len(h.d) - 1; n > 0; n-- {
		h.swap(0, n)
		h.sink(n)
	}
}

// quantile returns the q quantile of d^power, between the two nearest values; where that is 0 the
// least positive one, and 1 where there is none.
func (w *near) quantile(q, power float64) float64 {
	if len(w.d) == 0 {
		return 1
	}
	d := slices.Clone(w.d)
	slices.Sort(d)
	value := func(i int) float64 {
		if power == 1 {
			return float64(d[i])
		}
		return elementary.Power(float64(d[i]), power)
	}
	at := q * float64(len(d)-1)
	lo := int(at)
	hi := min(lo+1, len(d)-1)
	if v := value(lo) + float64((at-float64(lo))*(value(hi)-value(lo))); v > 0 {
		return v
	}
	first, _ := slices.BinarySearchFunc(d, 0, func(v float32, _ int) int {
		if v > 0 {
			return 1
		}
		return -1
	})
	if first < len(d) {
		return value(first)
	}
	return 1
}
