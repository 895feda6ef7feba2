package kin

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/internal/parallel"
)

// dying is the share of a node's weight that leads out of the graph, where walks die.
const dying = 0.02

// trifle is how much of a walk is not looked at: what comes to less changes no question.
const trifle = 1e-7

// morsel is the trifle where each walk is followed on its own, as many walks end near where they
// start.
const morsel = 1e-5

// walk is a random walk on a graph that ends at some nodes.
type walk struct {
	*graph
	// for each node that ends no walk, how often a walk from it visits the others before any of
	// ends does, over their weight; rows are replaced and never changed
	open [][]entry
	hits [][]entry // for each node, the probability that the walk from it ends at each of ends
	ends []int     // nodes that end walks, in the order they came
	at   []int     // place of each node in ends, or −1
}

// walk is the walk that ends at some nodes: (1 + dying)·D − W of the others, inverted.
func (g *graph) walk(ctx context.Context, ends []int) (*walk, error) {
	w := &walk{graph: g, open: make([][]entry, g.m), hits: make([][]entry, g.m),
		ends: slices.Clone(ends), at: slices.Repeat([]int{-1}, g.m)}
	for l, i := range ends {
		w.at[i], w.hits[i] = l, []entry{{int32(l), 1}}
	}
	// Where walks are short each is followed on its own.
	const few, short = 600, 8
	if free := g.m - len(ends); free <= few || short*len(ends) < g.m {
		return w, w.invert(ctx)
	}
	return w, w.follow(ctx)
}

// leaving is the weight of all that leads away from a node.
func (g *graph) leaving(i int) float64 { return float64((1+dying)*total(g.joined[i])) + 1e-9 }

// invert finds all walks by Gauss–Jordan in place, which needs no pivots as the diagonal dominates.
func (w *walk) invert(ctx context.Context) error {
	var free []int
	place := make([]int, w.m)
	for i, l := range w.at {
		if l < 0 {
			place[i] = len(free)
			free = append(free, i)
		}
	}
	n := len(free)
	a := make([]float64, n*n)
	for t, i := range free {
		for _, e := range w.joined[i] {
			if w.at[e.at] < 0 {
				a[t*n+place[e.at]] = -e.v
			}
		}
		a[t*n+t] = w.leaving(i)
	}
	for k := range n {
		if k%16 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		top := a[k*n : (k+1)*n]
		p := 1 / top[k]
		top[k] = 1
		for j := range top {
			top[j] *= p
		}
		eachRow(n, w.threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				row := a[i*n : (i+1)*n]
				f := row[k]
				if i == k || f == 0 {
					continue
				}
				row[k] = 0
				for j, t := range top {
					row[j] -= float64(f * t)
				}
			}
		})
	}
	hits := newScatter(len(w.ends))
	for t, i := range free {
		if t%32 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row := a[t*n : (t+1)*n]
		for s, v := range row {
			if v <= trifle*row[t] {
				continue
			}
			w.open[i] = append(w.open[i], entry{int32(free[s]), v})
			for _, e := range w.joined[free[s]] {
				if l := w.at[e.at]; l >= 0 {
					hits.add(int32(l), float64(v*e.v))
				}
			}
		}
		w.hits[i] = hits.take(nil, trifle)
	}
	return nil
}

// eachRow calls do for the rows of a matrix, in blocks at the same time where there are many.
func eachRow(n, threads int, do func(lo, hi int)) {
	const many, block = 512, 64
	if n < many {
		do(0, n)
		return
	}
	inBlocks(n, block, threads, do)
}

// inBlocks calls do for blocks of so many items at the same time. It ends soon, and cannot be
// cancelled: what it makes is made whole.
func inBlocks(n, size, threads int, do func(lo, hi int)) {
	_ = parallel.Blocks(context.Background(), n, size, threads,
		func(_, lo, hi int) { do(lo, hi) })
}

// follow finds each walk by moving on what has come to a node, until no more than a trifle is
// anywhere.
func (w *walk) follow(ctx context.Context) error {
	leaving := make([]float64, w.m)
	for i := range leaving {
		leaving[i] = w.leaving(i)
	}
	return parallel.Blocks(ctx, w.m, 256, w.threads, func(_, lo, hi int) {
		visits, hits := newScatter(w.m), newScatter(len(w.ends))
		here, waits := make([]float64, w.m), make([]bool, w.m)
		var queue []int32
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			if w.at[i] >= 0 {
				continue
			}
			queue = append(queue[:0], int32(i))
			here[i] = 1
			for next := 0; next < len(queue); next++ {
				k := queue[next]
				v := here[k] / leaving[k]
				here[k], waits[k] = 0, false
				visits.add(k, v)
				for _, e := range w.joined[k] {
					if l := w.at[e.at]; l >= 0 {
						hits.add(int32(l), float64(v*e.v))
						continue
					}
					here[e.at] += float64(v * e.v)
					if here[e.at] > morsel && !waits[e.at] {
						waits[e.at] = true
						queue = append(queue, e.at)
					}
				}
			}
			for _, k := range visits.in {
				for _, e := range w.joined[k] {
					here[e.at] = 0
				}
			}
			w.open[i] = visits.take(nil, morsel*visits.v[i])
			w.hits[i] = hits.take(nil, morsel)
		}
	})
}

func (w *walk) clone() *walk {
	out := *w
	out.open, out.hits = slices.Clone(w.open), slices.Clone(w.hits)
	out.ends, out.at = slices.Clone(w.ends), slices.Clone(w.at)
	return &out
}

// end makes node i end walks.
func (w *walk) end(i int) {
	row, own := w.open[i], w.hits[i]
	l, all := int32(len(w.ends)), value(row, i)
	for _, e := range row {
		j := int(e.at)
		if j == i || w.at[j] >= 0 {
			continue
		}
		r := e.v / all
		w.open[j] = minus(w.open[j], r, row, int32(i), trifle*greatest(w.open[j]))
		w.hits[j] = append(minus(w.hits[j], r, own, -1, trifle), entry{l, r})
	}
	w.open[i], w.hits[i], w.at[i] = nil, []entry{{l, 1}}, int(l)
	w.ends = append(w.ends, i)
}

// on lets a walk with the same ends go on another graph.
func (w *walk) on(ctx context.Context, g *graph) (*walk, error) { return g.walk(ctx, w.ends) }

// surroundings calls do with the probability that the walk from one of ends goes on to each of the
// others, if it does not stop where it starts, but where it comes back.
func (w *walk) surroundings(l int, do func(other int, v float64)) {
	joined := w.joined[w.ends[l]]
	degree := total(joined)
	for _, e := range joined {
		for _, h := range w.hits[e.at] {
			if int(h.at) != l {
				do(int(h.at), float64(e.v*h.v)/degree)
			}
		}
	}
}
