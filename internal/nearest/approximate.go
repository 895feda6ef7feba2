package nearest

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/kindred-go/kindred/internal/draw"
)

const (
	mostRounds  = 12  // of cutting into cells
	watched     = 200 // objects, at least, on which the recall is measured between rounds
	mostWatched = 2000
	exactFactor = 4 // times as much as all rounds an exact search may cost to be made instead
)

// roundFactor returns what a pair of a round costs, in pairs of an exact search: the fewer columns,
// the more it is what goes with a pair. Measured were 6 in 9 columns, 4 in 20, and 2 in 200.
func roundFactor(columns int) float64 {
	if columns == 0 {
		return 2
	}
	return 2 + 40/float64(columns)
}

// approximate cuts the objects into cells of objects near each other, round after round, compares
// all pairs of each cell, and ends when the recall of some objects is enough. Where an exact search
// costs less than what that would take, it makes one, so that data without structure are not
// searched in vain.
//
// A list holds the nearest of all that its object has been compared with. What these are depends on
// the seed and the data, and neither on threads nor on the order in which cells come.
func (s *searcher) approximate() error {
	workers := s.newComparers()
	rng := rand.New(rand.NewPCG(s.seed, 0x7ec))
	// What is missed is in few objects, so that a high recall takes many to be seen.
	wanted := min(mostWatched, s.n/4, max(watched, int(2/(1-s.recall))))
	of := draw.Rising(rng, 0, s.n-1, wanted)
	exact := newSearcher(s.ctx, s.src, len(of), s.k, s.threads, nil)
	if err := exact.meetAll(workers, of); err != nil {
		return err
	}
	all := float64(s.n) * float64(s.n)
	if workers.columns() > 0 {
		all /= 2
	}
	goal := s.recall + (1-s.recall)/10 // a standard error more
	var guards guards
	done := 0.0
	missed, fan := 1.0, mostCells
	for round := range mostRounds {
		before := done
		part := func(share float64) {
			done = before + (1-before)/2*share
			s.progress(done)
		}
		v := newCarver(s, workers, rand.New(rand.NewPCG(s.seed, uint64(round))))
		if err := v.carve(fan); err != nil {
			return err
		}
		if err := v.join(&guards, part); err != nil {
			return err
		}
		last := missed
		missed = 1 - hits(exact.out, s.out, of)
		if missed <= 1-goal {
			break
		}
		need := math.Inf(1) // rounds, when each finds that share of what is missed
		if missed < last {
			need = math.Log((1-goal)/missed) / math.Log(missed/last)
		}
		left := float64(mostRounds - round - 1)
		cost := roundFactor(workers.columns()) * v.pairs
		if need <= left && cost*need >= all || need > left && all <= exactFactor*mostRounds*cost {
			s.out.Search = Exact
			report := s.progress
			s.progress = func(share float64) { report(done + (1-done)*share) }
			return s.allPairs(workers)
		}
		if fan = mostCells; need < 0.5 {
			fan = 1
		}
	}
	s.progress(1)
	return nil
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

// join compares all pairs of each cell. Progress receives the share of cells that are done.
func (v *carver) join(guards *guards, progress func(share float64)) error {
	cells := searcher{ctx: v.ctx, n: len(v.cells), threads: v.threads, progress: progress}
	return cells.blocks(1, func(b, _ int) {
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
				c.reach[t] = mine.reach(c.e)
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
