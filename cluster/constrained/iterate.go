package constrained

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/fit"
)

// steps are what an iteration does.
type steps struct {
	// assign returns the labels under the centres, and the objective.
	assign func() (labels []int32, objective float64, err error)
	learn  func(labels []int32) error // moves the centres
	// best, unless nil, is called where the partition is the best so far.
	best func()
	// settled, unless nil, reports whether the objective is at rest; otherwise labels that repeat
	// are enough.
	settled func(trace []float64) bool
}

// iterate goes on until the labels repeat, and returns the best partition seen.
func (p *problem) iterate(ctx context.Context, start int, centers []float64,
	s steps) (*Result, error) {
	r := &Result{Stopped: fit.IterationLimit}
	var before []int32
	for iteration := 1; ; iteration++ {
		labels, objective, err := s.assign()
		if err != nil {
			return nil, err
		}
		if r.better(labels, centers, p.d, objective) && s.best != nil {
			s.best()
		}
		if iteration > p.cfg.MaxIterations {
			return r, nil
		}
		r.Iterations = iteration
		fit.Step(p.cfg.Options, p.cfg.Limits, start, iteration, objective)
		if slices.Equal(labels, before) && (s.settled == nil || s.settled(r.Trace)) {
			r.Stopped = fit.Converged
			return r, nil
		}
		before = append(before[:0], labels...)
		if err := s.learn(labels); err != nil {
			return nil, err
		}
	}
}

// additions are what a method adds to Lloyd's iteration.
type additions struct {
	// settle changes labels, which come as those of the nearest centres.
	settle func(labels []int32, centers []float64) error
	// cost, unless nil, is what the objective adds to the distances.
	cost func() float64
	// shift, unless nil, adds to sums, less the origin, and counts before they become means.
	shift func(centers, sums, counts []float64)
	scale float64 // of the distances in the objective
}

// lloyd is Lloyd's iteration with additions from the centres, which it takes over.
func (p *problem) lloyd(ctx context.Context, start int, centers []float64,
	more additions) (*Result, error) {
	return p.iterate(ctx, start, centers, steps{
		assign: func() ([]int32, float64, error) {
			labels, err := p.nearest(ctx, centers)
			if err == nil {
				err = more.settle(labels, centers)
			}
			if err != nil {
				return nil, 0, err
			}
			objective, err := p.distortion(ctx, labels, centers)
			objective *= more.scale
			if more.cost != nil {
				objective += more.cost()
			}
			return labels, objective, err
		},
		learn: func(labels []int32) error {
			sums, counts, err := p.sums(ctx, labels)
			if err != nil {
				return err
			}
			if more.shift != nil {
				more.shift(centers, sums, counts)
			}
			p.update(centers, sums, counts)
			return nil
		},
	})
}
