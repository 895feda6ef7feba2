package ecm

import "math"

// symmetric is a positive definite matrix, or its factor: a lower triangle row by row.
type symmetric struct {
	n int
	a []float64
}

func newSymmetric(n int) symmetric { return symmetric{n, make([]float64, n*(n+1)/2)} }

func (s symmetric) row(i int) []float64 { return s.a[i*(i+1)/2:][:i+1] }

// factor replaces the matrix by its Cholesky factor. Pivots of less than least, which rounding has
// left nothing of, become least.
func (s symmetric) factor(least float64) {
	for i := range s.n {
		row := s.row(i)
		for j := range i {
			with := s.row(j)
			row[j] = (row[j] - dot(row[:j], with[:j])) / with[j]
		}
		row[i] = math.Sqrt(max(row[i]-dot(row[:i], row[:i]), least))
	}
}

// solve solves the factored system for one right side, in place.
func (s symmetric) solve(b []float64) {
	for i := range b {
		row := s.row(i)
		b[i] = (b[i] - dot(row[:i], b[:i])) / row[i]
	}
	for i := len(b) - 1; i >= 0; i-- {
		row := s.row(i)
		b[i] /= row[i]
		for j := range i {
			b[j] = math.FMA(-row[j], b[i], b[j])
		}
	}
}

// invert replaces a factor by its inverse.
func (s symmetric) invert() {
	for i := range s.n {
		row := s.row(i)
		each := 1 / row[i]
		for j := range i {
			sum := 0.0
			for t := j; t < i; t++ {
				sum = math.FMA(row[t], s.row(t)[j], sum)
			}
			row[j] = -sum * each
		}
		row[i] = each
	}
}

// dot is Σ a·b, in four chains.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var lane [4]float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		lane[0] = math.FMA(a[i], b[i], lane[0])
		lane[1] = math.FMA(a[i+1], b[i+1], lane[1])
		lane[2] = math.FMA(a[i+2], b[i+2], lane[2])
		lane[3] = math.FMA(a[i+3], b[i+3], lane[3])
	}
	for ; i < len(a); i++ {
		lane[0] = math.FMA(a[i], b[i], lane[0])
	}
	return (lane[0] + lane[1]) + (lane[2] + lane[3])
}
