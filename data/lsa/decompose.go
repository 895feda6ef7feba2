package lsa

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/internal/linalg"
)

const (
	// directions carried along beyond the dimensions, which speeds up the last ones
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
		linalg.Orthonormal(mat.NewDense(a.cols, l, q))
		cfg.Progress(what, 1-math.Pow(0.7, float64(round+1)))
	}
	gram, err := linalg.Gram(ctx, mat.NewDense(a.rows, l, y), 4096, cfg.Threads)
	if err != nil {
		return err
	}
	values, vectors, err := linalg.Symmetric(gram)
	if err != nil {
		return err
	}
	m.keep(mat.NewDense(a.cols, l, q), values, vectors, cfg.Dimensions, sumOfSquares(a.value))
	cfg.Progress(what, 1)
	return nil
}

// keep takes over the directions of the largest eigenvalues, at most so many, the largest first.
// The sign of a dimension is such that its largest entry is positive.
func (m *Model) keep(q *mat.Dense, values []float64, vectors *mat.Dense, most int, total float64) {
	words, l := q.Dims()
	for m.dims = 0; m.dims < min(most, l) && values[m.dims] > flat*flat*values[0]; m.dims++ {
		m.report.Share += values[m.dims]
	}
	m.report.Share = min(1, m.report.Share/total)
	k := m.dims
	if k == 0 {
		return
	}
	var basis mat.Dense
	basis.Mul(q, vectors.Slice(0, l, 0, k))
	m.basis = make([]float32, words*k)
	column := make([]float64, words)
	for j := range k {
		mat.Col(column, j, &basis)
		linalg.Upright(column)
		for w, v := range column {
			m.basis[w*k+j] = float32(v)
		}
	}
}

func sumOfSquares[T float32 | float64](values []T) (sum float64) {
	for _, v := range values {
		sum += float64(float64(v) * float64(v))
	}
	return sum
}
