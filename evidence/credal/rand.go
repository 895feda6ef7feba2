package credal

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
)

// RandIndices are the credal Rand indices of two credal partitions (Denœux, Li & Sriboonchitta
// 2018): means over pairs of objects of how well the two [Relation]s of a pair agree. All lie in
// [0, 1] and are the Rand index where both partitions are hard and without outliers.
type RandIndices struct {
	Consistency float64 // 1 − mean conflict: 1 where nothing contradicts, however little is known
	Belief      float64 // 1 − mean belief distance: 1 where both agree
	Jousselme   float64 // 1 − mean Jousselme distance: the same with another distance
	Pairs       int     // pairs that were compared
	Sampled     bool    // whether they are a sample
}

// RandConfig reports how two partitions are compared. The zero value is the default.
type RandConfig struct {
	Exact   int    // objects up to which all pairs are compared; 0: 20000
	Pairs   int    // pairs drawn, with replacement, beyond that; 0: 2·10⁷
	Seed    uint64 // of the draw
	Threads int    // 0: one per processor; never changes the result
}

// CompareRand returns the credal Rand indices of two credal partitions of the same objects in the
// same order; the numbers of clusters may differ. Fewer than two objects agree fully.
func CompareRand(ctx context.Context, a, b *Partition, cfg RandConfig) (RandIndices, error) {
	n := a.Len()
	if n != b.Len() {
		return RandIndices{},
			&fault.Input{Problem: fmt.Sprintf("partitions of %d and %d objects cannot be compared",
				n, b.Len()), Fix: "give two of the same objects"}
	}
	if n < 2 {
		return RandIndices{Consistency: 1, Belief: 1, Jousselme: 1}, ctx.Err()
	}
	c := comparison{a: newRelator(ctx, a, cfg.Threads), b: newRelator(ctx, b, cfg.Threads)}
	exact, draws := cfg.Exact, cfg.Pairs
	if exact <= 0 {
		exact = 20_000
	}
	if draws <= 0 {
		draws = 20_000_000
	}
	out := RandIndices{Pairs: n * (n - 1) / 2}
	var sums []agreement
	var err error
	if n <= exact {
		const blockObjects = 16
		sums = make([]agreement, parallel.Count(n, blockObjects))
		err = parallel.Blocks(ctx, n, blockObjects, cfg.Threads, func(block, lo, hi int) {
			for i := lo; i < hi && ctx.Err() == nil; i++ {
				for j := range i {
					c.add(&sums[block], i, j)
				}
			}
		})
	} else {
		const blockDraws = 1 << 14
		out.Pairs, out.Sampled = draws, true
		sums = make([]agreement, parallel.Count(draws, blockDraws))
		err = parallel.Blocks(ctx, draws, blockDraws, cfg.Threads, func(block, lo, hi int) {
			r := rand.New(rand.NewPCG(cfg.Seed, uint64(block)))
			for range hi - lo {
				i, j := r.IntN(n), r.IntN(n-1)
				if j >= i {
					j++
				}
				c.add(&sums[block], i, j)
			}
		})
	}
	if err != nil {
		return RandIndices{}, err
	}
	var sum agreement
	for _, s := range sums {
		sum.conflict += s.conflict
		sum.belief += s.belief
		sum.jousselme += s.jousselme
	}
	// masses that sum to a little more than 1 would leave [0, 1]
	index := func(sum float64) float64 {
		return min(1, max(0, 1-sum/float64(out.Pairs)))
	}
	out.Consistency, out.Belief, out.Jousselme = index(sum.conflict), index(sum.belief),
		index(sum.jousselme)
	return out, nil
}

type comparison struct{ a, b *relator }

// agreement sums over pairs.
type agreement struct{ conflict, belief, jousselme float64 }

func (c comparison) add(to *agreement, i, j int) {
	r, s := c.a.relate(i, j), c.b.relate(i, j)
	to.conflict += conflict(r, s)
	to.belief += beliefDistance(r, s)
	to.jousselme += jousselme(r, s)
}
