package reproduce

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/dataset"
)

// stream is a way to run table IV.
type stream struct {
	name     string // the setting of its runs
	scale    dataset.Scale
	plusPlus bool // initial prototypes by k-means++, not from the Gaussian
	shuffled bool // rows in random order, not as they lie
}

// streams are the paper's way, as far as it is told, and others that show what the first does to the result.
var streams = []stream{
	{name: "as in the paper", scale: dataset.ScaleNone},
	{name: "raw, shuffled", scale: dataset.ScaleNone, shuffled: true},
	{name: "raw, k-means++", scale: dataset.ScaleNone, plusPlus: true},
	{name: "min–max", scale: dataset.ScaleMinMax},
	{name: "min–max, shuffled", scale: dataset.ScaleMinMax, shuffled: true},
	{name: "min–max, k-means++", scale: dataset.ScaleMinMax, plusPlus: true},
	{name: "z-score", scale: dataset.ScaleZScore},
	{name: "z-score, k-means++", scale: dataset.ScaleZScore, plusPlus: true},
}

const streamLabelled = 20 // labelled objects a class

// run gives the work of one repetition: the on-line methods in one pass, LCVQE to convergence, from the same prototypes.
func (s stream) run(d drawn) func(ctx context.Context) ([]Run, error) {
	return func(ctx context.Context) ([]Run, error) {
		links, err := d.links(streamLabelled, false)
		if err != nil {
			return nil, err
		}
		x := scaled(d.set.X, s.scale)
		var first dataset.Matrix
		if !s.plusPlus {
			if first, err = d.prototypes(ctx, x, 1); err != nil {
				return nil, err
			}
		}
		var runs []Run
		for _, method := range methods {
			run, err := d.fit(ctx, fit{
				method: method, name: method, x: x, links: links, first: first, start: 1, pass: true, inOrder: !s.shuffled, timed: true,
			})
			if err != nil {
				return nil, err
			}
			runs = append(runs, run)
		}
		return runs, nil
	}
}

// scaled gives x with its columns scaled as [dataset.Scale] says; x itself without scaling.
func scaled(x dataset.Matrix, how dataset.Scale) dataset.Matrix {
	if how == dataset.ScaleNone {
		return x
	}
	out := x.Clone()
	for j := range x.Cols {
		shift, divisor := spread(x, j, how)
		for i := j; i < len(out.F64); i += x.Cols {
			if divisor > 0 {
				out.F64[i] = (out.F64[i] - shift) / divisor
			} else {
				out.F64[i] = 0
			}
		}
	}
	return out
}

// spread gives what is subtracted from a column, and what then divides it: 0 where the column is constant.
func spread(x dataset.Matrix, j int, how dataset.Scale) (shift, divisor float64) {
	if how == dataset.ScaleMinMax {
		least, most := math.Inf(1), math.Inf(-1)
		for i := range x.Rows {
			least, most = min(least, x.At(i, j)), max(most, x.At(i, j))
		}
		return least, most - least
	}
	for i := range x.Rows {
		shift += x.At(i, j)
	}
	shift /= float64(x.Rows)
	for i := range x.Rows {
		e := x.At(i, j) - shift
		divisor = math.FMA(e, e, divisor)
	}
	return shift, math.Sqrt(divisor / float64(x.Rows))
}
