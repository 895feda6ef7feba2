package linalg

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/fault"
)

// EigenConfig is which eigenvalues to find, and how well. Only Count must be set; the zero value
// of every other field is a documented default.
type EigenConfig struct {
	// Count is the number of eigenvalues, from 1 to n.
	Count int

	// Tolerance is the greatest residual ‖Ax − λx‖ of a unit eigenvector x, as a share of |λ|, or
	// of about ε^⅔ = 3.7·10⁻¹¹ times the largest row sum of |A| where that is more. 0: 10⁻⁸.
	Tolerance float64

	// MaxProducts bounds the products with the matrix. 0: 20 000.
	MaxProducts int

	// Known are orthonormal eigenvectors that are left out: pairs are sought in the space
	// orthogonal to them.
	Known [][]float64

	Seed    uint64 // chooses the starting vectors
	Threads int    // 0: one per processor. It never changes the result

	// Progress, if not nil, is called with the number of products so far and how many of the pairs
	// have settled.
	Progress func(products, settled int)
}

// EigenResult holds eigenvalues and eigenvectors of a symmetric matrix.
type EigenResult struct {
	Values []float64 // Count of them, largest first
	// of each value, orthonormal. The sign makes the entry of largest size positive
	Vectors   [][]float64
	Residuals []float64 // ‖Ax − λx‖ of each, measured at the end
	Settled   int       // pairs within the tolerance; less than Count after MaxProducts
	Products  int       // products with the matrix
}

const (
	smallMatrix = 96 // size up to which a matrix is decomposed as a dense one
	// vectors of a basis by default: each restart decomposes a dense matrix of that
	// size
	mostBasis = 512
	mostPairs = 400 // pairs of a larger matrix than that
)

// Eigen finds eigenvalues of one end of the spectrum of a symmetric matrix, with eigenvectors.
//
// It is the Lanczos iteration with thick restarts (Wu and Simon, SIAM J. Matrix Anal. Appl. 22,
// 2000) and full reorthogonalisation. A Krylov space holds one vector of each repeated eigenvalue,
// so once enough pairs have settled the iteration runs again from a new random vector orthogonal to
// them, until nothing is found beyond the last (ours): repeated eigenvalues come as often as they
// are repeated. Up to 96 rows the matrix is decomposed as a dense one, and up to 1024 where the
// basis would hold as many vectors as there are rows. Of more than 512 rows there can be no more
// than 400 pairs.
//
// The matrix is multiplied by alone, and not inverted, so that eigenvalues that lie close together
// beside the width of the spectrum take many products: ten of a neighbour graph of 10⁵ points take
// about 160 in ten columns, and 3000 in the plane. Count, values that are not finite and known
// vectors of another length are refused with a *fault.Input. If ctx is cancelled, its error is
// returned.
func Eigen(ctx context.Context, m *Sparse, cfg EigenConfig) (*EigenResult, error) {
	n := m.N()
	reach, err := m.reach()
	if err != nil {
		return nil, err
	}
	free := n - len(cfg.Known)
	if cfg.Count < 1 || cfg.Count > free {
		return nil, fault.Inputf("", "%d eigenvalues asked for of a %d×%d matrix, %d of them known",
			cfg.Count, n, n, len(cfg.Known))
	}
	if n > mostBasis && cfg.Count > mostPairs {
		return nil, tooManyPairs(cfg.Count, n, mostPairs)
	}
	if !(cfg.Tolerance >= 0) || cfg.MaxProducts < 0 {
		return nil, fault.Inputf("give 0 for the default",
			"a tolerance or number of products is negative")
	}
	for _, v := range cfg.Known {
		if len(v) != n {
			return nil, fault.Inputf("", "a known vector of %d values and a matrix of %d rows",
				len(v), n)
		}
	}
	if _, exponent := math.Frexp(reach); reach > 0 && (exponent < -4 || exponent > 10) {
		return scaled(ctx, m, cfg, exponent)
	}
	cfg.Tolerance = cmp.Or(cfg.Tolerance, 1e-8)
	basis := max(min(mostBasis, max(2*cfg.Count+10, 32)), cfg.Count+2)
	cfg.MaxProducts = cmp.Or(cfg.MaxProducts, 20_000)
	if n <= smallMatrix || n <= 2*mostBasis && basis >= free {
		return dense(ctx, m, cfg)
	}
	if basis = min(basis, free-1); basis < cfg.Count+2 {
		return nil, tooManyPairs(cfg.Count, n, free-3)
	}
	l := &lanczos{ctx: ctx, m: m, cfg: cfg, basis: basis, space: &space{n: n, threads: cfg.Threads}}
	return l.run()
}

func tooManyPairs(count, n, most int) error {
	return fault.Inputf(
		fmt.Sprintf("ask for fewer clusters or eigenvectors: %d can be had", max(0, most)),
		"%d eigenvectors of a graph or matrix of %d nodes are asked for", count, n)
}

// reach returns the largest sum of absolute values of a row, and checks that there is such.
func (m *Sparse) reach() (float64, error) {
	largest := 0.0
	for i := range m.N() {
		sum := 0.0
		for e := m.Start[i]; e < m.Start[i+1]; e++ {
			sum += math.Abs(m.Value[e])
		}
		if sum-sum != 0 {
			return 0, fault.Inputf("",
				"row %d of a matrix has values that are not finite, or too large", i+1)
		}
		largest = max(largest, sum)
	}
	return largest, nil
}

// scaled finds the pairs of the matrix times 2^−exponent, so that rounding and the least of sizes
// are what they are for matrices of size 1.
func scaled(ctx context.Context, m *Sparse, cfg EigenConfig, exponent int) (*EigenResult, error) {
	like := &Sparse{Start: m.Start, Col: m.Col, Value: make([]float64, len(m.Value))}
	for e, v := range m.Value {
		like.Value[e] = math.Ldexp(v, -exponent)
	}
	r, err := Eigen(ctx, like, cfg)
	if err != nil {
		return nil, err
	}
	for c := range r.Values {
		r.Values[c], r.Residuals[c] = math.Ldexp(r.Values[c], exponent),
			math.Ldexp(r.Residuals[c], exponent)
	}
	return r, nil
}

// dense decomposes the whole matrix.
func dense(ctx context.Context, m *Sparse, cfg EigenConfig) (*EigenResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := m.N()
	full := mat.NewSymDense(n, nil)
	for i := range n {
		for e := m.Start[i]; e < m.Start[i+1]; e++ {
			if j := int(m.Col[e]); j >= i {
				full.SetSym(i, j, m.Value[e])
			}
		}
	}
	// Known vectors go to the far end of the spectrum.
	reach, err := m.reach() // above every eigenvalue in size
	if err != nil {
		return nil, err
	}
	for _, v := range cfg.Known {
		full.SymRankOne(full, -3*(reach+1), mat.NewVecDense(n, slices.Clone(v)))
	}
	values, vectors, err := Symmetric(full)
	if err != nil {
		return nil, err
	}
	r := &EigenResult{}
	for c := range cfg.Count {
		r.Values = append(r.Values, values[c])
		r.Vectors = append(r.Vectors, mat.Col(nil, c, vectors))
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
		// rounding, beside what the iteration knew
		if r.Residuals[c] <= 2*allowed(cfg.Tolerance, r.Values[c]) {
			r.Settled++
		}
		Upright(x)
	}
	return nil
}

// allowed is the greatest residual of a pair that has settled.
func allowed(tolerance, value float64) float64 {
	const least = 3.7e-11 // ε^⅔
	return max(tolerance*max(least, math.Abs(value)), 1e-14)
}
