package constrained

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/linalg"
)

// raise lifts the eigenvalues of a symmetric matrix, given by its lower triangle, to the floor.
// When ctx is done it leaves the matrix as it is.
func raise(ctx context.Context, v []float64, d int) {
	if positive(v, d) {
		return
	}
	q := make([]float64, d*d)
	for r := range d {
		for c := range r + 1 {
			q[r*d+c], q[c*d+r] = v[r*(r+1)/2+c], v[r*(r+1)/2+c]
		}
	}
	lambda, err := linalg.QL(ctx, q, d, 1e-18*floor)
	if err != nil {
		return
	}
	clear(v)
	for e, x := range lambda {
		vector := q[e*d : (e+1)*d]
		x = max(x, floor)
		for r, y := range vector {
			y = float64(x * y)
			row := v[r*(r+1)/2:][:r+1]
			for c := range row {
				row[c] = math.FMA(y, vector[c], row[c])
			}
		}
	}
}

// positive reports whether all eigenvalues are above the floor: whether the matrix less the floor
// has a Cholesky factor.
func positive(v []float64, d int) bool {
	l := linalg.Lower{N: d, A: append([]float64(nil), v...)}
	for r := range d {
		l.Row(r)[r] -= floor
	}
	return l.Factor(func(row int, left float64) (float64, bool) {
		return left, left > 1e-12*v[row*(row+1)/2+row]
	})
}
