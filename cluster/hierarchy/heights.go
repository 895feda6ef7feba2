package hierarchy

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// members are the rows of a matrix in the order of the leaves of a tree, in which every cluster is
// a run of rows.
type members struct {
	linkage Linkage
	nodes   []node // of each join
	depth   []int32
	rows    *vectors // of which only the values count
}

// node is a join: its left part is the leaves from start to middle, its right part those up to end.
type node struct {
	start, middle, end int32
	parts              [2]int32 // joins that made them; −1: one row
	depth              int32    // joins above it
	far                float64  // height found from float32
}

// exact makes the heights of joins, found from float32, those of the rows in float64: the greatest
// distance of members under complete linkage, their mean under average, and the weighted mean under
// weighted linkage. Order has the row at each place.
func exact(ctx context.Context, data dataset.Matrix, l Linkage, joins []join, order []int32,
	threads int, progress func(share float64)) error {
	if len(joins) == 0 {
		return nil
	}
	m := newMembers(data, l, joins, order)
	// Large joins come in parts, whose results are added up in their order.
	type task struct{ join, lo, hi int32 }
	var tasks []task
	for k, e := range m.nodes {
		small, large := e.middle-e.start, e.end-e.middle
		if small > large {
			small, large = large, small
		}
		work := exactWork
		if l == Complete { // most of it is ruled out
			work *= 64
		}
		step := int32(max(1, min(work/(data.Cols*int(large)), math.MaxInt32/2)))
		for lo := int32(0); lo < small; lo += step {
			tasks = append(tasks, task{int32(k), lo, min(small, lo+step)})
		}
	}
	parts := make([]share, len(tasks))
	done := counted{total: float64(len(order)) * float64(len(order)-1) / 2, report: progress}
	err := parallel.Blocks(ctx, len(tasks), 4, threads, func(_, lo, hi int) {
		r := &reckoner{members: m, squares: make([]float64, exactPiece),
			weights: make([]float64, exactPiece)}
		r.kept.d = data.Cols
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			t := tasks[i]
			pairs := r.part(&parts[i], m.nodes[t.join], t.lo, t.hi)
			done.add(pairs)
		}
	})
	if err != nil {
		return err
	}
	far, at := make([]float64, len(joins)), 0
	for k, e := range m.nodes {
		whole := parts[at]
		for at++; at < len(tasks) && tasks[at].join == int32(k); at++ {
			whole.square = max(whole.square, parts[at].square)
			whole.sum.Plus(&parts[at].sum, 1)
		}
		switch far[k] = whole.sum.Value(); l {
		case Complete:
			far[k] = math.Sqrt(whole.square)
		case Average:
			far[k] /= float64(e.middle-e.start) * float64(e.end-e.middle)
		}
		for _, part := range e.parts {
			if part >= 0 {
				far[k] = max(far[k], far[part]) // what float32 could not tell apart
			}
		}
		joins[k].height = far[k]
	}
	return nil
}

const (
	exactPiece = 512     // rows that others are compared with at a time
	exactWork  = 1 << 22 // differences of values in a task
)

func newMembers(data dataset.Matrix, l Linkage, joins []join, order []int32) *members {
	n, d := len(order), data.Cols
	m := &members{linkage: l, nodes: make([]node, len(joins)), depth: make([]int32, n)}
	up, last, size := disjoint.Singletons(n), make([]int32, n), make([]int32, n)
	for i := range last {
		last[i], size[i] = -1, 1
	}
	single := make([][2]int32, len(joins)) // places of parts that are one row
	for k, j := range joins {
		a, b := up.Root(j.a), up.Root(j.b)
		m.nodes[k] = node{middle: size[a], end: size[a] + size[b], parts: [2]int32{last[a], last[b]},
			far: j.height}
		single[k] = [2]int32{j.a, j.b}
		up[a] = b
		last[b], size[b] = int32(k), size[a]+size[b]
	}
	leaves := make([]int32, n) // place of each
	for k := len(joins) - 1; k >= 0; k-- {
		e := &m.nodes[k]
		e.middle += e.start
		e.end += e.start
		for side, at := range [2]int32{e.start, e.middle} {
			if part := e.parts[side]; part >= 0 {
				m.nodes[part].start, m.nodes[part].depth = at, e.depth+1
			} else {
				leaves[at], m.depth[at] = single[k][side], e.depth+1
			}
		}
	}
	m.rows = &vectors{d: d, values: make([]float64, n*d), ids: leaves}
	if d < byColumns {
		m.rows.stride = n
	}
	row := make([]float64, 0, d)
	for slot, place := range leaves {
		row = data.AppendRow(row[:0], int(order[place]))
		m.rows.put(slot, row)
	}
	return m
}

// share is what some pairs of rows come to: the greatest squared distance, or the sum of the
// distances.
type share struct {
	square float64
	sum    simd.RootSum
}

// reckoner compares the members of clusters.
type reckoner struct {
	*members
	few              []float64 // rows of the smaller part
	squares, weights []float64
	kept             vectors // see farthest
	row              []float64
}

// part adds to a share rows lo to hi of the smaller part of a join with all of the larger one, and
// returns how many pairs they are.
func (r *reckoner) part(s *share, e node, lo, hi int32) (pairs int) {
	few, many, end := e.start, e.middle, e.end
	if e.middle-e.start > e.end-e.middle {
		few, many, end = e.middle, e.start, e.middle
	}
	if other := e.end - e.start - (end - many); r.linkage == Complete && other >= ballLeast {
		r.farthest(s, e.far, ball{few, few + other}, ball{many, end}, lo, hi)
		return int(end-many) * int(hi-lo)
	}
	d := r.rows.d
	r.few = r.few[:0]
	for i := few + lo; i < few+hi; i++ {
		r.few = append(r.few, make([]float64, d)...)
		r.rows.at(r.few[len(r.few)-d:], int(i))
	}
	for at := many; at < end; at += exactPiece {
		m := min(exactPiece, end-at)
		squares, weights := r.squares[:m], r.weights[:m]
		for t := range weights {
			weights[t] = r.weight(e, at+int32(t))
		}
		for i := lo; i < hi; i++ {
			r.rows.squares(squares, r.few[int(i-lo)*d:][:d], int(at))
			switch r.linkage {
			case Complete:
				for _, v := range squares {
					s.square = max(s.square, v)
				}
			case Average:
				s.sum.Add(squares, weights)
			default:
				var row simd.RootSum
				row.Add(squares, weights)
				s.sum.Plus(&row, r.weight(e, few+i))
			}
		}
	}
	return int(end-many) * int(hi-lo)
}

// weight returns the weight of a leaf among those of its part of a join.
func (r *reckoner) weight(e node, leaf int32) float64 {
	if r.linkage != Weighted {
		return 1
	}
	return math.Ldexp(1, int(e.depth+1-r.depth[leaf]))
}
