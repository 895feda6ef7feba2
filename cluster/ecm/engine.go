package ecm

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// engine lowers the objective of a fit to vectors, from given centres.
type engine struct {
	*vectors
	fr      *frame
	pow     powers
	gamma   float64 // of CCM; 0: the costs are those of ECM
	noise   float64 // δ², scaled
	limit   []float64
	threads int

	strange bool // rows are not those of the fit, and may be anywhere

	at []float64 // c×d centres
	// what objects are compared with: barycentres of the sets; for CCM the centres, too
	points []float64
	shapes *shapes // nil: Euclidean

	links *links // nil: none
	sums  *sums
}

// newEngine returns an engine without centres; gamma is that of CCM, and 0 for ECM, and noise δ,
// scaled.
func newEngine(x *vectors, fr *frame, cfg Config, gamma, noise float64) *engine {
	e := &engine{vectors: x, fr: fr, pow: newPowers(cfg.Fuzziness), gamma: gamma,
		noise: max(float64(noise*noise), 1e-300), threads: cfg.Threads}
	points := len(fr.size)
	if gamma > 0 {
		fr.credal(gamma)
		points += fr.c
	}
	e.limit, e.points = newLimits(fr), make([]float64, points*x.d)
	return e
}

// sums is what the centres and metrics follow from.
type sums struct {
	cost   float64   // of the objects
	weight []float64 // Σ q of each set
	line   []float64 // c×d: Σ q·line·x over the sets of each cluster; not with shapes
	of     []float64 // sets×d: Σ q·x of each set; with shapes
	square []float64 // second moments of each cluster, Σ q·line·xxᵀ; with shapes
}

func (e *engine) newSums() *sums {
	s := &sums{weight: make([]float64, len(e.fr.size))}
	if e.shapes == nil {
		s.line = make([]float64, e.fr.c*e.d)
		return s
	}
	s.of = make([]float64, len(e.fr.size)*e.d)
	s.square = make([]float64, e.fr.c*e.shapes.size)
	return s
}

func (s *sums) add(t *sums) {
	s.cost += t.cost
	linalg.Add(s.weight, t.weight)
	linalg.Add(s.line, t.line)
	linalg.Add(s.of, t.of)
	linalg.Add(s.square, t.square)
}

// newLimits returns what sets cost in proportion to each other where their prototypes are equally
// near.
func newLimits(fr *frame) []float64 {
	out := make([]float64, len(fr.sets))
	copy(out[fr.noise:], fr.cost)
	if fr.noise == 1 {
		out[0] = 1
	}
	return out
}

// worker is the scratch of one block.
type worker struct {
	row, near, w, m, coef, gap []float64
}

func (e *engine) newWorker() *worker {
	return &worker{
		row: make([]float64, e.d), near: make([]float64, len(e.points)/e.d),
		w: make([]float64, len(e.fr.sets)), m: make([]float64, len(e.fr.sets)),
		coef: make([]float64, e.fr.c), gap: make([]float64, e.d),
	}
}

// place readies the engine for new centres.
func (e *engine) place() {
	sets := len(e.fr.size)
	e.fr.barycentres(e.points[:sets*e.d], e.at, e.d)
	if e.gamma > 0 {
		copy(e.points[sets*e.d:], e.at)
	}
}

// farthest bounds the values of rows that are placed, scaled: from farther off, where squares would
// overflow, all centres are as good as equally far.
const farthest = 1e100

// costs sets w.w to what each set costs row i at a mass of 1.
func (e *engine) costs(w *worker, i int) {
	e.load(w.row, i)
	if e.strange {
		for j, v := range w.row {
			w.row[j] = max(-farthest, min(farthest, v))
		}
	}
	switch {
	case e.shapes != nil:
		e.shapes.distances(w.near, w.row, e.points, w.gap)
	case e.d >= 5:
		simd.SquaredDistances(w.near, w.row, e.points)
	default:
		for s := range w.near {
			sum := 0.0
			for j, v := range e.points[s*e.d : s*e.d+len(w.row)] {
				u := w.row[j] - v
				sum += float64(u * u)
			}
			w.near[s] = sum
		}
	}
	if e.fr.noise == 1 {
		w.w[0] = e.noise
	}
	to := w.w[e.fr.noise:]
	if e.gamma == 0 {
		for s, cost := range e.fr.cost {
			to[s] = cost * w.near[s]
		}
		return
	}
	each := w.near[len(to):]
	for s, members := range e.fr.members {
		if to[s] = w.near[s]; e.fr.single[s] {
			continue
		}
		sum := float64(e.gamma * w.near[s])
		for _, k := range members {
			sum += each[k]
		}
		to[s] = sum / (e.fr.size[s] + e.gamma)
	}
}

// add takes a row with its masses w.m into the sums.
func (e *engine) add(s *sums, w *worker) {
	fr := e.fr
	clear(w.coef)
	for t, mass := range w.m[fr.noise:] {
		q := e.pow.weight(mass)
		s.weight[t] += q
		q *= fr.line[t]
		for _, k := range fr.members[t] {
			w.coef[k] += q
		}
	}
	if e.shapes == nil {
		for k, q := range w.coef {
			to := s.line[k*e.d : (k+1)*e.d]
			for j, v := range w.row[:len(to)] {
				to[j] += float64(q * v)
			}
		}
		return
	}
	for t, mass := range w.m[fr.noise:] {
		q := e.pow.weight(mass)
		to := s.of[t*e.d : (t+1)*e.d]
		for j, v := range w.row[:len(to)] {
			to[j] += float64(q * v)
		}
	}
	e.shapes.moments(s.square, w.coef, w.row)
}

// pass makes the masses of all rows for the centres as they stand, and the sums that new centres
// follow from. Where keep is not nil it takes the masses.
func (e *engine) pass(ctx context.Context, keep []float64) error {
	e.place()
	f := len(e.fr.sets)
	parts := make([]*sums, parallel.Count(e.n, e.block))
	err := parallel.Blocks(ctx, e.n, e.block, e.threads, func(b, lo, hi int) {
		w, s := e.newWorker(), e.newSums()
		for i := lo; i < hi; i++ {
			if i%256 == 0 && ctx.Err() != nil {
				return
			}
			if e.links != nil && e.links.of[i] >= 0 {
				continue
			}
			e.costs(w, i)
			s.cost += e.pow.masses(w.m, w.w, e.limit)
			if keep != nil {
				copy(keep[i*f:(i+1)*f], w.m)
				continue
			}
			e.add(s, w)
		}
		parts[b] = s
	})
	if err != nil {
		return err
	}
	e.sums = parts[0]
	for _, s := range parts[1:] {
		e.sums.add(s)
	}
	return nil
}

// move puts the centres where the objective is least for the masses of the last pass.
func (e *engine) move() {
	fr, c, d := e.fr, e.fr.c, e.d
	if e.shapes != nil && e.shapes.move(e) {
		return
	}
	h := linalg.NewLower(c)
	fr.normal(h, e.sums.weight)
	stay := factorSteady(h)
	if stay == 0 {
		return // all is noise
	}
	b := make([]float64, c)
	for j := range d {
		for k := range c {
			b[k] = math.FMA(stay, e.at[k*d+j], e.sums.line[k*d+j])
		}
		h.Solve(b)
		for k := range c {
			e.at[k*d+j] = b[k]
		}
	}
}

// normal adds the left side of the normal equations of the centres to h.
func (fr *frame) normal(h linalg.Lower, weight []float64) {
	for s, members := range fr.members {
		diag, cross := float64(fr.diag[s]*weight[s]), float64(fr.cross[s]*weight[s])
		for i, k := range members {
			row := h.Row(k)
			row[k] += diag
			for _, l := range members[:i+1] {
				row[l] += cross
			}
		}
	}
}

// factorSteady factors normal equations, after it has added to their diagonal the small weight by
// which centres hold to where they are, and returns that weight; 0 where the equations are. The
// weight keeps them regular where a cluster has no mass, and as it adds a square that is 0 before,
// the objective falls all the same.
func factorSteady(h linalg.Lower) (stay float64) {
	for i := range h.N {
		stay = max(stay, h.Row(i)[i])
	}
	if stay *= 1e-12; stay == 0 {
		return 0
	}
	for i := range h.N {
		h.Row(i)[i] += stay
	}
	h.Factor(linalg.AtLeast(stay))
	return stay
}

// metric returns the metric as results name it.
func (e *engine) metric() fit.Metric {
	switch {
	case e.shapes == nil:
		return fit.Euclidean
	case e.shapes.full:
		return fit.Full
	}
	return fit.Diagonal
}
