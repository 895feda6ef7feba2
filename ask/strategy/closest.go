package strategy

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/pairs"
)

const (
	// MostClosest is the number of rows up to which closest-pairs can walk over all pairs.
	MostClosest = 10_000
	windowPairs = 1 << 20 // pairs that a window aims to hold: 16 MB, and four times that at most
)

// closest asks about all pairs, the closest first, ties by row: COBRA's Table 1, "closest pairs
// first". Pairs are sorted window by window, so that there is no list of all.
type closest struct {
	distances
	n      int
	walk   *pairs.Walk
	row    []float64
	passed passed
}

func newClosest(cfg Config) (ask.Chooser, error) {
	if n := cfg.n(); n > MostClosest {
		return nil, &fault.Input{
			Problem: fmt.Sprintf("closest-pairs walks over all pairs, and there are %d rows", n),
			Fix: fmt.Sprintf("give at most %d, or ask by --strategy minmax or random-order",
				MostClosest),
		}
	}
	c := &closest{distances: distances{cfg: cfg}, n: cfg.n(), row: make([]float64, cfg.n())}
	c.walk = pairs.New(c.n, windowPairs, c.each)
	return c, nil
}

func (c *closest) Questions(ctx context.Context, known *ask.Ledger, most int) ([]ask.Prompt,
	error) {
	return c.passed.open(ctx, known, most,
		"these two are the closest of those that no answer compares yet", true,
		func(at uint64) (a, b int, ok bool, err error) {
			p, ok, err := c.walk.At(ctx, at)
			return int(p.A), int(p.B), ok, err
		})
}

func (c *closest) Remaining(known *ask.Ledger) (likely, most int) { return pairwise(known) }

// each calls do for every pair a < b, in order of index.
func (c *closest) each(ctx context.Context, _ bool,
	do func(pairs.Pair)) error {
	for a := range c.n {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.to(c.row, a, nil)
		for b := a + 1; b < c.n; b++ {
			do(pairs.Pair{D: c.row[b], A: int32(a), B: int32(b)})
		}
	}
	return nil
}
