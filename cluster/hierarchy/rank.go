package hierarchy

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// counted reports the work of several goroutines.
type counted struct {
	lock        sync.Mutex
	report      func(share float64)
	done, total float64
	last        int // hundredths reported
}

func (c *counted) add(n int) {
	if c.report == nil {
		return
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.done += float64(n)
	if at := int(100 * c.done / c.total); at > c.last {
		c.last = at
		c.report(float64(at) / 100)
	}
}

const (
	rankRounds = 3
	rankBlocks = 32
)

// rank orders the objects by what their dissimilarities to all others come to, whatever order they
// are in: by their sum, and where that leaves objects alike by a sum of hashes of dissimilarities
// and of what is known of the other objects, a few times over. Those that stay alike keep the order
// they have. A factor on all dissimilarities leaves the sums in order.
func (d *condensed) rank(ctx context.Context, threads int) ([]int32, error) {
	n := len(d.size)
	_, power := math.Frexp(float64(d.largest()))
	unit := math.Ldexp(1, 40-power) // integers add up alike in any order
	totals, err := d.sums(ctx, threads, func(i int, part []uint64) (own uint64) {
		for j, v := range d.row(i) {
			whole := uint64(int64(float64(v) * unit))
			own += whole
			part[j] += whole
		}
		return own
	})
	if err != nil {
		return nil, err
	}
	order, known := disjoint.Singletons(n), slices.Clone(totals)
	for i, s := range d.size {
		known[i] += scatter(math.Float64bits(s))
	}
	alike := func(a, b int32) int {
		return cmp.Or(cmp.Compare(totals[a], totals[b]), cmp.Compare(known[a], known[b]))
	}
	distinct := 0
	for range rankRounds {
		slices.SortStableFunc(order, alike)
		was := distinct
		distinct = 1
		for t := 1; t < n; t++ {
			if alike(order[t-1], order[t]) != 0 {
				distinct++
			}
		}
		if distinct == n || distinct == was {
			break
		}
		more, err := d.sums(ctx, threads, func(i int, part []uint64) (own uint64) {
			for j, v := range d.row(i) {
				far := uint64(math.Float32bits(v)) * 0x9e3779b97f4a7c15
				own += scatter(far ^ known[j])
				part[j] += scatter(far ^ known[i])
			}
			return own
		})
		if err != nil {
			return nil, err
		}
		for i, m := range more {
			known[i] = scatter(known[i]) + m
		}
	}
	return order, nil
}

// sums adds up, for each object, what a term has for it and each other. For object i, term adds
// the parts of those before it to part and returns that of i.
func (d *condensed) sums(ctx context.Context, threads int,
	term func(i int, part []uint64) (own uint64)) ([]uint64, error) {
	n := len(d.size)
	size := max(1, (n+rankBlocks-1)/rankBlocks)
	parts := make([][]uint64, parallel.Count(n, size))
	err := parallel.Blocks(ctx, n, size, threads, func(block, lo, hi int) {
		part := make([]uint64, hi)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			part[i] += term(i, part)
		}
		parts[block] = part
	})
	if err != nil {
		return nil, err
	}
	out := make([]uint64, n)
	for _, part := range parts {
		linalg.Add(out, part)
	}
	return out, nil
}

// scatter mixes the bits of x (the finaliser of MurmurHash3, by Austin Appleby).
func scatter(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
