package eknn

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/nearest"
)

// neighbours finds the k nearest neighbours of each object among all, nearest first, the earlier
// one on a tie.
func neighbours(ctx context.Context, src dissim.Source, k, threads int,
	progress func(share float64)) (*nearest.Neighbours, error) {
	if _, ok := dissim.Embed(src); ok { // those of vectors are finite
		return nearest.AllPairs(ctx, src, nil, k, threads, progress)
	}
	from := &checked{Source: src}
	out, err := nearest.AllPairs(ctx, from, nil, k, threads, progress)
	if row := from.bad.Load(); err == nil && row > 0 {
		return nil, &fault.Input{Row: int(row),
			Problem: "a dissimilarity is negative or not finite",
			Fix:     "correct it or leave the row out"}
	}
	return out, err
}

// checked is a source that remembers the first row with a dissimilarity that is none.
type checked struct {
	dissim.Source
	bad atomic.Int64 // that row, from 1; 0: there is none
}

// Row implements [dissim.Source].
func (c *checked) Row(dst []float32, i int, js []int32) {
	c.Source.Row(dst, i, js)
	for _, v := range dst {
		if v >= 0 && v <= math.MaxFloat32 {
			continue
		}
		for {
			if bad := c.bad.Load(); bad > 0 && bad <= int64(i)+1 ||
				c.bad.CompareAndSwap(bad, int64(i)+1) {
				return
			}
		}
	}
}

// quantile returns the q quantile of d^power over neighbours, between the two nearest values; where
// that is 0 the least positive one, and 1 where there is none.
func quantile(w *nearest.Neighbours, q, power float64) float64 {
	if len(w.Dist) == 0 {
		return 1
	}
	d := slices.Clone(w.Dist)
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
	first := slices.IndexFunc(d, func(v float32) bool { return v > 0 })
	if first >= 0 {
		return value(first)
	}
	return 1
}
