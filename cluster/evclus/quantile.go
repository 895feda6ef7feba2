package evclus

import (
	"context"
	"math"
	"sync"

	"github.com/kindred-go/kindred/internal/parallel"
)

// orderStatistics returns the values at a rank, counted from 0, and at the next one, of numbers ≥ 0
// held in segments. Their upper and then their lower sixteen bits are found by counting, as the
// bits of such numbers are in their order.
func orderStatistics(ctx context.Context, segments [][]float32, rank int64, threads int) (at,
	next float32, err error) {
	counts, err := count(ctx, segments, threads, func(counts []uint32, segment []float32) {
		for _, v := range segment {
			counts[math.Float32bits(v)&^(1<<31)>>16]++ // −0 is 0
		}
	})
	if err != nil {
		return 0, 0, err
	}
	below := func(top uint32) ([]int64, error) {
		return count(ctx, segments, threads, func(counts []uint32, segment []float32) {
			for _, v := range segment {
				if b := math.Float32bits(v) &^ (1 << 31); b>>16 == top {
					counts[b&0xffff]++
				}
			}
		})
	}
	top, within := find(counts, rank)
	above, beyond := find(counts, rank+1)
	lows, err := below(top)
	if err != nil {
		return 0, 0, err
	}
	low, _ := find(lows, within)
	at = math.Float32frombits(top<<16 | low)
	if above != top {
		if lows, err = below(above); err != nil {
			return 0, 0, err
		}
	} else {
		beyond = within + 1
	}
	low, _ = find(lows, beyond)
	return at, math.Float32frombits(above<<16 | low), nil
}

// count adds up what the segments count.
func count(ctx context.Context, segments [][]float32, threads int,
	segment func(counts []uint32, segment []float32)) ([]int64, error) {
	total := make([]int64, 1<<16)
	values := 0
	for _, s := range segments {
		values += len(s)
	}
	// where there is little to count, one table of counts costs more than the counting
	size := len(segments)
	if values > 1<<20 {
		size = parallel.Count(size, 16)
	}
	var mu sync.Mutex
	err := parallel.Blocks(ctx, len(segments), size, threads, func(_, lo, hi int) {
		counts := make([]uint32, 1<<16)
		for _, s := range segments[lo:hi] {
			segment(counts, s)
		}
		mu.Lock()
		defer mu.Unlock()
		for part, c := range counts {
			total[part] += int64(c)
		}
	})
	return total, err
}

// find returns the part in which a rank lies, the last one for a rank beyond the end, and the rank
// within it.
func find(counts []int64, rank int64) (part uint32, within int64) {
	for b, c := range counts {
		if c > 0 {
			part = uint32(b)
		}
		if rank < c {
			return part, rank
		}
		rank -= c
	}
	return part, counts[part] - 1
}

// quantile returns the quantile q in [0, 1] of the dissimilarities in a store, interpolated
// linearly between the two nearest ones (type 7 of Hyndman and Fan 1996).
func (s *store) quantile(ctx context.Context, q float64, threads int) (float64, error) {
	at := q * float64(s.pairs()-1)
	rank := int64(math.Floor(at))
	lower, upper, err := orderStatistics(ctx, s.runs(), rank, threads)
	return float64(lower) + (at-float64(rank))*(float64(upper)-float64(lower)), err
}
