package spectral

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/linalg"
)

// inner solves the convex problems of a descent: min over ‖u‖ ≤ 1 of Σ w|u_i − u_j| + reach·(max u
// − min u) − ⟨u, g⟩. Its dual is
//
//	min ½‖r‖², r = g − Σ_e w_e a_e (e_i − e_j) − reach·(p − q), |a_e| ≤ 1, p and q in the simplex,
//
// and u = r/‖r‖. The dual is solved by FISTA (Beck and Teboulle 2009), each edge with a step of its
// own, as long as the degrees of its ends allow (ours). It goes on from where the last problem
// ended.
type inner struct {
	p           *cutProblem
	reach       float64
	step        []float64 // of edges
	a, b        []float64 // of edges: the iterate, and where momentum takes it
	high, highY []float64 // p
	low, lowY   []float64 // q
	r, u        []float64
	spare       []float64
}

func newInner(p *cutProblem, reach float64) *inner {
	in := &inner{p: p, reach: reach, a: make([]float64, len(p.edges)),
		b: make([]float64, len(p.edges)), r: make([]float64, p.n), u: make([]float64, p.n)}
	blocks := 1.0
	if reach > 0 {
		blocks = 2
	}
	in.step = make([]float64, len(p.edges))
	for e, c := range p.edges {
		in.step[e] = 1 / (blocks * (p.degree[c.a] + p.degree[c.b]))
	}
	if reach > 0 {
		in.high, in.highY = make([]float64, p.n), make([]float64, p.n)
		in.low, in.lowY = make([]float64, p.n), make([]float64, p.n)
		in.spare = make([]float64, p.n)
		for i := range p.n {
			in.high[i], in.low[i] = 1/float64(p.n), 1/float64(p.n)
		}
	}
	return in
}

// residual sets r from edge values and simplex points.
func (in *inner) residual(g, edge, high, low []float64) {
	copy(in.r, g)
	for e, v := range edge {
		c := &in.p.edges[e]
		t := float64(c.w * v)
		in.r[c.a] -= t
		in.r[c.b] += t
	}
	for i := range high {
		in.r[i] -= float64(in.reach * (high[i] - low[i]))
	}
}

// solve iterates until look, which returns the ratio at u, reports that it has fallen enough, or
// cannot fall more: bound is how far below 0 the minimum may lie. It returns the best u seen.
func (in *inner) solve(ctx context.Context, g []float64,
	look func(u []float64, bound float64) (ratio float64, enough bool)) (best []float64,
	ratio float64, err error) {
	copy(in.b, in.a)
	copy(in.highY, in.high)
	copy(in.lowY, in.low)
	ratio = math.Inf(1)
	for k, t := 1, 1.0; k <= mostInner; k++ {
		in.residual(g, in.b, in.highY, in.lowY)
		after := (1 + math.Sqrt(1+4*t*t)) / 2
		momentum := (t - 1) / after
		t = after
		a, b, step, r := in.a, in.b[:len(in.a)], in.step[:len(in.a)], in.r
		for e := range a {
			c := &in.p.edges[e]
			v := b[e] + float64(step[e]*(r[c.a]-r[c.b]))
			if v > 1 {
				v = 1
			} else if v < -1 {
				v = -1
			}
			b[e] = v + float64(momentum*(v-a[e]))
			a[e] = v
		}
		if in.reach > 0 {
			in.move(in.high, in.highY, 1/(4*in.reach), momentum)
			in.move(in.low, in.lowY, -1/(4*in.reach), momentum)
		}
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if k%lookEvery != 0 {
			continue
		}
		in.residual(g, in.a, in.high, in.low)
		norm := math.Sqrt(linalg.DotInOrder(in.r, in.r))
		if norm <= 1e-10*math.Sqrt(linalg.DotInOrder(g, g)) || norm == 0 {
			break
		}
		for i, v := range in.r {
			in.u[i] = v / norm
		}
		q, enough := look(in.u, norm)
		if q < ratio {
			ratio, best = q, append(best[:0], in.u...)
		}
		if enough && k >= 2*lookEvery {
			break
		}
	}
	return best, ratio, nil
}

// move takes a step in a simplex.
func (in *inner) move(x, y []float64, step, momentum float64) {
	for i, v := range y {
		in.spare[i] = v + float64(step*in.r[i])
	}
	ontoSimplex(in.spare)
	for i, v := range in.spare {
		y[i] = v + float64(momentum*(v-x[i]))
		x[i] = v
	}
}

// ontoSimplex replaces x by the nearest point with entries ≥ 0 that add up to 1 (Michelot 1986).
func ontoSimplex(x []float64) {
	threshold, count := math.Inf(-1), -1
	for {
		sum, some := 0.0, 0
		for _, v := range x {
			if v > threshold {
				sum += v
				some++
			}
		}
		if some == 0 || count >= 0 && some >= count { // more than before: rounding
			break
		}
		threshold, count = (sum-1)/float64(some), some
	}
	for i, v := range x {
		x[i] = max(0, v-threshold)
	}
}
