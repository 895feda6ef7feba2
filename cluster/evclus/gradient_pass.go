package evclus

import (
	"context"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// gradientBlock is the number of rows in a block of work.
const gradientBlock = 16

// gradientEvaluator computes objectives and gradients. It meets every term twice, once from each of
// its ends, so that a row's sums are its own: threads share nothing and their number changes no
// bit.
type gradientEvaluator struct {
	gradientProblem
	f, wide  int       // focal sets, and that rounded up to a multiple of 4
	conflict []float64 // C, f×f
	penalty  []float64 // P, f×f
	factor   float64   // of the links' penalties
	norm     float64   // 1/Σd (Sammon) or 1/Σδ² (Conflict) over the terms
	floor    float64   // Sammon: the smallest positive d, the divisor where d is 0
	masses   []float64 // n×f
	m, u     []float64 // n×wide: m_i and C m_i, zero beyond f
	parts    []termSums
}

// termSums are sums over terms, each met from both ends; q is the reciprocal of Sammon's divisor, r
// the residual.
type termSums struct {
	square       float64 // Σ q·r²
	da, db       float64 // Σ q·r·κ, Σ q·r
	q, kk, d, kd float64 // Σ q, qκ², qd, qκd
}

func (s *termSums) add(t termSums) {
	s.square += t.square
	s.da += t.da
	s.db += t.db
	s.q += t.q
	s.kk += t.kk
	s.d += t.d
	s.kd += t.kd
}

func newGradientEvaluator(ctx context.Context, p gradientProblem) (*gradientEvaluator, error) {
	f := len(p.focal)
	e := &gradientEvaluator{gradientProblem: p, f: f, wide: (f + 3) &^ 3,
		conflict: belief.ConflictMatrix(p.focal), penalty: belief.PenaltyMatrix(p.focal),
		masses: make([]float64, p.n*f)}
	e.m, e.u = make([]float64, p.n*e.wide), make([]float64, p.n*e.wide)
	e.parts = make([]termSums, parallel.Count(p.n, gradientBlock))
	if p.links != nil {
		e.factor = p.links.factor(p.xi)
	}
	return e, e.measure(ctx)
}

// measure finds the norm and the floor.
func (e *gradientEvaluator) measure(ctx context.Context) error {
	type part struct{ sum, least float64 }
	parts := make([]part, len(e.parts))
	err := parallel.Blocks(ctx, e.n, gradientBlock, e.threads, func(block, lo, hi int) {
		scratch := newTermScratch(e.terms)
		at := &parts[block]
		for i := lo; i < hi; i++ {
			js, values := e.terms.row(i, scratch)
			for t, v := range values {
				if js == nil && t == i {
					continue
				}
				d := float64(v)
				if d > 0 && (at.least == 0 || d < at.least) {
					at.least = d
				}
				if e.stress == Conflict {
					d *= d
				}
				at.sum += d
			}
		}
	})
	var sum float64
	for _, p := range parts {
		sum += p.sum
		if p.least > 0 && (e.floor == 0 || p.least < e.floor) {
			e.floor = p.least
		}
	}
	e.norm = 1
	if sum > 0 {
		e.norm = 2 / sum // each term was met twice
	}
	return err
}

// evaluate returns the objective at a point (the softmax parameters, then a and b where the stress
// is Sammon's), the part of it that is stress, and sets gradient to the derivatives.
func (e *gradientEvaluator) evaluate(ctx context.Context, point, gradient []float64) (objective,
	stress float64, err error) {
	a, b := 1.0, 0.0
	if e.stress == Sammon {
		a, b = point[e.n*e.f], point[e.n*e.f+1]
	}
	if err := e.spread(ctx, point); err != nil {
		return 0, 0, err
	}
	sums, err := e.pass(ctx, a, b, gradient)
	if err != nil {
		return 0, 0, err
	}
	stress = 0.5 * e.norm * sums.square
	objective = stress
	if e.factor > 0 {
		objective += float64(e.factor * e.links.penalty(e.masses, e.penalty, e.f))
	}
	if e.stress == Sammon {
		gradient[e.n*e.f], gradient[e.n*e.f+1] = e.norm*sums.da, e.norm*sums.db
	}
	return objective, stress, nil
}

// affine returns the a that minimises the Sammon stress at a point where b is 0, and the step sizes
// that are a tenth of a Newton step in a and in b. Random masses know nothing of the
// dissimilarities: were b free there, a would be about 0, of either sign, and the fit would rest in
// a poor minimum.
func (e *gradientEvaluator) affine(ctx context.Context, point []float64) (a, stepA, stepB float64,
	err error) {
	if err := e.spread(ctx, point); err != nil {
		return 0, 0, 0, err
	}
	s, err := e.pass(ctx, 1, 0, nil)
	if err != nil {
		return 0, 0, 0, err
	}
	a = s.d / s.q // no conflicts at all
	if s.kk > 0 {
		a, stepA = s.kd/s.kk, 0.1/(e.norm*s.kk)
	}
	return a, stepA, 0.1 / (e.norm * s.q), nil
}

// spread sets masses, m and u from softmax parameters.
func (e *gradientEvaluator) spread(ctx context.Context, point []float64) error {
	f, wide := e.f, e.wide
	return parallel.Blocks(ctx, e.n, 16*gradientBlock, e.threads, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := e.masses[i*f : i*f+f]
			softmax(row, point[i*f:i*f+f])
			copy(e.m[i*wide:], row)
			times(e.u[i*wide:i*wide+f], e.conflict, row)
		}
	})
}

// pass goes over the terms at the masses of spread. gradient nil: only the sums are wanted.
func (e *gradientEvaluator) pass(ctx context.Context, a, b float64, gradient []float64) (termSums,
	error) {
	f, wide := e.f, e.wide
	err := parallel.Blocks(ctx, e.n, gradientBlock, e.threads, func(block, lo, hi int) {
		scratch, weights := newTermScratch(e.terms), make([]float64, e.terms.most())
		pulled, byMass := make([]float64, wide), make([]float64, f)
		e.parts[block] = termSums{}
		for i := lo; i < hi; i++ {
			js, values := e.terms.row(i, scratch)
			w := weights[:len(values)]
			conflicts(w, e.u[i*wide:i*wide+wide], e.m, js)
			own := -1
			if js == nil {
				own = i
			}
			if e.stress == Sammon {
				e.sammonTerms(&e.parts[block], w, values, own, a, b)
			} else {
				conflictTerms(&e.parts[block], w, values, own)
			}
			if gradient == nil {
				continue
			}
			combine(pulled, w, e.m, js)
			times(byMass, e.conflict, pulled[:f])
			for k := range byMass {
				byMass[k] *= 2 * e.norm * a
			}
			if e.factor > 0 {
				e.links.linear(byMass, i, e.masses, e.penalty, e.factor)
			}
			row := e.masses[i*f : i*f+f]
			mean := linalg.DotInOrder(row, byMass)
			for k, x := range byMass {
				gradient[i*f+k] = row[k] * (x - mean) // cevclus-2013 eq. 16e
			}
		}
	})
	var sums termSums
	for _, p := range e.parts {
		sums.add(p)
	}
	return sums, err
}

// conflictTerms turns w from conflicts into residuals κ − δ, and that of own, if any, into 0.
func conflictTerms(sums *termSums, w []float64, values []float32, own int) {
	if own >= 0 {
		w[own] = float64(values[own])
	}
	var square float64
	for t, v := range values {
		r := w[t] - float64(v)
		w[t] = r
		square += float64(r * r)
	}
	sums.square += square
}

// sammonTerms turns w from conflicts into residuals aκ + b − d over d, and that of own into 0.
func (e *gradientEvaluator) sammonTerms(sums *termSums, w []float64, values []float32, own int, a,
	b float64) {
	var s termSums
	for t, v := range values {
		if t == own {
			w[t] = 0
			continue
		}
		k, d := w[t], float64(v)
		q := 1 / max(d, e.floor)
		r := float64(a*k) + b - d
		qr, qk := q*r, q*k
		w[t] = qr
		s.square += float64(qr * r)
		s.da += float64(qr * k)
		s.db += qr
		s.q += q
		s.kk += float64(qk * k)
		s.d += float64(q * d)
		s.kd += float64(qk * d)
	}
	sums.add(s)
}
