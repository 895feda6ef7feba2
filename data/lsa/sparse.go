package lsa

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/kindred-go/kindred/internal/parallel"
)

// sparse is a matrix of few values that are not 0: the entries of row i are those from start[i] up
// to start[i+1], by ascending column.
type sparse struct {
	rows, cols int
	start      []int
	col        []int32
	value      []float32
}

// transposed returns the columns as rows.
func (a *sparse) transposed() *sparse {
	t := &sparse{
		rows: a.cols, cols: a.rows,
		start: make([]int, a.cols+1), col: make([]int32, len(a.col)),
		value: make([]float32, len(a.value)),
	}
	for _, j := range a.col {
		t.start[j+1]++
	}
	for j := range a.cols {
		t.start[j+1] += t.start[j]
	}
	next := make([]int, a.cols)
	copy(next, t.start)
	for i := range a.rows {
		for e := a.start[i]; e < a.start[i+1]; e++ {
			at := next[a.col[e]]
			t.col[at], t.value[at] = int32(i), a.value[e]
			next[a.col[e]]++
		}
	}
	return t
}

// times sets y, rows×k, to the product with x, cols×k, both row by row. Each row is summed in one
// order, so that the result does not depend on the threads.
func (a *sparse) times(ctx context.Context, y, x []float64, k, threads int) error {
	return parallel.Blocks(ctx, a.rows, 64, threads, func(_, lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			to := blas64.Vector{N: k, Inc: 1, Data: y[i*k : (i+1)*k]}
			clear(to.Data)
			for e := a.start[i]; e < a.start[i+1]; e++ {
				blas64.Axpy(float64(a.value[e]),
					blas64.Vector{N: k, Inc: 1, Data: x[int(a.col[e])*k:][:k]}, to)
			}
		}
	})
}
