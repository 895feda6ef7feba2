package linalg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
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
