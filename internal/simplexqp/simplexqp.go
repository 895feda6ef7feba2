// Package simplexqp solves small convex quadratic programmes on the probability simplex.
package simplexqp

import "math"

// Solver minimises m'Hm − 2g'm over the vectors m ≥ 0 that sum to 1, by a primal active-set method.
// It holds the scratch for one size and serves one goroutine.
type Solver struct {
	f                   int
	free                []int  // the variables that may move
	isFree              []bool // whether a variable is among them
	start, grad, first  []float64
	chol, step          []float64
	ridge, scale, slack float64
}

// New makes a solver for f variables.
func New(f int) *Solver {
	v := make([]float64, 4*f+f*f)
	cut := func(n int) []float64 {
		out := v[:n:n]
		v = v[n:]
		return out
	}
	return &Solver{
		f: f, free: make([]int, 0, f), isFree: make([]bool, f),
		start: cut(f), grad: cut(f), first: cut(f), step: cut(f), chol: cut(f * f),
	}
}

// Solve moves m, which must lie in the simplex, to the minimiser. H is f×f, row-major, symmetric
// and positive semidefinite; where it is singular the minimiser near m is found, unless m has many
// variables and none is 0. It returns the change of the objective, never above 0, and how many
// systems of equations it took.
//
// At the end, with ∇ = Hm − g: ∇_k is one value λ wherever m_k > 1e-15, and at least λ elsewhere,
// within about 1e-10 of the size of H and g. A smaller m_k may be left over where rounding hides
// what its removal gains.
func (s *Solver) Solve(h, g, m []float64) (change float64, steps int) {
	s.begin(h, g, m)
	if s.scale == 0 {
		return 0, 0
	}
	if s.f > manyFree && len(s.free) == s.f {
		s.corner(h, g, m)
	}
	added := -1
	for steps < 8*s.f+16 {
		steps++
		blocking, length := s.move(h, m)
		if blocking >= 0 {
			s.release(blocking, m)
			if length == 0 && blocking == added {
				break // rounding alone had made it attractive
			}
			added = -1
			continue
		}
		if added = s.attractive(); added < 0 {
			break
		}
		s.free = append(s.free, added)
		s.isFree[added] = true
	}
	return s.finish(h, g, m), steps
}

// manyFree is the number of variables above which a start that is nowhere 0, as random ones are, is
// left for a corner: to fix them one by one takes as many systems of about f equations, and few are
// free at the end.
const manyFree = 16

// corner moves m to the best corner of the simplex.
func (s *Solver) corner(h, g, m []float64) {
	best, least := 0, math.Inf(1)
	for k, v := range g {
		if q := h[k*s.f+k] - 2*v; q < least {
			best, least = k, q
		}
	}
	clear(m)
	clear(s.isFree)
	m[best], s.isFree[best] = 1, true
	s.free = append(s.free[:0], best)
	for k, v := range g {
		s.grad[k] = h[best*s.f+k] - v
	}
}

// begin computes the gradient and frees the support of m.
func (s *Solver) begin(h, g, m []float64) {
	f := s.f
	s.free = s.free[:0]
	s.scale = 0
	for k := range f {
		s.scale = max(s.scale, math.Abs(h[k*f+k]), math.Abs(g[k]))
		s.isFree[k] = m[k] > 0
		if s.isFree[k] {
			s.free = append(s.free, k)
		}
	}
	s.ridge, s.slack = 1e-12*s.scale, 1e-10*s.scale
	copy(s.start, m)
	for k := range f {
		s.grad[k] = -g[k]
	}
	for _, j := range s.free {
		w := m[j]
		for k, v := range h[j*f : j*f+f] {
			s.grad[k] += float64(w * v)
		}
	}
	copy(s.first, s.grad)
}

// move goes towards the minimum over the free variables, their sum kept, as far as none turns
// negative. It returns the variable that stopped it, or −1, and the share of the way that was gone.
// The last free variable takes what the others leave, so that the sum stays exact however long a
// step in a flat direction would be.
func (s *Solver) move(h, m []float64) (blocking int, length float64) {
	n := len(s.free) - 1
	if n < 1 {
		return -1, 1
	}
	last := s.free[n]
	s.factor(h, n, last)
	step := s.step[:n]
	for i, k := range s.free[:n] {
		step[i] = s.grad[last] - s.grad[k]
	}
	s.solve(step)
	blocking, length = -1, 1
	taken := 0.0
	for i, k := range s.free[:n] {
		taken += step[i]
		if float64(length*step[i])+m[k] < 0 {
			blocking, length = k, -m[k]/step[i]
		}
	}
	if m[last]-float64(length*taken) < 0 {
		blocking, length = last, m[last]/taken
	}
	taken = 0
	for i, k := range s.free[:n] {
		p := float64(length * step[i])
		taken += p
		s.shift(h, m, k, p)
	}
	s.shift(h, m, last, -taken)
	return blocking, length
}

// shift changes one variable, and the gradient with it.
func (s *Solver) shift(h, m []float64, k int, p float64) {
	m[k] += p
	for j, v := range h[k*s.f : k*s.f+s.f] {
		s.grad[j] += float64(p * v)
	}
}

// factor puts the Cholesky factor of the free part of H, the last free variable eliminated and a
// ridge added, into chol; its diagonal is inverted.
func (s *Solver) factor(h []float64, n, last int) {
	toLast := h[last*s.f : last*s.f+s.f]
	for i, k := range s.free[:n] {
		row := s.chol[i*s.f : i*s.f+n]
		for j := range i + 1 {
			v := h[k*s.f+s.free[j]] - toLast[k] - toLast[s.free[j]] + toLast[last]
			if i == j {
				v += s.ridge
			}
			other := s.chol[j*s.f : j*s.f+n]
			for t := range j {
				v -= float64(row[t] * other[t])
			}
			if i == j {
				row[j] = 1 / math.Sqrt(max(v, s.ridge))
			} else {
				row[j] = v * other[j]
			}
		}
	}
}

// solve solves the factored system in place.
func (s *Solver) solve(b []float64) {
	for i := range b {
		row := s.chol[i*s.f:]
		v := b[i]
		for t := range i {
			v -= float64(row[t] * b[t])
		}
		b[i] = v * row[i]
	}
	for i := len(b) - 1; i >= 0; i-- {
		v := b[i]
		for t := i + 1; t < len(b); t++ {
			v -= float64(s.chol[t*s.f+i] * b[t])
		}
		b[i] = v * s.chol[i*s.f+i]
	}
}

// release fixes a variable at 0.
func (s *Solver) release(k int, m []float64) {
	m[k] = 0
	s.isFree[k] = false
	for i, j := range s.free {
		if j == k {
			s.free = append(s.free[:i], s.free[i+1:]...)
			return
		}
	}
}

// attractive returns the fixed variable that would lower the objective most by growing, or −1.
func (s *Solver) attractive() int {
	level := 0.0
	for _, k := range s.free {
		level += s.grad[k]
	}
	level = level/float64(len(s.free)) - s.slack
	best := -1
	for k, v := range s.grad {
		if v < level && !s.isFree[k] {
			best, level = k, v
		}
	}
	return best
}

// finish rounds m onto the simplex and returns the change of the objective; a rise by rounding is
// taken back.
func (s *Solver) finish(h, g, m []float64) float64 {
	sum := 0.0
	for _, k := range s.free {
		m[k] = max(m[k], 0)
		sum += m[k]
	}
	change := 0.0
	for _, k := range s.free {
		m[k] /= sum
	}
	for k := range m {
		change += float64((m[k] - s.start[k]) * (s.grad[k] + s.first[k]))
	}
	if !(change <= 0) {
		copy(m, s.start)
		return 0
	}
	return change
}

// Relax carries the last solution on in its direction, to omega times the way from the start of
// [Solver.Solve], or as far as the simplex goes; m must be as Solve left it. It returns the change
// of the objective that it makes. Up to omega = 2 Solve and Relax together never raise the
// objective; sweeps over many programmes that depend on each other converge in fewer rounds
// (successive over-relaxation).
func (s *Solver) Relax(m []float64, omega float64) float64 {
	var slope, curve float64 // of the objective along the way
	for k, v := range m {
		d := v - s.start[k]
		if d < 0 && s.start[k]+float64(omega*d) < 0 {
			omega = -s.start[k] / d
		}
		slope += float64(2 * s.first[k] * d)
		curve += float64(d * (s.grad[k] - s.first[k]))
	}
	if !(omega > 1) || !(curve > 0) {
		return 0
	}
	for k, v := range m {
		m[k] = max(0, s.start[k]+float64(omega*(v-s.start[k])))
	}
	return float64((omega-1)*slope) + float64((omega*omega-1)*curve)
}
