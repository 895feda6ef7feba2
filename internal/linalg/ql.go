package linalg

import (
	"context"
	"math"
)

// QL replaces a symmetric matrix, d×d, by its eigenvectors, a row each, and returns the eigenvalue
// of each row, in no order: by Householder's reflections to three diagonals and implicit QL steps.
// Values beside the diagonal of less than negligible in size count as 0. Every step is rounded
// alike on all processors. It fails when ctx is done; the matrix is then of no use.
func QL(ctx context.Context, a []float64, d int, negligible float64) ([]float64, error) {
	values, beside := tridiagonal(ctx, a, d)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	diagonalise(ctx, values, beside, a, negligible)
	return values, ctx.Err()
}

// tridiagonal brings a symmetric matrix, d×d, to three diagonals by Householder's reflections. It
// holds the main one and the one beside it, and replaces the matrix by the orthogonal Q for which
// Q·A·Qᵀ is them. Every sum is rounded alike on all processors.
func tridiagonal(ctx context.Context, a []float64, d int) (main, beside []float64) {
	main, beside = make([]float64, d), make([]float64, d)
	// row i: the normal of reflection i, of length √2; all 0 where there is none
	normals := make([]float64, d*d)
	image := make([]float64, d)
	for i := 0; i < d; i++ {
		main[i] = a[i*d+i]
		if i == d-1 || ctx.Err() != nil {
			break
		}
		u := normals[i*d+i+1 : (i+1)*d]
		copy(u, a[i*d+i+1:(i+1)*d])
		if beside[i] = u[0]; !reflector(u, &beside[i]) {
			continue
		}
		// The rest A becomes A − u·wᵀ − w·uᵀ with w = A·u − ½(uᵀA·u)·u.
		w := image[i+1:]
		for r := range w {
			w[r] = Dot(a[(i+1+r)*d+i+1:(i+2+r)*d], u)
		}
		half := Dot(u, w) / 2
		for r := range w {
			w[r] = math.FMA(-half, u[r], w[r])
		}
		for r := range w {
			row := a[(i+1+r)*d+i+1 : (i+2+r)*d]
			x, y := -u[r], -w[r]
			for c := range row {
				row[c] = math.FMA(x, w[c], math.FMA(y, u[c], row[c]))
			}
		}
	}
	clear(a)
	for i := range d {
		a[i*d+i] = 1
	}
	// Q is the product of the reflections, each on the rows and columns beyond its own.
	for i := d - 2; i >= 0 && ctx.Err() == nil; i-- {
		u := normals[i*d+i+1 : (i+1)*d]
		for r := i + 1; r < d; r++ {
			row := a[r*d+i+1 : (r+1)*d]
			x := -Dot(row, u)
			for c := range row {
				row[c] = math.FMA(x, u[c], row[c])
			}
		}
	}
	return main, beside
}

// reflector replaces x by the normal u, of length √2, of the reflection x − (uᵀx)·u that leaves
// only its first value, and sets first to that. False: there is nothing else, and x becomes 0.
func reflector(x []float64, first *float64) bool {
	most := 0.0
	for _, v := range x[1:] {
		most = max(most, math.Abs(v))
	}
	if most == 0 {
		clear(x)
		return false
	}
	most = max(most, math.Abs(x[0]))
	for j := range x {
		x[j] /= most
	}
	length := math.Sqrt(Dot(x, x))
	if x[0] > 0 {
		length = -length // away from the first value, so that nothing cancels
	}
	*first = float64(length * most)
	x[0] -= length
	by := math.Sqrt(-1 / float64(length*x[0]))
	for j := range x {
		x[j] *= by
	}
	return true
}

// diagonalise turns the main diagonal, with the one beside it, into the eigenvalues, by implicit QL
// steps (Francis 1961) with Wilkinson's shift, and applies them to the rows of q: row e becomes the
// eigenvector of main[e].
func diagonalise(ctx context.Context, main, beside, q []float64, negligible float64) {
	d := len(main)
	for low := range d {
		const most = 60 // steps for an eigenvalue; two do, mostly
		for range most {
			high := low
			for ; high < d-1; high++ {
				if math.Abs(beside[high]) <= 1e-16*(math.Abs(main[high])+math.Abs(main[high+1])) ||
					math.Abs(beside[high]) < negligible {
					break
				}
			}
			if high == low || ctx.Err() != nil {
				break
			}
			half := (main[low+1] - main[low]) / (2 * beside[low])
			x := main[high] - main[low] +
				beside[low]/(half+math.Copysign(math.Sqrt(math.FMA(half, half, 1)), half))
			sin, cos, shift := 1.0, 1.0, 0.0
			for i := high - 1; i >= low; i-- {
				off, along := float64(sin*beside[i]), float64(cos*beside[i])
				length := math.Sqrt(math.FMA(x, x, float64(off*off)))
				beside[i+1] = length
				if length == 0 { // it has split by underflow
					main[i+1] -= shift
					break
				}
				sin, cos = off/length, x/length
				x = main[i+1] - shift
				turn := math.FMA(main[i]-x, sin, float64(2*float64(cos*along)))
				shift = float64(sin * turn)
				main[i+1] = x + shift
				x = math.FMA(cos, turn, -along)
				rotate(q[i*d:(i+1)*d], q[(i+1)*d:(i+2)*d], cos, sin)
				if i == low {
					main[low] -= shift
					beside[low] = x
				}
			}
			beside[high] = 0
		}
	}
}

// rotate turns two rows against each other.
func rotate(x, y []float64, cos, sin float64) {
	y = y[:len(x)]
	for r, u := range x {
		w := y[r]
		x[r] = math.FMA(cos, u, float64(-sin*w))
		y[r] = math.FMA(sin, u, float64(cos*w))
	}
}
