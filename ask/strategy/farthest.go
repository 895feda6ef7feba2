package strategy

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// farthest puts rows in the order of a farthest-first traversal: each is the farthest from all
// before it, ties by row. Which rows come does not depend on answers, so the order is kept and only
// ever grows.
type farthest struct {
	distances
	start []int  // rows that it starts from
	out   []bool // rows that it passes over
	order []int  // start, and the rows that follow
	// distance of each row to the nearest of order; −1 for those of order and those passed over
	least []float64
	row   []float64
}

func newFarthest(cfg Config) *farthest { return &farthest{distances: distances{cfg: cfg}} }

func (f *farthest) why() string { return "the first is far from all that was asked about before" }

// begin starts from some rows and passes over others. Where there is none to start from, one is
// drawn.
func (f *farthest) begin(start []int, out []bool) {
	if f.least != nil && slices.Equal(start, f.start) && slices.Equal(out, f.out) {
		return
	}
	n := len(out)
	f.start, f.out, f.order = slices.Clone(start), out, nil
	f.least, f.row = sized(f.least, n), sized(f.row, n)
	for i := range f.least {
		f.least[i] = math.Inf(1)
		if out[i] {
			f.least[i] = -1
		}
	}
	if len(start) > 0 || n == 0 {
		return
	}
	rng := rand.New(rand.NewPCG(f.cfg.Seed, 0x6661727468657374)) // "farthest"
	first := rng.IntN(n)
	for range n {
		if !out[first] {
			f.take(first)
			return
		}
		first = (first + 1) % n
	}
}

// at returns the row at a place of the order; ok is false at its end.
func (f *farthest) at(ctx context.Context, place int) (row int, ok bool, err error) {
	for len(f.order) <= place {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		if next := len(f.order); next < len(f.start) {
			f.take(f.start[next])
			continue
		}
		best := -1
		for i, d := range f.least {
			if d >= 0 && (best < 0 || d > f.least[best]) {
				best = i
			}
		}
		if best < 0 {
			return 0, false, nil
		}
		f.take(best)
	}
	return f.order[place], true, nil
}

func (f *farthest) take(row int) {
	f.order = append(f.order, row)
	f.to(f.row, row, nil)
	for i, d := range f.row {
		f.least[i] = min(f.least[i], d)
	}
	f.least[row] = -1
}
