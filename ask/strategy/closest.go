package strategy

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

const (
	// MostClosest is the number of rows up to which closest-pairs can walk over all pairs.
	MostClosest = 10_000
	windowPairs = 1 << 20 // pairs that a window aims to hold: 16 MB, and four times that at most
)

// pair is two rows and their distance.
type pair struct {
	d    float64
	a, b int32
}

func (p pair) compare(q pair) int {
	return cmp.Or(cmp.Compare(p.d, q.d), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
}

// closest asks about all pairs, the closest first, ties by row: COBRA's Table 1, "closest pairs
// first". Pairs are sorted window by window, so that there is no list of all.
type closest struct {
	distances
	n      int
	window []pair
	from   uint64 // place of the window in the order
	done   pair   // the last pair of the window: those up to it are in the window or before it
	sample []float64
	row    []float64
	passed passed
	target int
}

func newClosest(cfg Config) (ask.Chooser, error) {
	if n := cfg.n(); n > MostClosest {
		return nil, &fault.Input{
			Problem: fmt.Sprintf("closest-pairs walks over all pairs, and there are %d rows", n),
			Fix: fmt.Sprintf("give at most %d, or ask by --strategy minmax or random-order",
				MostClosest),
		}
	}
	c := &closest{distances: distances{cfg: cfg}, n: cfg.n(), row: make([]float64, cfg.n()),
		target: windowPairs}
	c.rewind()
	return c, nil
}

func (c *closest) rewind() { c.window, c.from, c.done = nil, 0, pair{d: math.Inf(-1)} }

func (c *closest) Questions(ctx context.Context, known *ask.Ledger, most int) ([]ask.Prompt,
	error) {
	at := c.passed.since(known)
	if at < c.from {
		c.rewind()
	}
	set := known.Set()
	var found []ask.Prompt
	for ; len(found) < most; at++ {
		if at%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for at >= c.from+uint64(len(c.window)) {
			more, err := c.advance(ctx)
			if err != nil {
				return nil, err
			}
			if !more {
				return found, nil
			}
		}
		p := c.window[at-c.from]
		a, b := int(p.a), int(p.b)
		if set.Relation(a, b) != link.Unknown || known.Out(a) || known.Out(b) {
			continue
		}
		if _, said := known.Answered(a, b); said {
			continue
		}
		if len(found) == 0 {
			c.passed.remember(known, at)
		}
		found = append(found, ask.Prompt{Question: link.Question{A: a, B: b,
			Why: "these two are the closest of those that no answer compares yet"}})
	}
	return found, nil
}

func (c *closest) Remaining(known *ask.Ledger) (likely, most int) { return pairwise(known) }

// advance fills the window with the next pairs; false at the end.
func (c *closest) advance(ctx context.Context) (bool, error) {
	bound, err := c.bound(ctx)
	if err != nil {
		return false, err
	}
	c.from += uint64(len(c.window))
	window := c.window[:0]
	last := pair{d: bound, a: math.MaxInt32}
	err = c.each(ctx, func(p pair) {
		if c.done.compare(p) >= 0 || p.compare(last) > 0 {
			return
		}
		if window = append(window, p); len(window) >= 4*c.target { // many at one distance
			slices.SortFunc(window, pair.compare)
			window = window[:c.target]
			last = window[c.target-1]
		}
	})
	if err != nil {
		c.rewind()
		return false, err
	}
	if slices.SortFunc(window, pair.compare); len(window) > 0 {
		c.done = window[len(window)-1]
	}
	c.window = window
	return len(window) > 0, nil
}

// bound is a distance up to which about target pairs remain, from a sample of one pair in many.
func (c *closest) bound(ctx context.Context) (float64, error) {
	total := c.n * (c.n - 1) / 2
	if total <= c.target {
		return math.Inf(1), nil
	}
	stride := max(1, total>>17) | 1
	seen, left := 0, 0
	c.sample = c.sample[:0]
	err := c.each(ctx, func(p pair) {
		if seen++; c.done.compare(p) >= 0 {
			return
		}
		if left++; seen%stride == 0 {
			c.sample = append(c.sample, p.d)
		}
	})
	if left <= c.target || len(c.sample) == 0 {
		return math.Inf(1), err
	}
	slices.Sort(c.sample)
	return c.sample[min(len(c.sample)-1,
		int(float64(len(c.sample))*float64(c.target)/float64(left)))], err
}

// each calls do for every pair a < b, in order of index.
func (c *closest) each(ctx context.Context, do func(pair)) error {
	for a := range c.n {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.to(c.row, a, nil)
		for b := a + 1; b < c.n; b++ {
			do(pair{c.row[b], int32(a), int32(b)})
		}
	}
	return nil
}
