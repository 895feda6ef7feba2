package linalg

import "math"

// Lower is the lower triangle of a symmetric n×n matrix, or a triangular matrix such as its
// Cholesky factor, row by row: row i has i+1 values.
type Lower struct {
	N int
	A []float64 // N(N+1)/2 values
}

// NewLower returns a matrix of zeros.
func NewLower(n int) Lower { return Lower{n, make([]float64, n*(n+1)/2)} }

// Row returns row i up to the diagonal.
func (l Lower) Row(i int) []float64 { return l.A[i*(i+1)/2:][:i+1] }

// AtLeast is a rule for [Lower.Factor]: a pivot of less than least, which rounding has left nothing
// of, becomes least.
func AtLeast(least float64) func(row int, left float64) (float64, bool) {
	return func(_ int, left float64) (float64, bool) { return max(left, least), true }
}

// Factor replaces a positive definite matrix A by its Cholesky factor L, LLᵀ = A. The pivot of a
// row is the square of its diagonal value in L: pivot receives what is left of the diagonal value
// of A and returns the pivot to take, or false to stop. Factor reports whether it reached the end.
func (l Lower) Factor(pivot func(row int, left float64) (float64, bool)) bool {
	for i := range l.N {
		row := l.Row(i)
		for j := range i {
			with := l.Row(j)
			row[j] = (row[j] - Dot(row[:j], with[:j])) / with[j]
		}
		p, ok := pivot(i, row[i]-Dot(row[:i], row[:i]))
		if !ok {
			return false
		}
		row[i] = math.Sqrt(p)
	}
	return true
}

// SolveLower solves Lx = b. It replaces b by x.
func (l Lower) SolveLower(b []float64) {
	for i := range b {
		row := l.Row(i)
		b[i] = (b[i] - Dot(row[:i], b[:i])) / row[i]
	}
}

// Solve solves LLᵀx = b for a factor L. It replaces b by x.
func (l Lower) Solve(b []float64) {
	l.SolveLower(b)
	for i := len(b) - 1; i >= 0; i-- {
		row := l.Row(i)
		b[i] /= row[i]
		for j := range i {
			b[j] = math.FMA(-row[j], b[i], b[j])
		}
	}
}

// Invert replaces a triangular matrix by its inverse.
func (l Lower) Invert() {
	for i := range l.N {
		row := l.Row(i)
		each := 1 / row[i]
		for j := range i {
			sum := 0.0
			for t := j; t < i; t++ {
				sum = math.FMA(row[t], l.A[t*(t+1)/2+j], sum)
			}
			row[j] = float64(-sum * each)
		}
		row[i] = each
	}
}
