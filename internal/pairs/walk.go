// Package pairs walks over pairs by distance, window by window, so that there is no list of all.
package pairs

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Pair is two numbers A < B and their distance.
type Pair struct {
	D    float64
	A, B int32
}

// Compare orders pairs by distance, ties by number.
func (p Pair) Compare(q Pair) int {
	return cmp.Or(cmp.Compare(p.D, q.D), cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
}

// Each calls do for pairs A < B of n things in order of number: for all, or for those alone that
// may still be wanted.
type Each func(ctx context.Context, all bool, do func(Pair)) error

// Walk goes once over pairs in the order of [Pair.Compare]. The first window has all of its pairs
// and is kept for [Walk.Rewind]; those after it hold only pairs that may still be wanted when they
// are filled. It is not safe for concurrent use.
type Walk struct {
	Target int // pairs that a window aims to hold; it holds four times as many at most

	total  int
	each   Each
	window []Pair // sorted
	from   uint64 // place of the window in the order
	done   Pair   // pairs up to it are in the window or before it
	first  []Pair // the first window; nil: it was not filled yet
	reach  Pair   // what done was under it
	later  []Pair // memory of the other windows
	sample []float64
}

var (
	start = Pair{D: math.Inf(-1)}
	end   = Pair{D: math.Inf(1), A: math.MaxInt32}
)

// New returns a walk over pairs of n things, which each lists.
func New(n, target int, each Each) *Walk {
	return &Walk{Target: target, total: n * (n - 1) / 2, each: each, done: start}
}

// Whole reports whether one window holds all pairs.
func (w *Walk) Whole() bool { return w.total <= w.Target }

// Rewind goes back to the closest pair.
func (w *Walk) Rewind() {
	w.window, w.from, w.done = nil, 0, start
	if w.first != nil {
		w.window, w.done = w.first, w.reach
	}
}

// At returns the pair at a place of the order, from 0; ok is false beyond its end. It rewinds for a
// place before the window.
func (w *Walk) At(ctx context.Context, place uint64) (p Pair, ok bool, err error) {
	if place < w.from {
		w.Rewind()
	}
	for place >= w.from+uint64(len(w.window)) {
		if w.done == end {
			return p, false, nil
		}
		if err := w.advance(ctx); err != nil {
			w.Rewind()
			return p, false, err
		}
	}
	return w.window[place-w.from], true, nil
}

// advance fills the window with the next pairs.
func (w *Walk) advance(ctx context.Context) error {
	bound, err := w.bound(ctx)
	if err != nil {
		return err
	}
	w.from += uint64(len(w.window))
	window, last := w.later[:0], Pair{D: bound, A: math.MaxInt32}
	err = w.each(ctx, w.first == nil, func(p Pair) {
		if w.done.Compare(p) >= 0 || p.Compare(last) > 0 {
			return
		}
		if window = append(window, p); len(window) >= 4*w.Target { // many at one distance
			slices.SortFunc(window, Pair.Compare)
			window = window[:w.Target]
			last = window[w.Target-1]
		}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(window, Pair.Compare)
	w.window, w.done = window, last
	if w.first == nil {
		w.first, w.reach = slices.Clip(window), last
	} else {
		w.later = window
	}
	return nil
}

// bound returns a distance up to which about Target pairs remain, from a sample of one in many.
func (w *Walk) bound(ctx context.Context) (float64, error) {
	if w.Whole() {
		return math.Inf(1), nil
	}
	stride := max(1, w.total>>17) | 1
	seen, left := 0, 0
	w.sample = w.sample[:0]
	err := w.each(ctx, w.first == nil, func(p Pair) {
		if seen++; w.done.Compare(p) >= 0 {
			return
		}
		if left++; seen%stride == 0 {
			w.sample = append(w.sample, p.D)
		}
	})
	if left <= w.Target || len(w.sample) == 0 {
		return math.Inf(1), err
	}
	slices.Sort(w.sample)
	return w.sample[min(len(w.sample)-1,
		int(float64(len(w.sample))*float64(w.Target)/float64(left)))], err
}
