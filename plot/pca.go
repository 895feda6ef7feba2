package plot

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/plot/layout"
)

// Projection is a principal component analysis of n×d data.
type Projection struct {
	Mean       []float64   // of each of the d columns
	Components [][]float64 // k orthonormal directions of length d, the widest first
	// of the whole variance along each component, in 0..1; all 0 for constant data
	Share []float64
}

// wide is the number of columns above which the covariance matrix is not formed.
const wide = 300

// PrincipalComponents finds the k orthonormal directions along which the rows of x vary most; fewer
// when x has fewer columns. The largest loading of a direction, the first among equals, is
// positive.
//
// Up to 300 columns the directions are the eigenvectors of the covariance matrix; beyond,
// orthogonal iteration from a fixed random start finds them (Golub and Van Loan, Matrix
// Computations, §8.2), exact to about six digits where the variances differ. Threads ≤ 0 uses every
// processor; the result does not depend on it.
//
// It fails with a [*fault.Input] when x has no row or column or a value is not finite, and when ctx
// is done.
func PrincipalComponents(ctx context.Context, x dataset.Matrix, k, threads int) (Projection,
	error) {
	var p Projection
	if x.Rows == 0 || x.Cols == 0 {
		return p, fault.Inputf("give at least one row and one feature",
			"a table of %d rows and %d columns cannot be projected", x.Rows, x.Cols)
	}
	if k < 1 {
		return p, fmt.Errorf("plot: %d principal components asked for, want at least 1", k)
	}
	k = min(k, x.Cols)
	c, err := centre(ctx, x, threads)
	if err != nil {
		return p, err
	}
	p.Mean = make([]float64, x.Cols)
	for j, m := range c.mean {
		p.Mean[j] = m / c.scale
	}
	var values []float64
	if x.Cols <= wide {
		p.Components, values, err = c.byCovariance(ctx, k, threads)
	} else {
		p.Components, values, err = c.byIteration(ctx, k, threads)
	}
	if err != nil {
		return Projection{}, err
	}
	p.Share = make([]float64, k)
	for i, v := range values {
		if c.total > 0 {
			p.Share[i] = min(1, max(0, v/c.total))
		}
		orient(p.Components[i])
	}
	return p, nil
}

// Apply returns the n×k coordinates of the rows of x, which has the columns of the data that p was
// made of.
func (p Projection) Apply(ctx context.Context, x dataset.Matrix, threads int) (dataset.Matrix,
	error) {
	if x.Cols != len(p.Mean) {
		return dataset.Matrix{},
			fmt.Errorf("plot: %d columns for a projection of %d", x.Cols, len(p.Mean))
	}
	k := len(p.Components)
	out := make([]float64, x.Rows*k)
	err := parallel.Blocks(ctx, x.Rows, blockRows(x.Cols), threads, func(_, lo, hi int) {
		row := make([]float64, 0, x.Cols)
		for i := lo; i < hi; i++ {
			row = x.AppendRow(row[:0], i)
			floats.Sub(row, p.Mean)
			for j, c := range p.Components {
				out[i*k+j] = floats.Dot(row, c)
			}
		}
	})
	if err != nil {
		return dataset.Matrix{}, err
	}
	return dataset.Matrix{Rows: x.Rows, Cols: k, F64: out}, nil
}

// centred is data seen through x·scale − mean. The scale is a power of two that brings the largest
// value near 1, so that squares neither overflow nor vanish.
type centred struct {
	x     dataset.Matrix
	scale float64
	mean  []float64 // of the scaled columns
	total float64   // sum of squares of all centred values
}

// blockRows returns rows per block for loops over rows of d values: about 2¹⁶ values.
func blockRows(d int) int { return max(1, 1<<16/d) }

// centre finds scale, mean and total, and refuses values that are not finite.
func centre(ctx context.Context, x dataset.Matrix, threads int) (*centred, error) {
	size := blockRows(x.Cols)
	count := parallel.Count(x.Rows, size)
	largest := make([]float64, count)
	bad := make([]int, count) // position of the first value that is not finite, or −1
	err := parallel.Blocks(ctx, x.Rows, size, threads, func(b, lo, hi int) {
		bad[b] = -1
		row := make([]float64, 0, x.Cols)
		for i := lo; i < hi; i++ {
			row = x.AppendRow(row[:0], i)
			for j, v := range row {
				a := math.Abs(v)
				if !(a <= math.MaxFloat64) {
					bad[b] = i*x.Cols + j
					return
				}
				largest[b] = max(largest[b], a)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for _, at := range bad {
		if at >= 0 {
			i, j := at/x.Cols, at%x.Cols
			return nil, notFinite(i, strconv.Itoa(j+1), x.At(i, j))
		}
	}
	c := &centred{x: x, scale: 1}
	if top := floats.Max(largest); top > 0 {
		_, exp := math.Frexp(top)
		c.scale = math.Ldexp(1, min(max(-exp, -1000), 1000))
	}

	sums, err := c.sumRows(ctx, threads, make([]float64, x.Cols), x.Cols,
		func(row, sum []float64) { floats.Add(sum, row) })
	if err != nil {
		return nil, err
	}
	floats.Scale(1/float64(x.Rows), sums)
	c.mean = sums
	total, err := c.sumRows(ctx, threads, c.mean, 1,
		func(row, sum []float64) { sum[0] += floats.Dot(row, row) })
	if err != nil {
		return nil, err
	}
	// What rounding leaves of a constant table is not variance.
	if total[0] > 1e-28*float64(x.Rows)*float64(x.Cols) {
		c.total = total[0]
	}
	return c, nil
}

// notFinite refuses a value. Row counts from 0.
func notFinite(row int, column string, v float64) error {
	return &fault.Input{Row: row + 1, Column: column, Problem: fmt.Sprintf("%v cannot be drawn", v),
		Fix: "fill in or leave out rows with missing or infinite values"}
}

// row writes row i, scaled and less mean, to dst.
func (c *centred) row(dst []float64, i int, mean []float64) []float64 {
	dst = c.x.AppendRow(dst[:0], i)
	for j, m := range mean {
		dst[j] = float64(dst[j]*c.scale) - m
	}
	return dst
}

// sumRows calls add with each row less mean and returns the sum. It cuts the rows into at most 64
// blocks, and fewer where their partial sums of length size would fill more than 128 MiB.
func (c *centred) sumRows(ctx context.Context, threads int, mean []float64, size int,
	add func(row, sum []float64)) ([]float64, error) {
	count := max(1, min(64, 1<<24/size))
	block := max(blockRows(c.x.Cols), (c.x.Rows+count-1)/count)
	return c.sumBlocks(ctx, threads, block, size, func(lo, hi int, sum []float64) {
		row := make([]float64, 0, c.x.Cols)
		for i := lo; i < hi; i++ {
			if (i-lo)%blockRows(c.x.Cols) == 0 && ctx.Err() != nil {
				return
			}
			row = c.row(row, i, mean)
			add(row, sum)
		}
	})
}

// sumBlocks returns the sum, in order, of what add puts into a sum of length size for each block.
func (c *centred) sumBlocks(ctx context.Context, threads, block, size int,
	add func(lo, hi int, sum []float64)) ([]float64, error) {
	partial := make([][]float64, parallel.Count(c.x.Rows, block))
	err := parallel.Blocks(ctx, c.x.Rows, block, threads, func(b, lo, hi int) {
		partial[b] = make([]float64, size)
		add(lo, hi, partial[b])
	})
	if err != nil {
		return nil, err
	}
	for _, p := range partial[1:] {
		floats.Add(partial[0], p)
	}
	return partial[0], nil
}

// byCovariance returns the leading eigenvectors of Σ (x−mean)(x−mean)ᵀ, of which it forms the upper
// triangle, and their eigenvalues.
func (c *centred) byCovariance(ctx context.Context, k, threads int) ([][]float64, []float64,
	error) {
	n, d := c.x.Rows, c.x.Cols
	chunk := min(n, blockRows(d)) // rows multiplied at once
	cov, err := c.sumBlocks(ctx, threads, max(chunk, (n+31)/32), d*d,
		func(lo, hi int, sum []float64) {
			to := blas64.Symmetric{N: d, Stride: d, Data: sum, Uplo: blas.Upper}
			rows := make([]float64, chunk*d)
			for i := lo; i < hi && ctx.Err() == nil; i += chunk {
				m := min(chunk, hi-i)
				for l := range m {
					c.row(rows[l*d:l*d], i+l, c.mean)
				}
				blas64.Syrk(blas.Trans, 1,
					blas64.General{Rows: m, Cols: d, Stride: d, Data: rows}, 1, to)
			}
		})
	if err != nil {
		return nil, nil, err
	}
	return leading(mat.NewSymDense(d, cov), k)
}

// leading returns the k eigenvectors of a with the largest eigenvalues, the largest first.
func leading(a *mat.SymDense, k int) ([][]float64, []float64, error) {
	values, v, err := linalg.Symmetric(a)
	if err != nil {
		return nil, nil, err
	}
	vectors := make([][]float64, k)
	for i := range vectors {
		vectors[i] = mat.Col(nil, i, v)
	}
	return vectors, values[:k], nil
}

// orient turns v so that its largest loading is positive. Loadings within rounding of the largest
// count as equal, and the first of them decides.
func orient(v []float64) {
	limit := floats.Norm(v, math.Inf(1)) * (1 - 1e-9)
	for _, a := range v {
		if math.Abs(a) >= limit {
			if a < 0 {
				floats.Scale(-1, v)
			}
			return
		}
	}
}

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

// View is data brought into the plane, ready for [ScatterConfig].
type View struct {
	Points         dataset.Matrix // n×2
	XLabel, YLabel string
	Projection     *Projection // nil when the axes are no principal components

	Note       string // on how the points were placed; "": nothing
	EqualScale bool   // a unit is as long on both axes, as points made from distances want it
	Layout     string // that made the points; "": they are the columns themselves

	Quality layout.Quality // how well neighbours are kept; the zero value where that is not known
}

// Plane returns the rows of x two coordinates: the columns themselves when there are one or two
// (the second is 0 where there is none), and otherwise the first two principal components. Names
// are those of the columns; a missing or empty one is x1, x2, …. It fails like
// [PrincipalComponents].
func Plane(ctx context.Context, x dataset.Matrix, names []string, threads int) (View, error) {
	name := func(j int) string {
		if j < len(names) && names[j] != "" {
			return names[j]
		}
		return fmt.Sprintf("x%d", j+1)
	}
	switch x.Cols {
	case 1:
		points := make([]float64, 2*x.Rows)
		for i := range x.Rows {
			points[2*i] = x.At(i, 0)
		}
		return View{Points: dataset.Matrix{Rows: x.Rows, Cols: 2, F64: points}, XLabel: name(0)},
			nil
	case 2:
		return View{Points: x, XLabel: name(0), YLabel: name(1)}, nil
	}
	p, err := PrincipalComponents(ctx, x, 2, threads)
	if err != nil {
		return View{}, err
	}
	points, err := p.Apply(ctx, x, threads)
	if err != nil {
		return View{}, err
	}
	return View{Points: points, XLabel: p.Label(0), YLabel: p.Label(1), Projection: &p}, nil
}

// Label names the axis of component i, from 0: "PC 1 (38 % of variance)".
func (p Projection) Label(i int) string {
	percent := 100 * p.Share[i]
	switch {
	case percent == 0:
		return fmt.Sprintf("PC %d (no variance)", i+1)
	case percent < 0.95:
		return fmt.Sprintf("PC %d (%.1f %% of variance)", i+1, max(0.1, percent))
	}
	return fmt.Sprintf("PC %d (%.0f %% of variance)", i+1, math.Round(percent))
}
