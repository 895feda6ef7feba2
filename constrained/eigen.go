package constrained

import "math"

// raise lifts the eigenvalues of a symmetric matrix, given by its lower triangle, to the floor. It finds them by Jacobi's
// rotations, cyclic by rows, whose every sum is rounded alike on all processors.
func raise(v []float64, d int) {
	if positive(v, d) {
		return
	}
	a, q := make([]float64, d*d), make([]float64, d*d)
	for r := range d {
		q[r*d+r] = 1
		for c := range r + 1 {
			a[r*d+c], a[c*d+r] = v[r*(r+1)/2+c], v[r*(r+1)/2+c]
		}
	}
	const sweeps = 30 // it converges quadratically, within ten or so
	for range sweeps {
		if !sweep(a, q, d) {
			break
		}
	}
	clear(v)
	for e := range d {
		lambda := max(a[e*d+e], floor)
		for r := range d {
			x, row := float64(lambda*q[e*d+r]), v[r*(r+1)/2:][:r+1]
			for c := range row {
				row[c] = math.FMA(x, q[e*d+c], row[c])
			}
		}
	}
}

// positive tells whether all eigenvalues are above the floor: whether the matrix less the floor has a Cholesky factor.
func positive(v []float64, d int) bool {
	l := append([]float64(nil), v...)
	for r := range d {
		row := l[r*(r+1)/2:][:r+1]
		for c := range r {
			with := l[c*(c+1)/2:][:c+1]
			row[c] = (row[c] - dot(row[:c], with[:c])) / with[c]
		}
		left := row[r] - floor - dot(row[:r], row[:r])
		if !(left > 1e-12*row[r]) {
			return false
		}
		row[r] = math.Sqrt(left)
	}
	return true
}

// sweep rotates every pair of coordinates once, and tells whether there was anything to rotate. Row e of q becomes the eigenvector of
// a[e,e].
func sweep(a, q []float64, d int) bool {
	rotated := false
	for i := range d {
		for j := i + 1; j < d; j++ {
			off, x, y := a[i*d+j], a[i*d+i], a[j*d+j]
			if math.Abs(off) <= 1e-15*math.Sqrt(math.Abs(float64(x*y))) || off == 0 || math.Abs(off) < 1e-18*floor {
				continue
			}
			rotated = true
			theta := (y - x) / (2 * off)
			t := 1 / (math.Abs(theta) + math.Sqrt(math.FMA(theta, theta, 1)))
			if theta < 0 {
				t = -t
			}
			cos := 1 / math.Sqrt(math.FMA(t, t, 1))
			sin := float64(t * cos)
			ri, rj := a[i*d:(i+1)*d], a[j*d:(j+1)*d]
			rotate(ri, rj, cos, sin)
			for r := range d {
				u, w := a[r*d+i], a[r*d+j]
				a[r*d+i] = math.FMA(cos, u, float64(-sin*w))
				a[r*d+j] = math.FMA(sin, u, float64(cos*w))
			}
			a[i*d+j], a[j*d+i] = 0, 0
			rotate(q[i*d:(i+1)*d], q[j*d:(j+1)*d], cos, sin)
		}
	}
	return rotated
}

func rotate(x, y []float64, cos, sin float64) {
	for r, u := range x {
		w := y[r]
		x[r] = math.FMA(cos, u, float64(-sin*w))
		y[r] = math.FMA(sin, u, float64(cos*w))
	}
}
