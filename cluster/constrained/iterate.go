package constrained

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/fit"
)

// steps are what a method adds to Lloyd's iteration.
type steps struct {
	// fixes labels, which come as those of the nearest centres
	settle func(labels []int32, centers []float64) error
	// what the objective adds to the distances; nil: nothing
	cost func(labels []int32, centers []float64) float64
	// adds to sums, less the origin, and counts before they become means; nil: nothing
	shift func(centers, sums, counts []float64)
	scale float64 // of the distances in the objective
}

// iterate goes on until the labels repeat, and returns the best partition seen. It takes the
// centres over.
func (t *table) iterate(ctx context.Context, centers []float64, start int, cfg Config,
	s steps) (*Result, error) {
	r := &Result{Stopped: fit.IterationLimit}
	var before []int32
	for iteration := 1; ; iteration++ {
		labels, err := t.nearest(ctx, centers)
		if err != nil {
			return nil, err
		}
		if err := s.settle(labels, centers); err != nil {
			return nil, err
		}
		objective, err := t.distortion(ctx, labels, centers)
		if err != nil {
			return nil, err
		}
		objective *= s.scale
		if s.cost != nil {
			objective += s.cost(labels, centers)
		}
		r.better(labels, centers, t.d, objective)
		if iteration > cfg.MaxIterations {
			return r, nil
		}
		r.Iterations = iteration
		fit.Step(cfg.Options, cfg.Limits, start, iteration, objective)
		if slices.Equal(labels, before) {
			r.Stopped = fit.Converged
			return r, nil
		}
		before = labels
		sums, counts, err := t.sums(ctx, labels)
		if err != nil {
			return nil, err
		}
		if s.shift != nil {
			s.shift(centers, sums, counts)
		}
		t.update(centers, sums, counts)
	}
}
