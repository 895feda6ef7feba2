package images

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/internal/parallel"
)

// How much the parts of a picture vary together, beside its outlines: as standard deviations, and
// by which factor they may be raised at most to reach it.
const (
	chromaVaries = 1.0
	lightVaries  = 0.3
	raised       = 4.0
)

// axes are the main directions in which pictures differ.
type axes struct {
	count int
	mean  []float64
	scale []float64 // of each raw number
	basis []float64 // rawSize × count
}

// findAxes finds the main directions (principal components) of a sample of pictures.
func findAxes(ctx context.Context, sample []described, cfg Config) (*axes, error) {
	a := &axes{mean: make([]float64, rawSize), scale: make([]float64, rawSize)}
	n := float64(len(sample))
	for _, s := range sample {
		for j, v := range s.raw {
			a.mean[j] += v
		}
	}
	for j := range a.mean {
		a.mean[j] /= n
	}
	variance := make([]float64, rawSize)
	for _, s := range sample {
		for j, v := range s.raw {
			d := v - a.mean[j]
			variance[j] += float64(d * d)
		}
	}
	outline := sum(variance[:outlineSize])
	balance := func(lo, hi int, varies float64) {
		factor := raised
		if own := sum(variance[lo:hi]); own > 0 && outline > 0 {
			factor = min(factor, varies*math.Sqrt(outline/own))
		}
		for j := lo; j < hi; j++ {
			a.scale[j] = factor
		}
	}
	for j := range outlineSize {
		a.scale[j] = 1
	}
	balance(outlineSize, outlineSize+lightSize, lightVaries)
	balance(outlineSize+lightSize, rawSize, chromaVaries)
	return a, a.principal(ctx, sample, cfg)
}

// principal finds the directions themselves, from products of the raw numbers or, where there are
// fewer, of the pictures. The sign of a direction is such that its largest entry is positive.
func (a *axes) principal(ctx context.Context, sample []described, cfg Config) error {
	cfg.Progress("finding what tells them apart", 0)
	n := len(sample)
	x := mat.NewDense(n, rawSize, nil)
	for i, s := range sample {
		a.centre(x.RawRowView(i), s.raw)
	}
	size := min(n, rawSize)
	gram, err := products(ctx, x, n < rawSize, cfg.Threads)
	if err != nil {
		return err
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) {
		return errors.New("picture: the principal components did not converge")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	values := eigen.Values(nil) // ascending
	// At least one direction, so that pictures that are all alike have vectors, too.
	for a.count = 1; a.count < min(cfg.Dimensions, size) &&
		values[size-1-a.count] > 1e-10*values[size-1]; a.count++ {
	}
	var vectors, directions mat.Dense
	eigen.VectorsTo(&vectors)
	if main := vectors.Slice(0, size, size-a.count, size); n < rawSize {
		directions.Mul(x.T(), main)
	} else {
		directions.CloneFrom(main)
	}
	a.basis = make([]float64, rawSize*a.count)
	for c := range a.count {
		direction := mat.Col(nil, a.count-1-c, &directions)
		unit(direction)
		var top float64
		for _, v := range direction {
			// The first of the entries that are largest but for rounding.
			if math.Abs(v) > math.Abs(top)*(1+1e-6) {
				top = v
			}
		}
		for j, v := range direction {
			a.basis[j*a.count+c] = math.Copysign(v, v*top)
		}
	}
	return nil
}

// products returns xᵀx, summed in the order of blocks of rows, or xxᵀ.
func products(ctx context.Context, x *mat.Dense, ofRows bool, threads int) (*mat.SymDense, error) {
	n, d := x.Dims()
	if ofRows {
		out := mat.NewSymDense(n, nil)
		out.SymOuterK(1, x)
		return out, ctx.Err()
	}
	const size = 512
	parts := make([]*mat.SymDense, parallel.Count(n, size))
	err := parallel.Blocks(ctx, n, size, threads, func(block, lo, hi int) {
		parts[block] = mat.NewSymDense(d, nil)
		parts[block].SymOuterK(1, x.Slice(lo, hi, 0, d).T())
	})
	if err != nil {
		return nil, err
	}
	for _, part := range parts[1:] {
		parts[0].AddSym(parts[0], part)
	}
	return parts[0], nil
}

func (a *axes) centre(out, raw []float64) {
	for j, v := range raw {
		out[j] = (v - a.mean[j]) * a.scale[j]
	}
}

// place sets to, of count, to a picture's coordinates.
func (a *axes) place(to []float32, raw []float64) {
	var centred [rawSize]float64
	a.centre(centred[:], raw)
	row := make([]float64, a.count)
	for j, v := range centred {
		for c, b := range a.basis[j*a.count:][:a.count] {
			row[c] += float64(v * b)
		}
	}
	for c, v := range row {
		to[c] = float32(v)
	}
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}
