package dissim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/parallel"
)

// SampledPad is how many positions at the front of a [Sampled] store are repeated behind its end,
// so that a run of that many positions never wraps.
const SampledPad = 8

// Sampled holds the dissimilarities between each of N objects and K partners.
//
// The objects are put in a random order, and the partners of the object at position p are those at
// the positions p+s (mod N) for K random shifts s, the same for all. Each object so has K different
// partners, every pair of objects is as likely to be drawn as any other, and each object is drawn
// by exactly K others, those at p−s. Drawn object by object, as kevclus-2016 §4 does, the last
// number would vary; and memory would be visited at random, where shifts stream it.
//
// Shifts are at least Block and at most N−Block: objects at Block consecutive positions are never
// partners of each other.
type Sampled struct {
	N, K   int
	Order  []int32   // the object at each position; the first SampledPad again at the end
	Shifts []int32   // K different shifts, ascending
	Block  int       // a multiple of SampledPad
	Stride int       // N + SampledPad
	D      []float32 // K×Stride: D[r·Stride+p] is between positions p and p+Shifts[r]
}

// Sample draws k partners for each object of src, from 1 to less than (n−1)/2, and looks their
// dissimilarities up. It fails where n is below 64 or k out of range: all pairs then cost no more.
// Progress, if not nil, is called with the share of the work done.
func Sample(ctx context.Context, src Source, k int, seed uint64, threads int,
	progress func(share float64)) (*Sampled, error) {
	n := src.Len()
	if !Samples(n, k) {
		return nil, &fault.Input{Problem: fmt.Sprintf(
			"%d partners cannot be sampled among %d objects", k, n), Fix: "use all pairs"}
	}
	if err := memory.Check(4*float64(n)*float64(k), fmt.Sprintf("%d partners of %d objects", k, n),
		"take fewer partners (--partners), or fit landmarks and place the rest (--landmarks)",
	); err != nil {
		return nil, err
	}
	s := &Sampled{N: n, K: k, Stride: n + SampledPad}
	s.Block = min(2048, (n-1-k)/4/SampledPad*SampledPad)
	s.Block = max(s.Block, SampledPad)
	rng := rand.New(rand.NewPCG(seed, 0x6b2d6576636c7573))
	s.Order = make([]int32, n, s.Stride)
	for i := range s.Order {
		s.Order[i] = int32(i)
	}
	for i := n - 1; i > 0; i-- {
		j := rng.IntN(i + 1)
		s.Order[i], s.Order[j] = s.Order[j], s.Order[i]
	}
	s.Order = append(s.Order, s.Order[:SampledPad]...)
	s.Shifts = shifts(rng, n, s.Block, k)
	s.D = make([]float32, k*s.Stride)

	// A run of positions and its partners under one shift are two runs of the order.
	const size = 1024
	runs := inOrder(src, s.Order[:n])
	var mu sync.Mutex
	done := 0
	err := parallel.Blocks(ctx, n, size, threads, func(_, lo, hi int) {
		if runs != nil {
			s.fillRuns(ctx, runs, lo, hi)
		} else {
			s.fillRows(ctx, src, lo, hi)
		}
		if progress != nil {
			mu.Lock()
			defer mu.Unlock()
			done++
			progress(float64(done) / float64(parallel.Count(n, size)))
		}
	})
	if err != nil {
		return nil, err
	}
	for r := range k {
		row := s.D[r*s.Stride : (r+1)*s.Stride]
		copy(row[n:], row[:SampledPad])
	}
	return s, nil
}

// fillRows looks the dissimilarities of the positions from lo up to hi up, object by object.
func (s *Sampled) fillRows(ctx context.Context, src Source, lo, hi int) {
	js, row, rows := make([]int32, s.K), make([]float32, s.K), paced{from: src}
	for p := lo; p < hi && ctx.Err() == nil; p++ {
		for r, shift := range s.Shifts {
			js[r] = s.Order[(p+int(shift))%s.N]
		}
		rows.row(ctx, row, int(s.Order[p]), js, nil)
		for r, v := range row {
			s.D[r*s.Stride+p] = v
		}
	}
}

// fillRuns does the same run by run.
func (s *Sampled) fillRuns(ctx context.Context, runs aligned, lo, hi int) {
	for r, shift := range s.Shifts {
		if ctx.Err() != nil {
			return
		}
		row := s.D[r*s.Stride:]
		wrap := min(hi, max(lo, s.N-int(shift))) // from here on partners are at the front again
		runs.pairs(row[lo:wrap], lo, lo+int(shift))
		runs.pairs(row[wrap:hi], wrap, wrap+int(shift)-s.N)
	}
}

// Samples reports whether [Sample] can draw k partners among n objects for less than all pairs
// cost.
func Samples(n, k int) bool { return n >= 64 && k >= 1 && 2*k < n-1 }

// Shifts of many objects come in runs: where what is kept of all objects exceeds the caches, the
// partners of a block that are near each other in the order are fetched once per run instead of
// once per shift. Objects lie in the order at random, so that a pair is as likely as any other all
// the same.
const (
	runsFrom  = 1 << 17 // objects
	runLength = 10      // shifts a run
	runWidth  = 1 << 10 // positions that a run spreads over
)

// shifts draws k different shifts among n positions, ascending, each at least block from 0 and from
// n.
func shifts(rng *rand.Rand, n, block, k int) []int32 {
	if n < runsFrom {
		return draw.Rising(rng, block, n-block, k)
	}
	// Runs begin at multiples of their width, so that they do not meet.
	first := parallel.Count(block, runWidth)
	last := (n - block) / runWidth // the last whole run ends here
	starts := draw.Rising(rng, first, last-1, min(last-first, parallel.Count(k, runLength)))
	out := make([]int32, 0, k)
	for r, start := range starts {
		here := (r+1)*k/len(starts) - r*k/len(starts)
		lo := int(start) * runWidth
		out = append(out, draw.Rising(rng, lo, lo+runWidth-1, min(here, runWidth))...)
	}
	return out
}
