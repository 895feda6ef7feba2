package evclus

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/internal/linalg"
)

// gradientProblem is what gradientFit minimises.
type gradientProblem struct {
	terms    gradientTerms
	n        int
	focal    []belief.Set
	stress   Stress
	links    *linkTerms // nil: none
	xi       float64
	tol      float64 // ε
	maxSteps int
	threads  int
	progress func(step int, change, objective float64) // nil: silent
}

// The factors of the step sizes (β, γ and δ of cevclus-2013 App. A) and, ours, the size of the
// first change of the parameters and the mass that a smaller one starts from.
const (
	stepUp, stepDown, stepBack = 1.2, 0.8, 0.5
	firstChange                = 0.1
	seedMass                   = 1e-3
)

// gradientFit minimises a stress and the penalty of links (cevclus-2013 eqs. 12, 13, 18, 19) over
// softmax parameters (eq. 15) and, for Sammon, over a and b, by gradient descent with a step size
// for each parameter (App. A): a size grows by 1.2 where the derivative kept its sign and shrinks
// by 0.8 where not; after a rise of the objective all sizes are halved and the step is taken again
// from the point before, along the gradient there. The objective of the trace never rises.
//
// start is n×f masses. A softmax cannot leave 0, so masses below 10⁻³ start there. The paper leaves
// the first step sizes open: here the root mean square of the first changes is 0.1, whatever the
// scale of the objective. a starts at its best value with b = 0. Sammon's stress divides by d:
// where d = 0 for two objects, it divides by the smallest positive d, so that no pair weighs more
// than the heaviest that the stress defines.
//
// It stops when e_t = ½e_{t−1} + ½|J_t − J_{t−1}|/J_{t−1} < ε, e_0 = 1, t counting the steps that
// were kept, or after maxSteps. Where the context ends it returns the best point so far and the
// context's error.
func gradientFit(ctx context.Context, p gradientProblem, start []float64) (*solution, error) {
	f := len(p.focal)
	w := logMasses(start, f)
	if p.stress == Sammon {
		w = append(w, 0, 0)
	}
	d := newDescent(w)
	out := &solution{}
	e, err := newGradientEvaluator(ctx, p)
	if err == nil && p.stress == Sammon {
		k := p.n * f
		d.point[k], d.steps[k], d.steps[k+1], err = e.affine(ctx, d.point)
		copy(d.kept, d.point)
	}
	change := 1.0
	for err == nil {
		var j, stress float64
		if j, stress, err = e.evaluate(ctx, d.point, d.gradient); err != nil {
			break
		}
		switch {
		case len(out.trace) == 0:
			firstSteps(d.steps[:p.n*f], d.gradient)
			d.keep()
			out.objective, out.stress = j, stress
		case j <= out.objective:
			d.adapt()
			d.keep()
			change = 0.5*change + 0.5*relativeChange(out.objective, j)
			out.objective, out.stress = j, stress
		default: // J rose, or is no number
			d.shrink()
		}
		steps := len(out.trace)
		out.trace = append(out.trace, out.objective)
		if p.progress != nil && steps > 0 {
			p.progress(steps, change, out.objective)
		}
		if out.converged = change < p.tol; out.converged || steps == p.maxSteps {
			break
		}
		d.step()
	}
	out.mass = make([]float64, p.n*f)
	for i := range p.n {
		softmax(out.mass[i*f:i*f+f], d.kept[i*f:i*f+f])
	}
	if p.stress == Sammon {
		out.a, out.b = d.kept[p.n*f], d.kept[p.n*f+1]
	}
	return out, err
}

// descent is the state of the optimiser of cevclus-2013 App. A.
type descent struct {
	point, gradient    []float64 // where the objective is looked at next, and the derivatives there
	kept, keptGradient []float64 // the best point, which the steps start from
	steps              []float64
}

func newDescent(w []float64) *descent {
	n := len(w)
	return &descent{point: w, gradient: make([]float64, n), kept: slices.Clone(w),
		keptGradient: make([]float64, n), steps: make([]float64, n)}
}

// keep makes the point the one that steps start from.
func (d *descent) keep() {
	copy(d.kept, d.point)
	d.gradient, d.keptGradient = d.keptGradient, d.gradient
}

// adapt changes each step size by the signs of the last two derivatives (eq. 24).
func (d *descent) adapt() {
	for k, g := range d.gradient {
		if float64(g*d.keptGradient[k]) > 0 {
			d.steps[k] *= stepUp
		} else {
			d.steps[k] *= stepDown
		}
	}
}

// shrink halves all step sizes (eq. 26).
func (d *descent) shrink() {
	for k := range d.steps {
		d.steps[k] *= stepBack
	}
}

// step moves from the kept point along the gradient there (eqs. 25, 27).
func (d *descent) step() {
	for k := range d.point {
		d.point[k] = d.kept[k] - float64(d.steps[k]*d.keptGradient[k])
	}
}

func relativeChange(before, after float64) float64 {
	if before == after {
		return 0
	}
	return math.Abs(before-after) / before
}

// firstSteps makes the root mean square of the first changes firstChange.
func firstSteps(steps, gradient []float64) {
	var sum float64
	for k := range steps {
		sum += float64(gradient[k] * gradient[k])
	}
	size := 0.0
	if sum > 0 {
		size = firstChange / math.Sqrt(sum/float64(len(steps)))
	}
	for k := range steps {
		steps[k] = size
	}
}

// logMasses returns softmax parameters of masses, those below seedMass raised to it.
func logMasses(masses []float64, f int) []float64 {
	w := make([]float64, len(masses), len(masses)+2)
	for k, m := range masses {
		w[k] = math.Log(max(m, min(seedMass, 1/float64(f))))
	}
	return w
}

// softmax sets dst to the masses of parameters (cevclus-2013 eq. 15).
func softmax(dst, alpha []float64) {
	top := slices.Max(alpha)
	for k, a := range alpha {
		dst[k] = math.Exp(a - top)
	}
	linalg.Divide(dst, linalg.Sum(dst))
}
