package relational

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// relation is R = [δ²], or [δ], times a factor.
type relation struct {
	dense   *dissim.Dense
	scale   float64 // of δ
	squared bool    // δ is a square as it is
}

// level scales R so that its mean over all pairs is 1.
func (r *relation) level(ctx context.Context, threads int) error {
	n := r.dense.N
	sum, err := parallel.Sum(ctx, n, rowsAtATime, threads, func(lo, hi int) (sum float64) {
		row := make([]float32, n)
		for k := lo; k < hi; k++ {
			r.row(row, k)
			for _, v := range row {
				sum += float64(v)
			}
		}
		return sum
	})
	if err != nil {
		return err
	}
	if mean := sum / float64(n) / float64(max(1, n-1)); mean > 0 {
		by := 1 / mean
		if !r.squared {
			by = math.Sqrt(by)
		}
		r.scale *= by
	}
	return nil
}

// rowsAtATime are the rows of a relation that are multiplied together.
const rowsAtATime = 8

// newRelation holds the dissimilarities of a source, scaled by a power of two so that squares fit
// float32.
func newRelation(ctx context.Context, src dissim.Source, squared bool, threads int) (*relation,
	error) {
	r := &relation{squared: squared}
	var held bool
	if r.dense, held = src.(*dissim.Dense); !held {
		var err error
		if r.dense, err = dissim.NewDense(ctx, src, threads, nil); err != nil {
			return nil, err
		}
	}
	n := r.dense.N
	most := make([]float32, parallel.Count(n, rowsAtATime))
	err := parallel.Blocks(ctx, n, rowsAtATime, threads, func(block, lo, hi int) {
		for _, v := range r.dense.D[lo*n : hi*n] {
			most[block] = max(most[block], v)
		}
	})
	if err != nil {
		return nil, err
	}
	r.scale = 1
	if largest := slices.Max(most); largest > 0 {
		_, power := math.Frexp(float64(largest))
		r.scale = math.Ldexp(1, -power)
	}
	return r, nil
}

// row sets dst to row k of R.
func (r *relation) row(dst []float32, k int) {
	scale := float32(r.scale)
	for j, v := range r.dense.D[k*r.dense.N:][:r.dense.N] {
		v *= scale
		if !r.squared {
			v *= v
		}
		dst[j] = v
	}
}

// unit is what 1 in R is in squared units of the data.
func (r *relation) unit() float64 {
	if r.squared {
		return 1 / r.scale
	}
	return 1 / (r.scale * r.scale)
}

// products sets out, n×c, to R times the c columns of n values in cols.
func (r *relation) products(ctx context.Context, out, cols []float64, c, threads int) error {
	n := r.dense.N
	return parallel.Blocks(ctx, n, rowsAtATime, threads, func(_, lo, hi int) {
		store := make([]float32, (hi-lo)*n)
		rows := make([][]float32, hi-lo)
		for k := range rows {
			rows[k] = store[k*n : (k+1)*n]
			r.row(rows[k], lo+k)
		}
		simd.Products(out[lo*c:hi*c], rows, cols, n, c)
	})
}
