package nearest

import (
	"math"
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
	to, err := v.led(of, lead, fan)
	if err != nil {
		return nil, err
	}
	return gathered(of, to, leaders), nil
}

// shortlist is how many times as many leaders as there are heads an object meets.
const shortlist = 8

// led returns for each object the numbers of the fan leaders nearest to it, or of vectors about
// those: where leaders are many, some of them are heads, and a vector meets the leaders that are
// nearest to its head.
func (v *carver) led(of, lead []int32, fan int) ([]int32, error) {
	heads := make([]int32, int(math.Sqrt(float64(len(lead)))))
	some := shortlist * len(heads)
	if v.workers.columns() == 0 || some >= len(lead)/2 {
		return v.closest(of, lead, fan)
	}
	for t := range heads {
		heads[t] = lead[t*len(lead)/len(heads)]
	}
	near, err := v.closest(heads, lead, some)
	if err != nil {
		return nil, err
	}
	head, err := v.closest(of, heads, 1)
	if err != nil {
		return nil, err
	}
	parts := gathered(disjoint.Singletons(len(of)), head, len(heads)) // places in of
	type block struct {
		head  int
		place []int32
	}
	var blocks []block
	for h, part := range parts {
		for place := range slices.Chunk(part, splitRows) {
			blocks = append(blocks, block{h, place})
		}
	}
	v.pairs += float64(len(of)) * float64(some)
	to := make([]int32, len(of)*fan)
	err = parallel.Blocks(v.ctx, len(blocks), 1, v.threads, func(b, _, _ int) {
		h, place := blocks[b].head, blocks[b].place
		numbers := near[h*some : (h+1)*some]
		rows, leaders := pick(of, place), pick(lead, numbers)
		v.workers.with(func(c *comparer) {
			c.take(rows, fan)
			c.meetAll(v.ctx, leaders, true)
			for t, i := range place {
				copy(to[int(i)*fan:], pick(numbers, c.lists.out.Index[t*fan:(t+1)*fan]))
			}
		})
	})
	return to, err
}

// closest returns for each object the places of the k nearest among some.
func (v *carver) closest(of, some []int32, k int) ([]int32, error) {
	v.pairs += float64(len(of)) * float64(len(some))
	out := make([]int32, len(of)*k)
	err := parallel.Blocks(v.ctx, len(of), splitRows, v.threads, func(_, lo, hi int) {
		v.workers.with(func(c *comparer) {
			c.take(of[lo:hi], k)
			c.meetAll(v.ctx, some, true)
			copy(out[lo*k:], c.lists.out.Index)
		})
	})
	return out, err
}

// gathered returns the objects of each of some parts: to has as many parts of each object as there
// are for each of the others.
func gathered(of, to []int32, count int) [][]int32 {
	size, each := make([]int, count), len(to)/len(of)
	for _, l := range to {
		size[l]++
	}
	parts := make([][]int32, count)
	for l, m := range size {
		parts[l] = make([]int32, 0, m)
	}
	for t, l := range to {
		parts[l] = append(parts[l], of[t/each])
	}
	return parts
}

// pick returns the values at some places.
func pick(values, places []int32) []int32 {
	out := make([]int32, len(places))
	for t, i := range places {
		out[t] = values[i]
	}
	return out
}
