package ecm

import (
	"math"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/words"
)

// mostUnknowns bounds the system of equations that the centres of all clusters solve together where
// each has a full metric of its own.
const mostUnknowns = 1024

// shapes are the metrics that clusters learn (Antoine et al. 2012, section 4.3, after Gustafson and
// Kessel 1979): S of determinant 1 for each cluster, and for a set the mean of its members'. For
// the masses and centres at hand S = det(Σ)^(1/d)·Σ⁻¹ lowers the objective most, Σ being the
// scatter that the cluster's sets, each weighed by q·|A|^(α−1), have about their barycentres.
type shapes struct {
	full, shared bool
	d, size      int
	of           []float64 // c times S: its diagonal, or its lower triangle row by row
	sets         []float64 // the same for each set
	roots        []float64 // c factors W, S = WᵀW
	constant     []bool    // columns that do not vary
	fr           *frame
}

func newShapes(x *vectors, fr *frame, full, shared bool) (*shapes, error) {
	s := &shapes{full: full, shared: shared, d: x.d, size: x.d, fr: fr}
	if full {
		s.size = x.d * (x.d + 1) / 2
	}
	if unknowns := fr.c * x.d; full && unknowns > mostUnknowns {
		return nil, fault.Inputf("let clusters learn a diagonal (--cluster-metric diagonal), or "+
			"use fewer columns", "full metrics of %s in %s are too many numbers to learn",
			words.Count(fr.c, "cluster"), words.Count(x.d, "column"))
	}
	for _, v := range x.vary {
		s.constant = append(s.constant, v == 0)
	}
	s.of, s.roots = make([]float64, fr.c*s.size), make([]float64, fr.c*s.size)
	for k := range fr.c {
		for j := range x.d {
			s.of[k*s.size+s.diagonal(j)], s.roots[k*s.size+s.diagonal(j)] = 1, 1
		}
	}
	s.sets = make([]float64, len(fr.size)*s.size)
	fr.barycentres(s.sets, s.of, s.size)
	return s, nil
}

// diagonal returns where the value of column j lies.
func (s *shapes) diagonal(j int) int {
	if s.full {
		return j*(j+1)/2 + j
	}
	return j
}

// distances sets near to the squared distances of a row to the barycentres of the sets.
func (s *shapes) distances(near, row, points, gap []float64) {
	for t := range near {
		shape := s.sets[t*s.size : (t+1)*s.size]
		for j, v := range points[t*s.d : (t+1)*s.d] {
			gap[j] = row[j] - v
		}
		near[t] = max(0, s.form(shape, gap))
	}
}

// form returns gapᵀ·shape·gap.
func (s *shapes) form(shape, gap []float64) float64 {
	sum := 0.0
	if !s.full {
		for j, v := range gap {
			sum = math.FMA(float64(v*v), shape[j], sum)
		}
		return sum
	}
	for j, v := range gap {
		row := shape[j*(j+1)/2:][:j+1]
		sum = math.FMA(v, math.FMA(v, row[j], 2*linalg.Dot(row[:j], gap[:j])), sum)
	}
	return sum
}

// moments adds coef[k]·xxᵀ to the second moments of each cluster k.
func (s *shapes) moments(square, coef, x []float64) {
	for k, q := range coef {
		to := square[k*s.size : (k+1)*s.size]
		s.outer(to, q, x, x, 1)
	}
}

// outer adds q·½(uvᵀ+vuᵀ)·twice to a matrix; with u = v and twice = 1 that is q·uuᵀ.
func (s *shapes) outer(to []float64, q float64, u, v []float64, twice float64) {
	q *= twice / 2
	if !s.full {
		for j := range to {
			to[j] = math.FMA(2*q*u[j], v[j], to[j])
		}
		return
	}
	at := 0
	for a := range u {
		ua, va := q*u[a], q*v[a]
		for b := range a + 1 {
			to[at] = math.FMA(ua, v[b], math.FMA(va, u[b], to[at]))
			at++
		}
	}
}

// move puts centres and metrics where the objective is least, one after the other. It returns false
// where centres move as without metrics.
func (s *shapes) move(e *engine) bool {
	if s.shared {
		e.sums.line = s.lines(e)
		return false // one metric for all drops out of the equations; learn follows
	}
	if s.full {
		s.moveFull(e)
	} else {
		s.moveDiagonal(e)
	}
	return true
}

// lines returns Σ q·line·x over the sets of each cluster.
func (s *shapes) lines(e *engine) []float64 {
	out := make([]float64, e.fr.c*e.d)
	for t, members := range e.fr.members {
		for _, k := range members {
			for j, v := range e.sums.of[t*e.d : (t+1)*e.d] {
				out[k*e.d+j] = math.FMA(e.fr.line[t], v, out[k*e.d+j])
			}
		}
	}
	return out
}

// moveDiagonal solves the normal equations of each column.
func (s *shapes) moveDiagonal(e *engine) {
	fr, c, d := e.fr, e.fr.c, e.d
	h, b, weight := linalg.NewLower(c), make([]float64, c), make([]float64, len(fr.size))
	for j := range d {
		clear(h.A)
		clear(b)
		for t, members := range fr.members {
			shape := s.sets[t*s.size+j]
			weight[t] = e.sums.weight[t] * shape
			for _, k := range members {
				b[k] = math.FMA(float64(fr.line[t]*shape), e.sums.of[t*d+j], b[k])
			}
		}
		fr.normal(h, weight)
		stay := factorSteady(h)
		if stay == 0 {
			continue
		}
		for k := range c {
			b[k] = math.FMA(stay, e.at[k*d+j], b[k])
		}
		h.Solve(b)
		for k := range c {
			e.at[k*d+j] = b[k]
		}
	}
}

// moveFull solves the normal equations of all columns and clusters together.
func (s *shapes) moveFull(e *engine) {
	fr, d := e.fr, e.d
	h, b := linalg.NewLower(fr.c*d), make([]float64, fr.c*d)
	for t, members := range fr.members {
		shape := s.sets[t*s.size : (t+1)*s.size]
		cross := float64(fr.cross[t] * e.sums.weight[t])
		sum := e.sums.of[t*d : (t+1)*d]
		for i, k := range members {
			for j := range d {
				row := h.Row(k*d + j)
				for _, l := range members[:i+1] {
					for o := range d {
						if l < k || o <= j {
							row[l*d+o] = math.FMA(cross, entry(shape, j, o), row[l*d+o])
						}
					}
				}
				for o, v := range sum {
					b[k*d+j] = math.FMA(float64(fr.line[t]*entry(shape, j, o)), v, b[k*d+j])
				}
			}
		}
	}
	stay := factorSteady(h)
	if stay == 0 {
		return
	}
	for i, v := range e.at {
		b[i] = math.FMA(stay, v, b[i])
	}
	h.Solve(b)
	copy(e.at, b)
}

// entry returns an entry of a symmetric matrix.
func entry(lower []float64, i, j int) float64 {
	if i < j {
		i, j = j, i
	}
	return lower[i*(i+1)/2+j]
}

// learn makes the metrics of the masses and the centres as they stand.
func (s *shapes) learn(e *engine) {
	c, d := e.fr.c, e.d
	scatter := e.sums.square
	middle := make([]float64, len(e.fr.size)*d)
	e.fr.barycentres(middle, e.at, d)
	for t, members := range e.fr.members {
		v, sum, line := middle[t*d:(t+1)*d], e.sums.of[t*d:(t+1)*d], e.fr.line[t]
		for _, k := range members {
			to := scatter[k*s.size : (k+1)*s.size]
			s.outer(to, -line, sum, v, 2)
			s.outer(to, float64(line*e.sums.weight[t]), v, v, 1)
		}
	}
	if !s.shared {
		for k := range c {
			s.renew(k, scatter[k*s.size:(k+1)*s.size])
		}
	} else {
		for k := 1; k < c; k++ {
			linalg.Add(scatter[:s.size], scatter[k*s.size:(k+1)*s.size])
		}
		s.renew(0, scatter[:s.size])
		for k := 1; k < c; k++ {
			copy(s.of[k*s.size:(k+1)*s.size], s.of[:s.size])
			copy(s.roots[k*s.size:(k+1)*s.size], s.roots[:s.size])
		}
	}
	e.fr.barycentres(s.sets, s.of, s.size)
}

// flat is the share of the mean variance that is added to all variances, so that a cluster that is
// flat in some direction has a metric.
const flat = 1e-6

// renew makes the metric of cluster k of its scatter; where that would not lower the objective, the
// metric stays.
func (s *shapes) renew(k int, scatter []float64) {
	mean, varying := 0.0, 0.0
	for j := range s.d {
		if !s.constant[j] {
			mean += scatter[s.diagonal(j)]
			varying++
		}
	}
	if !(mean > 0) {
		return
	}
	mean /= varying
	m := linalg.Lower{N: s.d, A: append([]float64(nil), scatter...)}
	for j := range s.d {
		if s.constant[j] { // as any other column, so that it does not set the volume
			m.A[s.diagonal(j)] = mean
		}
		m.A[s.diagonal(j)] += flat * mean
	}
	logs := 0.0
	if s.full {
		m.Factor(linalg.AtLeast(float64(flat * mean)))
		for j := range s.d {
			logs += 2 * elementary.Log(m.Row(j)[j])
		}
		m.Invert()
	} else {
		for j, v := range m.A {
			v = max(v, float64(flat*mean))
			logs += elementary.Log(v)
			m.A[j] = 1 / math.Sqrt(v)
		}
	}
	half := elementary.Exp(logs / float64(s.d) / 2)
	for j := range m.A {
		m.A[j] *= half
	}
	shape := make([]float64, s.size)
	s.square(shape, m.A)
	old := s.of[k*s.size : (k+1)*s.size]
	if s.trace(shape, scatter) <= s.trace(old, scatter) {
		copy(old, shape)
		copy(s.roots[k*s.size:(k+1)*s.size], m.A)
	}
}

// square sets shape to WᵀW.
func (s *shapes) square(shape, root []float64) {
	if !s.full {
		for j, v := range root {
			shape[j] = v * v
		}
		return
	}
	w := linalg.Lower{N: s.d, A: root}
	for a := range s.d {
		for b := range a + 1 {
			sum := 0.0
			for t := a; t < s.d; t++ {
				sum = math.FMA(w.Row(t)[a], w.Row(t)[b], sum)
			}
			shape[a*(a+1)/2+b] = sum
		}
	}
}

// trace returns tr(AB).
func (s *shapes) trace(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64(v * b[i])
	}
	if !s.full {
		return sum
	}
	sum *= 2 // the other triangle
	for j := range s.d {
		at := s.diagonal(j)
		sum -= float64(a[at] * b[at])
	}
	return sum
}
