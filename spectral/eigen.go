package spectral

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// EigenConfig says which eigenvalues to find, and how well. Only Count must be set; the zero value of every other field is a
// documented default.
type EigenConfig struct {
	// Count is the number of eigenvalues, from 1 to n.
	Count int

	// Lowest finds the lowest eigenvalues instead of the largest.
	Lowest bool

	// Tolerance is the greatest residual ‖Ax − λx‖ of a unit eigenvector x, as a share of |λ|, or of ε^⅔ = 3.7·10⁻¹¹ where that is more.
	// 0: 10⁻⁸.
	Tolerance float64

	// Basis is the number of vectors of length n that the iteration holds, at least Count+2. 0: the larger of 2·Count+10 and 32.
	Basis int

	// MaxProducts bounds the products with the matrix. 0: 20 000.
	MaxProducts int

	// Known are orthonormal eigenvectors that are left out: pairs are sought in the space orthogonal to them.
	Known [][]float64

	Seed    uint64 // chooses the starting vectors
	Threads int    // 0: one a processor. It never changes the result

	// Progress, unless nil, is told the number of products so far and how many of the pairs have settled.
	Progress func(products, settled int)
}

// EigenResult holds eigenvalues and eigenvectors of a symmetric matrix.
type EigenResult struct {
	Values    []float64   // Count of them, largest first, or with Lowest lowest first
	Vectors   [][]float64 // of each value, orthonormal. The sign makes the entry of largest size positive
	Residuals []float64   // ‖Ax − λx‖ of each, measured at the end
	Settled   int         // pairs within the tolerance; less than Count after MaxProducts
	Products  int         // products with the matrix
}

// smallMatrix is the size up to which a matrix is decomposed as a dense one.
const smallMatrix = 96

// Eigen finds eigenvalues of one end of the spectrum of a symmetric matrix, with eigenvectors.
//
// It is the Lanczos iteration with thick restarts (Wu and Simon, SIAM J. Matrix Anal. Appl. 22, 2000) and full
// reorthogonalisation. A Krylov space holds one vector of each repeated eigenvalue, so once enough pairs have settled the
// iteration runs again from a new random vector orthogonal to them, until nothing is found beyond the last (ours): repeated
// eigenvalues come as often as they are repeated. Up to 96 rows the matrix is decomposed as a dense one. An interrupted ctx gives its error.
func Eigen(ctx context.Context, m *Sparse, cfg EigenConfig) (*EigenResult, error) {
	n := m.N()
	free := n - len(cfg.Known)
	if cfg.Count < 1 || cfg.Count > free {
		return nil, fmt.Errorf("spectral: %d eigenvalues asked for of a %d×%d matrix, %d of them known", cfg.Count, n, n, len(cfg.Known))
	}
	if cfg.Tolerance == 0 {
		cfg.Tolerance = 1e-8
	}
	if cfg.Basis == 0 {
		cfg.Basis = max(2*cfg.Count+10, 32)
	}
	cfg.Basis = max(cfg.Basis, cfg.Count+2)
	if cfg.MaxProducts == 0 {
		cfg.MaxProducts = 20_000
	}
	if n <= smallMatrix || cfg.Basis >= free {
		if n <= 2048 {
			return dense(ctx, m, cfg)
		}
		return nil, fmt.Errorf("spectral: %d eigenvalues of %d rows are too many for this solver", cfg.Count, n)
	}
	l := &lanczos{ctx: ctx, m: m, cfg: cfg, space: newSpace(n, cfg.Threads), sign: 1}
	if cfg.Lowest {
		l.sign = -1
	}
	return l.run()
}

// dense decomposes the whole matrix.
func dense(ctx context.Context, m *Sparse, cfg EigenConfig) (*EigenResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := m.N()
	full := mat.NewSymDense(n, nil)
	reach := 0.0 // above every eigenvalue in size
	for i := range n {
		sum := 0.0
		for e := m.Start[i]; e < m.Start[i+1]; e++ {
			if j := int(m.Col[e]); j >= i {
				full.SetSym(i, j, m.Value[e])
			}
			sum += math.Abs(m.Value[e])
		}
		reach = max(reach, sum)
	}
	// Known vectors go to the far end of the spectrum.
	away := -3 * (reach + 1)
	if cfg.Lowest {
		away = -away
	}
	for _, v := range cfg.Known {
		full.SymRankOne(full, away, mat.NewVecDense(n, slices.Clone(v)))
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(full, true) {
		return nil, fmt.Errorf("spectral: the decomposition of a %d×%d matrix did not converge", n, n)
	}
	values := eigen.Values(nil) // ascending
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	r := &EigenResult{}
	for c := range cfg.Count {
		at := n - 1 - c
		if cfg.Lowest {
			at = c
		}
		r.Values = append(r.Values, values[at])
		r.Vectors = append(r.Vectors, mat.Col(nil, at, &vectors))
	}
	return r, r.measure(ctx, m, cfg)
}

// measure computes the residuals, counts the pairs that have settled, and fixes the signs.
func (r *EigenResult) measure(ctx context.Context, m *Sparse, cfg EigenConfig) error {
	y := make([]float64, m.N())
	for c, x := range r.Vectors {
		if err := m.Apply(ctx, y, x, cfg.Threads); err != nil {
			return err
		}
		r.Products++
		sum := 0.0
		for i, v := range x {
			d := y[i] - float64(r.Values[c]*v)
			sum += float64(d * d)
		}
		r.Residuals = append(r.Residuals, math.Sqrt(sum))
		if r.Residuals[c] <= 2*allowed(cfg.Tolerance, r.Values[c]) { // rounding, beside what the iteration knew
			r.Settled++
		}
		upright(x)
	}
	return nil
}

// allowed is the greatest residual of a pair that has settled.
func allowed(tolerance, value float64) float64 {
	const least = 3.7e-11 // ε^⅔
	return max(tolerance*max(least, math.Abs(value)), 1e-14)
}

// upright makes the first of the entries that are largest but for rounding positive.
func upright(x []float64) {
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
