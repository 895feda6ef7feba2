package method

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// box is where data lie along their principal axes.
type box struct {
	mean      []float64
	low, high []float64  // along each axis
	axes      *mat.Dense // a row each; those along which all rows are at the mean are left out
}

// principal returns the box of data. It fails when ctx is done.
func principal(ctx context.Context, x dataset.Matrix, threads int) (*box, error) {
	b := &box{mean: make([]float64, x.Cols)}
	row := make([]float64, 0, x.Cols)
	for i := range x.Rows {
		row = x.AppendRow(row[:0], i)
		for j, v := range row {
			b.mean[j] += v / float64(x.Rows)
		}
	}
	centred := mat.NewDense(x.Rows, x.Cols, nil)
	for i := range x.Rows {
		row = x.AppendRow(centred.RawRowView(i)[:0], i)
		for j, v := range b.mean {
			row[j] -= v
		}
	}
	if err := b.turn(ctx, centred, threads); err != nil {
		return nil, err
	}
	along, err := times(ctx, centred, b.axes.T(), threads)
	if err != nil {
		return nil, err
	}
	b.low, b.high = slices.Clone(along.RawRowView(0)), slices.Clone(along.RawRowView(0))
	for i := range x.Rows {
		for e, v := range along.RawRowView(i) {
			b.low[e], b.high[e] = min(b.low[e], v), max(b.high[e], v)
		}
	}
	return b, nil
}

// turn finds the axes of centred rows: the eigenvectors of their covariances or, where there are
// fewer rows than columns, of the products of rows, which are of the same axes.
func (b *box) turn(ctx context.Context, centred *mat.Dense, threads int) error {
	n, d := centred.Dims()
	wide := n < d
	left, right := mat.DenseCopyOf(centred.T()), mat.Matrix(centred)
	if wide {
		left, right = centred, centred.T()
	}
	products, err := times(ctx, left, right, threads)
	if err != nil {
		return err
	}
	m := min(n, d)
	values, err := linalg.QL(ctx, products.RawMatrix().Data, m, 1e-18*mat.Trace(products))
	if err != nil {
		return err
	}
	top := slices.Max(values)
	if top-top != 0 {
		return fault.Inputf("scale the columns, for example to 0..1",
			"squares of the values are too large to add up")
	}
	least := 1e-12 * top
	b.axes = mat.NewDense(m, m, nil)
	kept := values[:0]
	for e, v := range values {
		if v >= least {
			b.axes.SetRow(len(kept), products.RawRowView(e))
			kept = append(kept, v)
		}
	}
	b.axes = b.axes.Slice(0, len(kept), 0, m).(*mat.Dense)
	if !wide {
		return nil
	}
	if b.axes, err = times(ctx, b.axes, centred, threads); err != nil {
		return err
	}
	for e, v := range kept {
		if v > 0 {
			linalg.Divide(b.axes.RawRowView(e), math.Sqrt(v))
		}
	}
	return nil
}

// uniform draws as many rows as x has, uniform in the box; unit: of length 1. It fails when ctx is
// done.
func (b *box) uniform(ctx context.Context, x dataset.Matrix, unit bool, rng *rand.Rand,
	threads int) (dataset.Matrix, error) {
	at := mat.NewDense(x.Rows, len(b.low), nil)
	for i := range x.Rows {
		row := at.RawRowView(i)
		for e, low := range b.low {
			u := float64(rng.Uint64()>>11) / (1 << 53)
			row[e] = low + float64(u*(b.high[e]-low))
		}
	}
	rows, err := times(ctx, at, b.axes, threads)
	if err != nil {
		return dataset.Matrix{}, err
	}
	for i := range x.Rows {
		row := rows.RawRowView(i)
		linalg.Add(row, b.mean)
		if length := math.Sqrt(linalg.Dot(row, row)); unit && length > 0 {
			linalg.Divide(row, length)
		}
	}
	out := dataset.Matrix{Rows: x.Rows, Cols: x.Cols, F64: rows.RawMatrix().Data}
	if x.Single() {
		for _, v := range out.F64 {
			out.F32 = append(out.F32, float32(v))
		}
		out.F64 = nil
	}
	return out, nil
}

// times returns a·b. It looks at ctx after every few rows, and fails when ctx is done.
func times(ctx context.Context, a *mat.Dense, b mat.Matrix, threads int) (*mat.Dense, error) {
	const block = 32
	rows, inner := a.Dims()
	_, cols := b.Dims()
	out := mat.NewDense(rows, cols, nil)
	err := parallel.Blocks(ctx, rows, block, threads, func(_, lo, hi int) {
		out.Slice(lo, hi, 0, cols).(*mat.Dense).Mul(a.Slice(lo, hi, 0, inner), b)
	})
	return out, err
}
