package nearest

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/parallel"
)

// AllPairs finds the k nearest others of some objects (nil: of all) by comparing them with all;
// list t is that of object of[t]. What is infinitely far is no neighbour: places that are left over
// have the index −1.
func AllPairs(ctx context.Context, src dissim.Source, of []int32, k, threads int,
	progress func(share float64)) (*Neighbours, error) {
	n, whole := len(of), of == nil
	if whole {
		n = src.Len()
	}
	s := newSearcher(ctx, src, n, k, threads, progress)
	if k == 0 {
		return s.out, ctx.Err()
	}
	workers := s.newComparers()
	if whole {
		return s.out, s.allPairs(workers)
	}
	return s.out, s.meetAll(workers, of)
}

// allPairs finds the neighbours of all objects.
func (s *searcher) allPairs(workers comparers) error {
	if workers.sweep() != nil && s.n >= sweepRows {
		return s.sweep(workers)
	}
	return s.meetAll(workers, disjoint.Singletons(s.n))
}

// meetAll finds the neighbours of some objects: every object of a block meets a piece of all before
// the next piece comes.
func (s *searcher) meetAll(workers comparers, of []int32) error {
	all := disjoint.Singletons(s.src.Len())
	block := min(64, max(4, len(of)/256))
	if workers.sweep() != nil {
		// Each block makes tiles of all objects.
		each := parallel.Count(len(of), parallel.Threads(s.threads))
		block = min(splitRows, parallel.Count(each, pieceRows)*pieceRows)
	}
	return s.blocks(block, func(lo, hi int) {
		workers.with(func(c *comparer) {
			c.take(of[lo:hi], s.k)
			c.meetAll(s.ctx, all, false)
			copy(s.out.Index[lo*s.k:], c.lists.out.Index)
			copy(s.out.Dist[lo*s.k:], c.lists.out.Dist)
		})
	})
}

// sweepRows is the number of rows from which on bounds of the distances save time.
const sweepRows = 256

// sweep finds the neighbours of all objects among the pairs that bounds do not rule out.
func (s *searcher) sweep(workers comparers) error {
	pairs, e := workers.sweep(), workers.embedding()
	reach := make([]float32, s.n) // lists may hold neighbours already, and be never changed
	for i := range reach {
		reach[i] = s.list(i).reach(e)
	}
	d := make([][]float32, parallel.Threads(s.threads))
	return pairs.Near(s.ctx, reach, s.progress, func(w, j int, within []int32, low []float32) {
		// Reaches may have become shorter since the bounds were found.
		at := 0
		for t, i := range within {
			if low[t] <= max(reach[i], reach[j]) {
				within[at] = i
				at++
			}
		}
		within = within[:at]
		d[w] = slices.Grow(d[w][:0], at)[:at]
		s.src.Row(d[w], j, within)
		mine := s.list(j)
		for t, i := range within {
			v := d[w][t]
			if mine.add(i, v) {
				reach[j] = mine.reach(e)
			}
			if other := s.list(int(i)); other.add(int32(j), v) {
				reach[i] = other.reach(e)
			}
		}
	})
}

// take adds those of some objects that are near enough to the list of object i, none of which it
// holds.
func (l list) take(i int32, js []int32, d []float32) {
	worst := l.worst()
	for t, v := range d[:len(js)] {
		if v <= worst && js[t] != i {
			l.add(js[t], v)
			worst = l.worst()
		}
	}
}

// inTree finds the neighbours of every row in a k-d tree, leaf after leaf.
func inTree(ctx context.Context, src dissim.Source, e dissim.Embedding, k, threads int,
	progress func(float64)) (*Neighbours, error) {
	x := e.Vectors
	t, err := Grow(ctx, x, threads)
	if err != nil {
		return nil, err
	}
	s := newSearcher(ctx, src, x.Rows, k, threads, progress)
	err = s.blocks(256, func(lo, hi int) {
		q := query{s: s, t: t, e: e, row: make([]float64, 0, x.Cols)}
		for _, i := range t.Order[lo:hi] {
			q.of = i
			q.row = x.AppendRow(q.row[:0], int(i))
			q.list = s.list(int(i))
			q.visit(0, 0)
		}
	})
	return s.out, err
}

// query is the search for the neighbours of one row.
type query struct {
	s    *searcher
	t    *Tree
	e    dissim.Embedding
	of   int32
	row  []float64
	list list
	d    [LeafRows]float32
}

// visit goes through a box that lies at least √gap away, the nearer half first.
func (q *query) visit(node int, gap float64) {
	if gap > q.e.Square(q.list.worst()) {
		return
	}
	if node < q.t.First {
		a, b, toA, toB := q.t.Nearer(q.row, node)
		q.visit(a, toA)
		q.visit(b, toB)
		return
	}
	js := q.t.Order[q.t.Low[node]:q.t.High[node]]
	q.s.src.Row(q.d[:len(js)], int(q.of), js)
	q.list.take(q.of, js, q.d[:len(js)])
}
