package mds

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/parallel"
)

// sums are what a pass over all ordered pairs finds, and add up to the stress at the best scale.
type sums struct {
	misfit   float64 // Σ (d − ‖x_i − x_j‖)²
	product  float64 // Σ d ‖x_i − x_j‖
	distance float64 // Σ ‖x_i − x_j‖²
}

// scale is the factor that brings the points closest to the dissimilarities.
func (s sums) scale() float64 {
	if s.distance == 0 {
		return 1
	}
	return s.product / s.distance
}

// raw is the stress after scaling. Written with the misfit it keeps its digits where the fit is
// nearly exact.
func (s sums) raw() float64 {
	if s.distance == 0 {
		return s.misfit
	}
	gap := s.distance - s.product
	return max(0, s.misfit-float64(gap*gap)/s.distance)
}

// stress1 is Kruskal's stress-1 after scaling.
func (s sums) stress1() float64 {
	switch {
	case s.misfit == 0:
		return 0
	case s.distance == 0 || s.product == 0:
		return 1
	}
	by := s.scale()
	return math.Sqrt(s.raw() / (float64(by*by) * s.distance))
}

// majorise lowers the stress of the landmarks from a start, and notes in out how it went.
//
// Every step is a Guttman transform (Borg and Groenen eq. 8.29), taken twice as far (De Leeuw and
// Heiser's relaxed update) after the points have their best scale: the quadratic majorant, a sphere
// around the transform, is no higher there than at the points, so the stress cannot rise, and about
// half the steps suffice.
func (f *fit) majorise(ctx context.Context, x []point, out *Result) ([]point, error) {
	guttman, best := make([]point, len(x)), make([]point, 0, len(x))
	before := math.Inf(1)
	for t := 0; ; t++ {
		s, err := f.transform(ctx, x, guttman)
		if err != nil {
			return nil, err
		}
		raw := s.raw()
		if raw > before { // by a rounding error
			out.Converged = true
			break
		}
		by := s.scale()
		best = best[:0]
		for i := range x {
			x[i] = x[i].times(by)
		}
		best = append(best, x...)
		out.Iterations, out.LandmarkStress = t, s.stress1()
		if t > 0 { // it falls with raw, but for rounding
			out.LandmarkStress = min(out.LandmarkStress, out.Trace[t-1])
		}
		out.Trace = append(out.Trace, out.LandmarkStress)
		out.Converged = raw == 0 || t > 0 && before-raw <= f.cfg.Tolerance*before
		f.report(Progress{Iteration: t, Stress1: out.LandmarkStress, Share: f.share(t, 0)})
		if out.Converged || t == f.cfg.MaxIterations {
			break
		}
		before = raw
		for i := range x {
			x[i] = guttman[i].times(2).minus(x[i])
		}
	}
	return best, nil
}

// share guesses the work done: an iteration of the landmarks costs as much as one of as many other
// objects.
func (f *fit) share(iteration, placed int) float64 {
	size := float64(len(f.landmarks))
	return 0.98 * (size*float64(iteration)/float64(f.cfg.MaxIterations) + float64(placed)/2) /
		(size + (float64(f.n)-size)/2)
}

// transform sets out to the Guttman transform of x and returns the sums at x.
func (f *fit) transform(ctx context.Context, x, out []point) (sums, error) {
	size := len(x)
	block := blockRows(size)
	parts := make([]sums, parallel.Count(size, block))
	err := parallel.Blocks(ctx, size, block, f.cfg.Threads, func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			at, s := guttmanOf(x[i], x, f.d[i*size:(i+1)*size])
			out[i] = at
			parts[b].misfit += s.misfit
			parts[b].product += s.product
			parts[b].distance += s.distance
		}
	})
	return add(parts), err
}

// add returns the total of partial sums, in their order.
func add(parts []sums) (all sums) {
	for _, s := range parts {
		all.misfit += s.misfit
		all.product += s.product
		all.distance += s.distance
	}
	return all
}

// guttmanOf returns the mean of the positions that the others would have a point at: each in the
// direction in which it lies now, at the distance d. A point on top of another stays there as far
// as that one is concerned.
func guttmanOf(at point, others []point, d []float32) (point, sums) {
	var mean point
	var s sums
	for j, y := range others {
		away := at.minus(y)
		square := away.norm2()
		distance := math.Sqrt(square)
		want := float64(d[j])
		gap := want - distance
		s.misfit += float64(gap * gap)
		s.product += float64(want * distance)
		s.distance += square
		mean[0] += y[0]
		mean[1] += y[1]
		mean[2] += y[2]
		if distance > 0 {
			stretch := want / distance
			mean[0] += float64(stretch * away[0])
			mean[1] += float64(stretch * away[1])
			mean[2] += float64(stretch * away[2])
		}
	}
	return mean.times(1 / float64(len(others))), s
}
