package lsa

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	// directions carried along beyond those asked for, which speeds up the last ones
	spare     = 12
	maxRounds = 10   // of the iteration
	settled   = 1e-2 // share of what is kept that a round must still add
	flat      = 1e-6 // a singular value below this share of the largest is a rounding error
)

// decompose finds the dimensions: the directions in the space of words along which the texts, the
// rows of a, are longest (the first right singular vectors), by subspace iteration from a random
// start.
//
// N. Halko, P. G. Martinsson and J. A. Tropp, Finding structure with randomness, SIAM Review 53
// (2011), algorithm 4.4. The Gram matrix of the small side takes the place of a decomposition of
// the long one.
func (m *Model) decompose(ctx context.Context, a *sparse, cfg Config) error {
	l := min(cfg.Dimensions+spare, a.rows, a.cols)
	across := a.transposed()
	rng := rand.New(rand.NewPCG(cfg.Seed, 0x157a))
	q := make([]float64, a.cols*l) // a.cols × l, with orthonormal columns from the first step on
	for i := range q {
		// signs alone would, for few words, now and then miss a direction
		q[i] = float64(int64(rng.Uint64())) / (1 << 63)
	}
	y := make([]float64, a.rows*l)
	const what = "finding dimensions"
	cfg.Progress(what, 0)
	for round, before := 0, 0.0; ; round++ {
		if err := a.times(ctx, y, q, l, cfg.Threads); err != nil {
			return err
		}
		if round > 0 {
			kept := sumOfSquares(y)
			if kept <= before*(1+settled) || round == maxRounds {
				break
			}
			before = kept
		}
		// Twice around before the directions are set upright again, which costs as much.
		if err := across.times(ctx, q, y, l, cfg.Threads); err != nil {
			return err
		}
		if err := a.times(ctx, y, q, l, cfg.Threads); err != nil {
			return err
		}
		if err := across.times(ctx, q, y, l, cfg.Threads); err != nil {
			return err
		}
		orthonormal(q, a.cols, l)
		cfg.Progress(what, 1-math.Pow(0.7, float64(round+1)))
	}
	gram, err := gramian(ctx, y, a.rows, l, cfg.Threads)
	if err != nil {
		return err
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) {
		return errors.New("lsa: the decomposition did not converge")
	}
	m.keep(q, a.cols, l, &eigen, cfg.Dimensions, sumOfSquares(a.value))
	cfg.Progress(what, 1)
	return nil
}

// keep takes the dimensions of the largest eigenvalues over, largest first. The sign of a dimension
// is such that its largest entry is positive.
func (m *Model) keep(q []float64, words, l int, eigen *mat.EigenSym, most int, total float64) {
	values := eigen.Values(nil) // ascending
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	largest := values[l-1]
	for m.dims = 0; m.dims < min(most, l) && values[l-1-m.dims] > flat*flat*largest; m.dims++ {
		m.report.Share += values[l-1-m.dims]
	}
	m.report.Share = min(1, m.report.Share/total)
	k := m.dims
	basis := make([]float64, words*k)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1,
		blas64.General{Rows: words, Cols: l, Stride: l, Data: q},
		lastColumns(&vectors, l, k), 0,
		blas64.General{Rows: words, Cols: k, Stride: k, Data: basis})
	m.basis = make([]float32, words*k)
	for j := range k {
		// The first of the entries that are largest but for rounding.
		var top float64
		for w := range words {
			if v := basis[w*k+j]; math.Abs(v) > math.Abs(top)*(1+1e-6) {
				top = v
			}
		}
		sign := math.Copysign(1, top)
		for w := range words {
			m.basis[w*k+j] = float32(sign * basis[w*k+j])
		}
	}
}

// lastColumns returns the last k of l columns, the last first.
func lastColumns(v *mat.Dense, l, k int) blas64.General {
	out := blas64.General{Rows: l, Cols: k, Stride: k, Data: make([]float64, 0, l*k)}
	for i := range l {
		row := slices.Clone(v.RawRowView(i)[l-k:])
		slices.Reverse(row)
		out.Data = append(out.Data, row...)
	}
	return out
}

// orthonormal replaces the columns of q, rows×l with l ≤ rows, by an orthonormal base of their
// space.
func orthonormal(q []float64, rows, l int) {
	general := blas64.General{Rows: rows, Cols: l, Stride: l, Data: q}
	tau, size := make([]float64, l), make([]float64, 1)
	lapack64.Geqrf(general, tau, size, -1)
	work := make([]float64, int(size[0]))
	lapack64.Geqrf(general, tau, work, len(work))
	lapack64.Orgqr(general, tau, size, -1)
	work = make([]float64, int(size[0]))
	lapack64.Orgqr(general, tau, work, len(work))
}

// gramian returns yᵀy for y of rows×l, summed in the order of the blocks.
func gramian(ctx context.Context, y []float64, rows, l, threads int) (*mat.SymDense, error) {
	const size = 4096
	parts := make([]*mat.SymDense, parallel.Count(rows, size))
	err := parallel.Blocks(ctx, rows, size, threads, func(block, lo, hi int) {
		parts[block] = mat.NewSymDense(l, nil)
		parts[block].SymOuterK(1, mat.NewDense(hi-lo, l, y[lo*l:hi*l]).T())
	})
	if err != nil {
		return nil, err
	}
	for _, part := range parts[1:] {
		parts[0].AddSym(parts[0], part)
	}
	return parts[0], nil
}

func sumOfSquares[T float32 | float64](values []T) (sum float64) {
	for _, v := range values {
		sum += float64(float64(v) * float64(v))
	}
	return sum
}
