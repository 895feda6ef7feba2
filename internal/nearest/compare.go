package nearest

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// comparer compares the objects of a block, which may be anywhere in a source, with each other or
// with other objects. Goroutines need one each.
type comparer struct {
	src   dissim.Source
	e     dissim.Embedding
	sweep *Sweep      // nil: bounds are of no use, and all pairs are looked at
	pairs *simd.Pairs // of sweep

	block  []int32
	lists  searcher       // of the block
	reach  []float32      // of each list, see [Half]
	rows   dataset.Matrix // of the block, and their dissimilarities
	among  dissim.Source
	own    gatherer  // of the rows of the block,
	other  gatherer  // and of those that it meets
	within []int32   // positions in the block of what an object is compared with
	of     []int32   // the same objects
	d      []float32 // their dissimilarities
}

// comparers are those that are free.
type comparers chan *comparer

// newComparers returns one for each thread.
func (s *searcher) newComparers() comparers {
	var sweep *Sweep
	e, ok := dissim.Embed(s.src)
	if ok {
		sweep = NewSweep(e.Vectors, s.threads)
	}
	free := make(comparers, parallel.Threads(s.threads))
	for range cap(free) {
		c := &comparer{src: s.src, e: e, sweep: sweep}
		if sweep != nil {
			c.pairs = simd.NewPairs(sweep.x.Cols)
		}
		free <- c
	}
	return free
}

// with calls do with one that nobody else has meanwhile.
func (free comparers) with(do func(*comparer)) {
	c := <-free
	defer func() { free <- c }()
	do(c)
}

// sweep returns the sweep that bounds are computed with; nil: there are no bounds.
func (free comparers) sweep() (sweep *Sweep) {
	free.with(func(c *comparer) { sweep = c.sweep })
	return sweep
}

// embedding returns that of the vectors that are compared.
func (free comparers) embedding() (e dissim.Embedding) {
	free.with(func(c *comparer) { e = c.e })
	return e
}

// columns returns the number of columns of the vectors that are compared; 0: there are none. Unlike
// the sweep, it is the same on all machines.
func (free comparers) columns() int { return free.embedding().Vectors.Cols }

// pieceRows is how many objects a block meets at a time.
const pieceRows = simd.TileRows

// take makes some objects the block, with empty lists of k places.
func (c *comparer) take(block []int32, k int) {
	c.block = block
	n := len(block)
	if c.lists.out == nil {
		c.lists.out = &Neighbours{}
	}
	c.lists.k = k
	c.lists.out.empty(n, k)
	c.reach = slices.Grow(c.reach[:0], n)[:n]
	for t := range c.reach {
		c.reach[t] = math.MaxFloat32
	}
	if c.sweep != nil {
		c.rows = c.own.of(c.sweep.x, block)
		c.among = c.e.Among(c.rows)
		c.sweep.loadRows(c.pairs, true, c.rows, 0, n)
	}
}

// gatherer holds copies of some rows of a matrix.
type gatherer struct{ copies dataset.Matrix }

// of returns some rows of x: themselves where they follow one another, else copies.
func (g *gatherer) of(x dataset.Matrix, rows []int32) dataset.Matrix {
	d := x.Cols
	out := dataset.Matrix{Rows: len(rows), Cols: d}
	if lo, ok := run(rows); ok {
		if x.Single() {
			out.F32 = x.F32[lo*d : (lo+len(rows))*d]
		} else {
			out.F64 = x.F64[lo*d : (lo+len(rows))*d]
		}
		return out
	}
	if x.Single() {
		out.F32 = slices.Grow(g.copies.F32[:0], len(rows)*d)
		for _, i := range rows {
			out.F32 = append(out.F32, x.F32[int(i)*d:][:d]...)
		}
	} else {
		out.F64 = slices.Grow(g.copies.F64[:0], len(rows)*d)
		for _, i := range rows {
			out.F64 = append(out.F64, x.F64[int(i)*d:][:d]...)
		}
	}
	g.copies = out
	return out
}

// run returns the first of some rows, and reports whether they follow one another.
func run(rows []int32) (first int, ok bool) {
	for t, i := range rows {
		if i != rows[0]+int32(t) {
			return 0, false
		}
	}
	return int(rows[0]), true
}

// join compares all pairs of the block, and keeps for each object the nearest of the others and of
// those that its list holds. It ends early when ctx is done.
func (c *comparer) join(ctx context.Context) {
	n := len(c.block)
	for lo := 0; lo < n && ctx.Err() == nil; lo += pieceRows {
		hi := min(n, lo+pieceRows)
		if c.sweep == nil {
			for j := lo; j < hi; j++ {
				c.within = c.within[:0]
				for i := range j {
					c.within = append(c.within, int32(i))
				}
				c.meet(j)
			}
			continue
		}
		c.sweep.loadRows(c.pairs, false, c.rows, lo, hi)
		c.pairs.Near(c.reach[:hi], c.reach[lo:hi], func(j, first int, mask uint64, low []float32) {
			j += lo
			reach := c.reach[j]
			c.within = c.within[:0]
			for ; mask != 0; mask &= mask - 1 {
				t := bits.TrailingZeros64(mask)
				if i := first + t; i < j && low[t] <= max(reach, c.reach[i]) {
					c.within = append(c.within, int32(i))
				}
			}
			c.meet(j)
		})
	}
}

// meet compares an object of the block with those at some positions.
func (c *comparer) meet(j int) {
	if len(c.within) == 0 {
		return
	}
	c.d = slices.Grow(c.d[:0], len(c.within))[:len(c.within)]
	id := c.block[j]
	if c.sweep != nil {
		c.among.Row(c.d, j, c.within)
	} else {
		c.of = c.of[:0]
		for _, t := range c.within {
			c.of = append(c.of, c.block[t])
		}
		c.src.Row(c.d, int(id), c.of)
	}
	mine, changed := c.lists.list(j), false
	for t, v := range c.d {
		i := int(c.within[t])
		changed = mine.add(c.block[i], v) || changed
		if l := c.lists.list(i); l.add(id, v) {
			c.reach[i] = l.reach(c.e)
		}
	}
	if changed {
		c.reach[j] = mine.reach(c.e)
	}
}

// meetAll compares the block with some objects, and takes these into its lists by their place in
// some; but an object that is itself among them only where self is set. It ends early when ctx is
// done.
func (c *comparer) meetAll(ctx context.Context, some []int32, self bool) {
	if c.sweep == nil {
		c.meetUnbound(ctx, some, self)
		return
	}
	for lo := 0; lo < len(some) && ctx.Err() == nil; lo += pieceRows {
		piece := some[lo:min(len(some), lo+pieceRows)]
		c.sweep.loadRows(c.pairs, false, c.other.of(c.sweep.x, piece), 0, len(piece))
		c.pairs.Near(c.reach, nil, func(j, first int, mask uint64, low []float32) {
			c.of, c.within = c.of[:0], c.within[:0]
			for ; mask != 0; mask &= mask - 1 {
				t := bits.TrailingZeros64(mask)
				if i := first + t; low[t] <= c.reach[i] {
					c.of, c.within = append(c.of, c.block[i]), append(c.within, int32(i))
				}
			}
			if len(c.of) > 0 {
				c.receive(piece[j], int32(lo+j), self)
			}
		})
	}
}

// receive compares an object with those of, which are at the positions within of the block.
func (c *comparer) receive(id, place int32, self bool) {
	c.d = slices.Grow(c.d[:0], len(c.of))[:len(c.of)]
	c.src.Row(c.d, int(id), c.of)
	for t, v := range c.d {
		if c.of[t] == id && !self {
			continue
		}
		i := c.within[t]
		if l := c.lists.list(int(i)); l.add(place, v) {
			c.reach[i] = l.reach(c.e)
		}
	}
}

// unboundPiece is how many objects those of a block meet at a time where there are no bounds.
const unboundPiece = 1024

// meetUnbound is meetAll without bounds.
func (c *comparer) meetUnbound(ctx context.Context, some []int32, self bool) {
	for lo := 0; lo < len(some); lo += unboundPiece {
		piece := some[lo:min(len(some), lo+unboundPiece)]
		c.d = slices.Grow(c.d[:0], len(piece))[:len(piece)]
		for i, id := range c.block {
			if ctx.Err() != nil {
				return
			}
			c.src.Row(c.d, int(id), piece)
			l := c.lists.list(i)
			for t, v := range c.d {
				if v <= l.worst() && (self || piece[t] != id) {
					l.add(int32(lo+t), v)
				}
			}
		}
	}
}
