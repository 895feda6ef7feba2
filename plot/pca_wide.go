package plot

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	oversample = 10   // directions carried beyond those asked for; they speed the others up
	sweeps     = 100  // at most
	settled    = 1e-7 // the last sweep has ‖XᵀX v − λv‖ below this share of λ for each wanted v
)

// byIteration finds the leading directions without forming the d×d matrix: Q ← orth(XᵀX Q), each
// followed by a rotation onto the eigenvectors of QᵀXᵀX Q (Rayleigh and Ritz). One sweep reads the
// data once and costs 4·n·d·(k + 10) operations.
func (c *centred) byIteration(ctx context.Context, k, threads int) ([][]float64, []float64, error) {
	d := c.x.Cols
	l := min(k+oversample, d)
	rng := rand.New(rand.NewPCG(1, 2))
	q := make([][]float64, l)
	for i := range q {
		q[i] = make([]float64, d)
		for j := range q[i] {
			q[i][j] = float64(2*rng.Float64()) - 1
		}
	}
	orthonormalise(q)
	values := make([]float64, k)
	if c.total == 0 {
		return q[:k], values, nil
	}
	for range sweeps {
		image, err := c.sumRows(ctx, threads, c.mean, l*d, func(row, sum []float64) {
			for i, qi := range q {
				floats.AddScaled(sum[i*d:(i+1)*d], floats.Dot(row, qi), row)
			}
		})
		if err != nil {
			return nil, nil, err
		}
		// Rayleigh and Ritz: turn Q, and with it XᵀX Q, onto the eigenvectors of QᵀXᵀX Q.
		small := mat.NewSymDense(l, nil)
		for i := range l {
			for j := i; j < l; j++ {
				small.SetSym(i, j, floats.Dot(q[i], image[j*d:(j+1)*d]))
			}
		}
		turn, ritz, err := leading(small, l)
		if err != nil {
			return nil, nil, err
		}
		next := make([][]float64, l)
		residue := 0.0
		for i := range l {
			ritzVector, residual := make([]float64, d), make([]float64, d)
			for j := range l {
				floats.AddScaled(ritzVector, turn[i][j], q[j])
				floats.AddScaled(residual, turn[i][j], image[j*d:(j+1)*d])
			}
			next[i] = append([]float64(nil), residual...)
			if i < k && ritz[i] > 1e-14*c.total {
				floats.AddScaled(residual, -ritz[i], ritzVector)
				residue = max(residue, floats.Norm(residual, 2)/ritz[i])
			}
		}
		copy(values, ritz)
		orthonormalise(next)
		q = next
		if residue < settled {
			break
		}
	}
	return q[:k], values, nil
}

// orthonormalise makes the vectors orthonormal by two passes of Gram and Schmidt. What vanishes is
// replaced by a unit vector orthogonal to those before it.
func orthonormalise(q [][]float64) {
	for i, v := range q {
		before := floats.Norm(v, 2)
		unit := 0
		for {
			for range 2 {
				for _, u := range q[:i] {
					floats.AddScaled(v, -floats.Dot(u, v), u)
				}
			}
			if after := floats.Norm(v, 2); after > 1e-10*before &&
				after > math.SmallestNonzeroFloat64*1e20 {
				floats.Scale(1/after, v)
				break
			}
			clear(v)
			v[unit] = 1
			before = 1
			unit++
		}
	}
}
