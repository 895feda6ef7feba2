// Package weighted goes through the rows of a matrix in blocks, and adds them up by their weights
// in clusters. Sums do not depend on the number of threads.
package weighted

import (
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// piece is the number of rows that are gone through at a time.
const piece = 128

// Powers is what is summed of the values, as columns after those of the values themselves.
type Powers uint8

const (
	Values   Powers = iota // nothing besides
	Squares                // their squares, D columns
	Products               // products of two, the lower triangle row by row, D(D+1)/2 columns
)

// Rows are the rows of a matrix, cut into blocks.
type Rows struct {
	Data    dataset.Matrix
	N, D, K int // rows, columns and clusters
	Powers  Powers
	Threads int
	Origin  []float64 // taken from the rows, so that sums keep their digits

	block int
	parts []Part
}

// Part is the sums of a block.
type Part struct {
	Value   float64   // of the objective
	Weights []float64 // K
	Sums    []float64 // K×D, and more with powers: of the values less the origin, by weight
}

// mostSums bounds the sums of all blocks where there are products: 128 MiB of them.
const mostSums = 1 << 24

// New cuts the rows of data into at most 64 blocks of at least 512. Origin has a value for each
// column.
func New(data dataset.Matrix, k, threads int, origin []float64, powers Powers) *Rows {
	r := &Rows{Data: data, N: data.Rows, D: data.Cols, K: k, Powers: powers, Threads: threads,
		Origin: origin}
	blocks := 64
	if powers == Products {
		blocks = min(64, max(2, mostSums/(k*r.columns())))
	}
	r.block = max(512, parallel.Count(data.Rows, blocks))
	r.parts = make([]Part, parallel.Count(r.N, r.block))
	for b := range r.parts {
		r.parts[b] = Part{Weights: make([]float64, k), Sums: make([]float64, k*r.columns())}
	}
	return r
}

// columns returns the number of columns of sums.
func (r *Rows) columns() int {
	switch r.Powers {
	case Squares:
		return 2 * r.D
	case Products:
		return r.D + r.D*(r.D+1)/2
	}
	return r.D
}

// Each clears the sums and calls do for pieces of n rows from lo on, those of a block in order on
// one goroutine, with the space and the sums of that.
func (r *Rows) Each(ctx context.Context, do func(s *Space, p *Part, lo, n int)) error {
	return parallel.Blocks(ctx, r.N, r.block, r.Threads, func(b, lo, hi int) {
		p := &r.parts[b]
		p.Value = 0
		clear(p.Weights)
		clear(p.Sums)
		s := r.newSpace()
		for ; lo < hi && ctx.Err() == nil; lo += piece {
			n := min(hi, lo+piece) - lo
			r.Data.Less(s.Rows[:n*r.D], lo, r.Origin)
			do(s, p, lo, n)
		}
	})
}

// Value adds the values of the blocks to v, in order.
func (r *Rows) Value(v float64) float64 {
	for b := range r.parts {
		v += r.parts[b].Value
	}
	return v
}

// Sums adds up the sums and weights of the blocks, in order.
func (r *Rows) Sums() (sums, weights []float64) {
	sums, weights = make([]float64, len(r.parts[0].Sums)), make([]float64, r.K)
	for b := range r.parts {
		for c := range weights {
			weights[c] += r.parts[b].Weights[c]
		}
		for i, v := range r.parts[b].Sums {
			sums[i] += v
		}
	}
	return sums, weights
}

// Space is memory for a piece of n rows.
type Space struct {
	Rows    []float64 // n×D, less the origin
	Spare   []float64 // n×D, or K×n where that is more
	Shares  []float64 // K×n: how much each row belongs to each cluster
	Weights []float32 // K×n: what rows weigh in the sums
	A, B    []float64 // n

	of   *Rows
	each [][]float32 // the rows of Weights
	cols []float64   // values, and their squares
	sums []float64
}

func (r *Rows) newSpace() *Space {
	return &Space{of: r, Rows: make([]float64, piece*r.D),
		Spare:  make([]float64, piece*max(r.D, r.K)),
		Shares: make([]float64, piece*r.K), Weights: make([]float32, piece*r.K),
		A: make([]float64, piece), B: make([]float64, piece),
		each: make([][]float32, r.K), cols: make([]float64, piece*r.columns()),
		sums: make([]float64, r.K*r.columns())}
}

// Add adds n rows to the sums of a block by their weights.
//
// Weights are float32: means by them are off their places by less than 10⁻⁷ of the spread, and an
// objective that they minimise by the square of that.
func (s *Space) Add(p *Part, n int) {
	d, f := s.of.D, s.of.columns()
	linalg.Transpose(s.cols, s.Rows[:n*d], d)
	switch s.of.Powers {
	case Squares:
		for i, v := range s.cols[:n*d] {
			s.cols[n*d+i] = float64(v * v)
		}
	case Products:
		to := s.cols[n*d:]
		for a := range d {
			x := s.cols[a*n : (a+1)*n]
			for b := range a + 1 {
				y := s.cols[b*n : (b+1)*n]
				for i, v := range x {
					to[i] = float64(v * y[i])
				}
				to = to[n:]
			}
		}
	}
	for c := range s.each {
		s.each[c] = s.Weights[c*n : (c+1)*n]
		for _, w := range s.each[c] {
			p.Weights[c] += float64(w)
		}
	}
	simd.Products(s.sums, s.each, s.cols[:n*f], n, f)
	for i, v := range s.sums {
		p.Sums[i] += v
	}
}
