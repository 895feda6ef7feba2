package nearest

import (
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/parallel"
)

// carver cuts objects into cells of objects near each other: some objects drawn at random lead, and
// each object goes to the cells of those nearest to it (as PiPNN does: T. Rubel et al., 2026). Cells
// that are too large are cut again.
type carver struct {
	*searcher
	workers comparers
	rng     *rand.Rand
	most    int // objects of a cell
	share   int // objects that one of them leads, on average
	leaders int // most of them
	cells   [][]int32
	pairs   float64 // pairs of objects that are compared in cutting and in cells
}

// mostCells is the number of cells that an object is in, but for rounds that have little to find.
const mostCells = 2

// newCarver returns one for cells that fit a cache; for objects that are no vectors, for cells
// that make fewer pairs.
func newCarver(s *searcher, workers comparers, rng *rand.Rand) *carver {
	v := &carver{searcher: s, workers: workers, rng: rng, share: 150, leaders: 4000}
	if d := workers.columns(); d > 0 {
		v.most = min(2048, max(512, sweepBytes/4/d))
	} else {
		v.most, v.share, v.leaders = 256, 60, 200
	}
	return v
}

// carve makes the cells; an object is in fan of them.
func (v *carver) carve(fan int) error {
	type task struct {
		of  []int32
		fan int // cells of each object
	}
	queue := []task{{disjoint.Singletons(v.n), fan}}
	for len(queue) > 0 {
		t := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		m := len(t.of)
		if m <= v.most {
			if m > 1 {
				v.cells = append(v.cells, t.of)
				v.pairs += float64(m) * float64(m-1) / 2
			}
			continue
		}
		parts, err := v.split(t.of, min(v.leaders, max(2*mostCells, m/v.share)), t.fan)
		if err != nil {
			return err
		}
		for _, p := range parts {
			if len(p) < m-m/4 {
				queue = append(queue, task{p, 1})
				continue
			}
			// Most of them are as near to one as to another: any pieces do.
			for piece := range slices.Chunk(p, v.most) {
				queue = append(queue, task{piece, 1})
			}
		}
	}
	return nil
}

// splitRows is the number of objects of a block that meets all leaders.
const splitRows = 16 * pieceRows

// split returns the objects that each of some leaders leads.
func (v *carver) split(of []int32, leaders, fan int) (parts [][]int32, err error) {
	lead := make([]int32, leaders)
	for t, at := range draw.Few(v.rng, len(of), leaders) {
		lead[t] = of[at]
	}
	v.pairs += float64(leaders) * float64(len(of))
	to := make([]int32, len(of)*fan)
	err = parallel.Blocks(v.ctx, len(of), splitRows, v.threads, func(_, lo, hi int) {
		v.workers.with(func(c *comparer) {
			c.take(of[lo:hi], fan)
			c.meetAll(v.ctx, lead, true)
			copy(to[lo*fan:], c.lists.out.Index)
		})
	})
	if err != nil {
		return nil, err
	}
	size := make([]int, leaders)
	for _, l := range to {
		size[l]++
	}
	parts = make([][]int32, leaders)
	for l, m := range size {
		parts[l] = make([]int32, 0, m)
	}
	for t, l := range to {
		parts[l] = append(parts[l], of[t/fan])
	}
	return parts, nil
}
