package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/internal/parallel"
)

// Symmetric returns the eigenvalues of a small symmetric matrix, the largest first, and its unit
// eigenvectors as columns. It fails where the iteration does not converge.
func Symmetric(a *mat.SymDense) (values []float64, vectors *mat.Dense, err error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(a, true) {
		n := a.SymmetricDim()
		return nil, nil, fmt.Errorf("linalg: the eigenvalues of a %d×%d matrix were not found", n,
			n)
	}
	values, vectors = eigen.Values(nil), new(mat.Dense)
	eigen.VectorsTo(vectors)
	slices.Reverse(values)
	for i := range values {
		slices.Reverse(vectors.RawRowView(i))
	}
	return values, vectors, nil
}

// Upright negates x where the first of the entries that are largest but for rounding is negative.
func Upright(x []float64) {
	top := 0.0
	for _, v := range x {
		if math.Abs(v) > math.Abs(top)*(1+1e-6) {
			top = v
		}
	}
	if top < 0 {
		for i := range x {
			x[i] = -x[i]
		}
	}
}

// Orthonormal replaces the columns of q, of no more columns than rows, by an orthonormal basis of
// their space, by Householder's reflections.
func Orthonormal(q *mat.Dense) {
	general := q.RawMatrix()
	tau, size := make([]float64, general.Cols), make([]float64, 1)
	lapack64.Geqrf(general, tau, size, -1)
	work := make([]float64, int(size[0]))
	lapack64.Geqrf(general, tau, work, len(work))
	lapack64.Orgqr(general, tau, size, -1)
	work = make([]float64, int(size[0]))
	lapack64.Orgqr(general, tau, work, len(work))
}

// Gram returns yᵀy, added up over blocks of rows in their order, so that the result does not depend
// on threads. It fails when ctx is done.
func Gram(ctx context.Context, y *mat.Dense, block, threads int) (*mat.SymDense, error) {
	rows, cols := y.Dims()
	parts := make([]*mat.SymDense, parallel.Count(rows, block))
	err := parallel.Blocks(ctx, rows, block, threads, func(b, lo, hi int) {
		parts[b] = mat.NewSymDense(cols, nil)
		parts[b].SymOuterK(1, y.Slice(lo, hi, 0, cols).T())
	})
	if err != nil {
		return nil, err
	}
	for _, part := range parts[1:] {
		parts[0].AddSym(parts[0], part)
	}
	return parts[0], nil
}
