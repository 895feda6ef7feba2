package images

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/internal/linalg"
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
	basis []float64 // a row of count for each raw number
}

// findAxes finds the main directions (principal components) of a sample of pictures.
func findAxes(ctx context.Context, sample []described, kind seen, cfg Config) (*axes, error) {
	a := &axes{mean: make([]float64, kind.size), scale: make([]float64, kind.size)}
	n := float64(len(sample))
	for _, s := range sample {
		for j, v := range s.raw {
			a.mean[j] += v
		}
	}
	for j := range a.mean {
		a.mean[j] /= n
	}
	variance := make([]float64, kind.size)
	for _, s := range sample {
		for j, v := range s.raw {
			d := v - a.mean[j]
			variance[j] += float64(d * d)
		}
	}
	first := 0.0 // how much the first part varies
	at := 0
	for i, p := range kind.parts {
		own := sum(variance[at : at+p.size])
		factor := raised
		switch {
		case i == 0:
			first, factor = own, 1
		case own > 0 && first > 0:
			factor = min(factor, p.varies*math.Sqrt(first/own))
		}
		for range p.size {
			a.scale[at] = factor
			at++
		}
	}
	return a, a.principal(ctx, sample, cfg)
}

// principal finds the directions themselves, from products of the raw numbers or, where there are
// fewer, of the pictures. The sign of a direction is such that its largest entry is positive.
func (a *axes) principal(ctx context.Context, sample []described, cfg Config) error {
	cfg.Progress("finding what distinguishes them", 0)
	n, rawSize := len(sample), len(a.mean)
	x := mat.NewDense(n, rawSize, nil)
	for i, s := range sample {
		a.centre(x.RawRowView(i), s.raw)
	}
	size := min(n, rawSize)
	gram := mat.NewSymDense(size, nil)
	var err error
	if n < rawSize {
		gram.SymOuterK(1, x)
	} else if gram, err = linalg.Gram(ctx, x, 512, cfg.Threads); err != nil {
		return err
	}
	values, vectors, err := linalg.Symmetric(gram)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	// At least one direction, so that pictures that are all alike have vectors, too.
	for a.count = 1; a.count < min(cfg.Dimensions, size) &&
		values[a.count] > 1e-10*values[0]; a.count++ {
	}
	var directions mat.Dense
	if main := vectors.Slice(0, size, 0, a.count); n < rawSize {
		directions.Mul(x.T(), main)
	} else {
		directions.CloneFrom(main)
	}
	a.basis = make([]float64, rawSize*a.count)
	for c := range a.count {
		direction := mat.Col(nil, c, &directions)
		unit(direction)
		linalg.Upright(direction)
		for j, v := range direction {
			a.basis[j*a.count+c] = v
		}
	}
	return nil
}

func (a *axes) centre(out, raw []float64) {
	for j, v := range raw {
		out[j] = (v - a.mean[j]) * a.scale[j]
	}
}

// place sets to, of count, to a picture's coordinates.
func (a *axes) place(to []float32, raw []float64) {
	centred := make([]float64, len(raw))
	a.centre(centred, raw)
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
