package linalg

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// lanczos finds the largest eigenvalues of m.
type lanczos struct {
	ctx   context.Context
	m     *Sparse
	cfg   EigenConfig
	basis int // vectors of length n that are held, beside those found and known
	space *space

	v        [][]float64   // the basis, and one vector more
	t        *mat.SymDense // the matrix in the basis
	products int
	draws    uint64

	values []float64 // pairs that have settled, largest first
	found  [][]float64
}

// run finds the pairs, and looks for more until there are none beyond the last.
func (l *lanczos) run() (*EigenResult, error) {
	n, m := l.m.N(), l.basis
	l.v = make([][]float64, m+1)
	for q := range l.v {
		l.v[q] = make([]float64, n)
	}
	want := l.cfg.Count
	if err := l.iterate(want, math.Inf(-1)); err != nil {
		return nil, err
	}
	for len(l.found) >= want && l.products < l.cfg.MaxProducts &&
		n-len(l.cfg.Known)-len(l.found) > m+1 {
		before := len(l.found)
		if err := l.iterate(1, l.values[want-1]); err != nil {
			return nil, err
		}
		if len(l.found) == before {
			break
		}
	}
	r := &EigenResult{Products: l.products}
	for c := range min(want, len(l.found)) {
		r.Values = append(r.Values, l.values[c])
		r.Vectors = append(r.Vectors, l.found[c])
	}
	if err := r.measure(l.ctx, l.m, l.cfg); err != nil {
		return nil, err
	}
	return r, nil
}

// iterate takes up the want largest pairs orthogonal to those found that are above the bound. With
// a bound it takes all above that are in sight once the first has settled, and stops as soon as the
// first is seen to be below.
func (l *lanczos) iterate(want int, above float64) error {
	m := l.basis
	l.t = mat.NewSymDense(m, nil)
	if err := l.random(l.v[0], nil); err != nil {
		return err
	}
	for kept := 0; ; {
		beta, err := l.extend(kept)
		if err != nil {
			return err
		}
		values, vectors, err := Symmetric(l.t)
		if err != nil {
			return err
		}
		residual := func(c int) float64 { return math.Abs(beta * vectors.At(m-1, c)) }
		settled := 0
		for settled < m && residual(settled) <= allowed(l.cfg.Tolerance, values[settled]) {
			settled++
		}
		if l.cfg.Progress != nil {
			l.cfg.Progress(l.products, min(l.cfg.Count, len(l.found)+min(settled, want)))
		}
		over := l.products >= l.cfg.MaxProducts
		if bounded := above > math.Inf(-1); bounded {
			// What is left lies below the bound by more than it is uncertain, or too little is
			// uncertain to matter.
			near := allowed(l.cfg.Tolerance, above)
			if r := residual(0); values[0]+r < above-near || values[0] < above-near &&
				r < 1e-4*math.Abs(above) || over {
				return nil
			}
			if settled > 0 {
				take := 0
				for take < settled && values[take] > above+near {
					take++
				}
				return l.take(values, vectors, take)
			}
		} else if settled >= want || over {
			return l.take(values, vectors, want)
		}
		keep := min(m-2, want+(m-want)/2)
		if err := l.restart(values, vectors, beta, keep); err != nil {
			return err
		}
		kept = keep
	}
}

// extend fills the basis up from the vector of the given position, and returns the length of what
// is left of the last product.
func (l *lanczos) extend(from int) (beta float64, err error) {
	m := l.basis
	others := append(slices.Clone(l.cfg.Known), l.found...)
	h := make([]float64, m+1+len(others))
	for j := from; j < m; j++ {
		w := l.v[j+1]
		if err := l.m.Apply(l.ctx, w, l.v[j], l.cfg.Threads); err != nil {
			return 0, err
		}
		l.products++
		// The neighbours first, as the three-term recurrence has it; what rounding leaves of all
		// goes in a second pass.
		first := max(0, j-1)
		if j == from {
			first = 0
		}
		near := l.v[first : j+1]
		if err := l.space.dots(l.ctx, h, near, w); err != nil {
			return 0, err
		}
		for q := range near {
			if first+q == j || j == from {
				l.t.SetSym(first+q, j, h[q])
			}
		}
		size, err := l.space.subtract(l.ctx, w, h, near)
		if err != nil {
			return 0, err
		}
		all := append(slices.Clone(l.v[:j+1]), others...)
		closed := true // each pass leaves less: there is nothing but rounding
		for pass := 0; pass < 4 && closed; pass++ {
			if err := l.space.dots(l.ctx, h, all, w); err != nil {
				return 0, err
			}
			l.t.SetSym(j, j, l.t.At(j, j)+h[j])
			before := size
			if size, err = l.space.subtract(l.ctx, w, h, all); err != nil {
				return 0, err
			}
			closed = size <= 0.5*before
		}
		beta = math.Sqrt(size)
		if closed || beta < 1e-13 { // the basis is closed under the matrix: go on anywhere else
			beta = 0
			if err := l.random(w, l.v[:j+1]); err != nil {
				return 0, err
			}
		} else {
			l.space.scale(w, 1/beta)
		}
		if j+1 < m {
			l.t.SetSym(j, j+1, beta)
		}
	}
	return beta, nil
}

// restart keeps the best vectors of the basis, and the one that comes after it.
func (l *lanczos) restart(values []float64, vectors *mat.Dense, beta float64, keep int) error {
	m := l.basis
	if err := l.rotate(vectors, keep); err != nil {
		return err
	}
	l.v[keep], l.v[m] = l.v[m], l.v[keep]
	l.t.Zero()
	for c := range keep {
		l.t.SetSym(c, c, values[c])
		l.t.SetSym(c, keep, beta*vectors.At(m-1, c))
	}
	return nil
}

func (l *lanczos) rotate(vectors *mat.Dense, keep int) error {
	m := l.basis
	coef := make([]float64, 0, m*keep)
	for q := range m {
		coef = append(coef, vectors.RawRowView(q)[:keep]...)
	}
	return l.space.rotate(l.ctx, l.v[:m], coef, keep)
}

// take adds the first pairs of the basis to those found.
func (l *lanczos) take(values []float64, vectors *mat.Dense, count int) error {
	if count == 0 {
		return nil
	}
	if err := l.rotate(vectors, count); err != nil {
		return err
	}
	for c := range count {
		at := 0
		for at < len(l.values) && l.values[at] >= values[c] {
			at++
		}
		l.values = slices.Insert(l.values, at, values[c])
		l.found = slices.Insert(l.found, at, slices.Clone(l.v[c]))
	}
	return nil
}

// random sets w to a random direction orthogonal to others, to known vectors and to those found.
func (l *lanczos) random(w []float64, others [][]float64) error {
	rng := rand.New(rand.NewPCG(l.cfg.Seed, 0x1a2c05+l.draws))
	l.draws++
	for i := range w {
		w[i] = float64(int64(rng.Uint64())) / (1 << 63)
	}
	others = append(append(slices.Clone(others), l.cfg.Known...), l.found...)
	h := make([]float64, len(others))
	for range 3 {
		size, err := l.space.norm(l.ctx, w)
		if err != nil {
			return err
		}
		l.space.scale(w, 1/size)
		if err := l.space.dots(l.ctx, h, others, w); err != nil {
			return err
		}
		if _, err := l.space.subtract(l.ctx, w, h, others); err != nil {
			return err
		}
	}
	size, err := l.space.norm(l.ctx, w)
	if err != nil {
		return err
	}
	l.space.scale(w, 1/size)
	return nil
}
