package hierarchy

import (
	"math"
	"slices"
)

// ball is a run of rows, seen as what lies around its mean.
type ball struct{ start, end int32 }

// ballLeast is how many rows both parts of a join must have for balls to rule out pairs in less
// time than it takes to look at them.
const ballLeast = 64

// farthest adds to a share the greatest distance of rows lo to hi of the ball few and the rows of
// the ball many, which is far but for the rounding of float32, or less. A row is as far from any of
// a ball as from its mean, and the radius, at most: those for which this is less are left out.
func (r *reckoner) farthest(s *share, far float64, few, many ball, lo, hi int32) {
	d := r.rows.d
	limit := far * (1 - float64(d+8)*0x1p-23)
	if far < leastSingle {
		limit = 0
	}
	meanFew, radiusFew := r.around(few)
	meanMany, radiusMany := r.around(many)
	r.few = r.few[:0]
	r.each(ball{few.start + lo, few.start + hi}, meanMany, func(i int32, square float64) {
		if math.Sqrt(square)+radiusMany >= limit {
			r.rows.at(r.row, int(i))
			r.few = append(r.few, r.row...)
		}
	})
	if len(r.few) == 0 {
		return
	}
	k := &r.kept
	k.values = slices.Grow(k.values[:0], exactPiece*d)[:exactPiece*d]
	if k.stride = r.rows.stride; k.stride > 0 {
		k.stride = exactPiece
	}
	n := 0
	compare := func() {
		squares := r.squares[:n]
		for at := 0; at < len(r.few); at += d {
			k.squares(squares, r.few[at:at+d], 0)
			s.square = max(s.square, slices.Max(squares))
		}
		n = 0
	}
	r.each(many, meanFew, func(i int32, square float64) {
		if math.Sqrt(square)+radiusFew < limit {
			return
		}
		r.rows.at(r.row, int(i))
		k.put(n, r.row)
		if n++; n == exactPiece {
			compare()
		}
	})
	if n > 0 {
		compare()
	}
}

// around returns the mean of the rows of a ball, and the greatest distance from it.
func (r *reckoner) around(b ball) (mean []float64, radius float64) {
	d := r.rows.d
	if r.row == nil {
		r.row = make([]float64, d)
	}
	mean = make([]float64, d)
	for i := b.start; i < b.end; i++ {
		r.rows.at(r.row, int(i))
		for j, v := range r.row {
			mean[j] += v / float64(b.end-b.start)
		}
	}
	square := 0.0
	r.each(b, mean, func(_ int32, v float64) { square = max(square, v) })
	return mean, math.Sqrt(square)
}

// each calls do for the rows of a ball with their squared distances to x.
func (r *reckoner) each(b ball, x []float64, do func(i int32, square float64)) {
	for lo := b.start; lo < b.end; lo += exactPiece {
		squares := r.weights[:min(exactPiece, b.end-lo)]
		r.rows.squares(squares, x, int(lo))
		for t, v := range squares {
			do(lo+int32(t), v)
		}
	}
}
