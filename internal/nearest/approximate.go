package nearest

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	mostRounds  = 12  // of cutting into cells
	watched     = 200 // objects on which the recall is measured between rounds
	recallGoal  = .96 // recall of these that is enough
	roundFactor = 2   // what a pair of a round costs, in pairs of an exact search
	exactFactor = 4   // times as much as all rounds an exact search may cost to be made instead
)

// approximate cuts the objects into cells of objects near each other, round after round, compares
// all pairs of each cell, and ends when the recall of some objects is enough. Where an exact search
// costs less than what that would take, it makes one, so that data without structure are not
// searched in vain.
//
// A list holds the nearest of all that its object has been compared with. What these are depends on
// the seed and the data, and neither on threads nor on the order in which cells come.
func (s *searcher) approximate() (*Neighbours, error) {
	workers := s.newComparers()
	rng := rand.New(rand.NewPCG(s.seed, 0x7ec))
	of := draw.Rising(rng, 0, s.n-1, watched)
	exact, err := AllPairs(s.ctx, s.src, of, s.k, s.threads, nil)
	if err != nil {
		return nil, err
	}
	all := float64(s.n) * float64(s.n)
	if workers.columns() > 0 {
		all /= 2
	}
	var guards guards
	missed := 1.0
	for round := range mostRounds {
		v := newCarver(s, workers, rand.New(rand.NewPCG(s.seed, uint64(round))))
		if err := v.carve(); err != nil {
			return nil, err
		}
		if err := v.join(&guards); err != nil {
			return nil, err
		}
		last := missed
		missed = 1 - hits(exact, s.out, of)
		if missed <= 1-recallGoal {
			break
		}
		need := math.Inf(1) // rounds, when each finds that share of what is missed
		if missed < last {
			need = math.Log((1-recallGoal)/missed) / math.Log(missed/last)
		}
		left := float64(mostRounds - round - 1)
		cost := roundFactor * v.pairs
		if need <= left && cost*need >= all || need > left && all <= exactFactor*mostRounds*cost {
			return AllPairs(s.ctx, s.src, nil, s.k, s.threads, s.progress)
		}
		s.progress(1 / (1 + min(need, left)/float64(round+1)))
	}
	return s.out, nil
}

// hits returns the share of neighbours found of some objects that are no farther than their last
// true one.
func hits(exact, found *Neighbours, of []int32) float64 {
	hit, k := 0, found.K
	for t, i := range of {
		last := exact.Dist[(t+1)*k-1]
		for _, d := range found.Dist[int(i)*k:][:k] {
			if d <= last {
				hit++
			}
		}
	}
	return float64(hit) / float64(len(of)*k)
}

// guards let one goroutine at a time have the list of an object.
type guards [256]sync.Mutex

func (g *guards) of(i int32) *sync.Mutex { return &g[i%256] }

// join compares all pairs of each cell.
func (v *carver) join(guards *guards) error {
	return parallel.Blocks(v.ctx, len(v.cells), 1, v.threads, func(b, _, _ int) {
		cell := v.cells[b]
		v.workers.with(func(c *comparer) {
			c.take(cell, v.k)
			for t, i := range cell {
				lock := guards.of(i)
				lock.Lock()
				mine, known := c.lists.list(t), v.list(int(i))
				copy(mine.index, known.index)
				copy(mine.dist, known.dist)
				lock.Unlock()
				c.reach[t] = c.reachOf(mine)
			}
			c.join(v.ctx)
			for t, i := range cell {
				lock := guards.of(i)
				lock.Lock()
				mine := v.list(int(i))
				for q, j := range c.lists.list(t).index {
					d := c.lists.list(t).dist[q]
					if j < 0 || d > mine.worst() {
						break
					}
					mine.add(j, d)
				}
				lock.Unlock()
			}
		})
	})
}
