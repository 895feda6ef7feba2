package evclus

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/parallel"
)

// orderStatistic gives the value at a rank, counted from 0, of numbers ≥ 0 held in segments: its upper and
// then its lower sixteen bits are found by counting, as the bits of such numbers are in their order.
func orderStatistic(ctx context.Context, segments [][]float32, rank int64, threads int) (float32, error) {
	var top uint32
	for pass := range 2 {
		counts := make([][]int64, len(segments))
		err := parallel.Blocks(ctx, len(segments), 1, threads, func(s, _, _ int) {
			count := make([]int64, 1<<16)
			for _, v := range segments[s] {
				b := math.Float32bits(v)
				if pass == 0 {
					count[b>>16]++
				} else if b>>16 == top {
					count[b&0xffff]++
				}
			}
			counts[s] = count
		})
		if err != nil {
			return 0, err
		}
		for b := range uint32(1 << 16) {
			var here int64
			for _, count := range counts {
				here += count[b]
			}
			if rank < here {
				if pass == 1 {
					return math.Float32frombits(top<<16 | b), nil
				}
				top = b
				break
			}
			rank -= here
		}
	}
	return float32(math.NaN()), nil // a rank beyond the end, which no caller asks for
}

// quantile gives the quantile q in [0, 1] of the dissimilarities in a store, interpolated linearly
// between the two nearest ones (type 7 of Hyndman and Fan 1996).
func (s *store) quantile(ctx context.Context, q float64, threads int) (float64, error) {
	count := s.pairs()
	at := q * float64(count-1)
	rank := int64(math.Floor(at))
	lower, err := s.ranked(ctx, rank, threads)
	if err != nil || at == float64(rank) {
		return lower, err
	}
	upper, err := s.ranked(ctx, rank+1, threads)
	return lower + (at-float64(rank))*(upper-lower), err
}

// ranked gives the dissimilarity of a rank, from 0, among those of all pairs in use.
func (s *store) ranked(ctx context.Context, rank int64, threads int) (float64, error) {
	if s.dense != nil {
		rank = int64(s.n) + 2*rank // the matrix has each pair twice, and zeros on its diagonal
	}
	v, err := orderStatistic(ctx, s.segments(), rank, threads)
	return float64(v), err
}
