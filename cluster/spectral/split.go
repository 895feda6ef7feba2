package spectral

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/prototypes"
)

const (
	firstGamma  = 0.2  // the first penalty of a violated pair above 0
	mostDouble  = 24   // doublings of it
	softDouble  = 5    // the same, where links cannot all be met
	gammaWithin = 1e-2 // share to which bisection finds the penalty, of firstGamma at least
)

// split cuts units in two by growing the penalty until allowed accepts a cut, and back by
// bisection until the penalty is known to 1 %. It begins from the second eigenvector, from random
// values, and from the two halves of a colouring, which allowed accepts. firm means that
// there are cuts that allowed accepts.
func (p *cutProblem) split(ctx context.Context, starts int, seed uint64, threads int,
	colour map[int32]int, firm bool, allowed func(cut) bool) (cut, error) {
	second, err := p.second(ctx, seed)
	if err != nil {
		return cut{}, err
	}
	halves := p.halves(colour, second)
	// Without a penalty, starts mostly end at the same cut. Where that will not do, the random ones
	// begin with one.
	f, plain, err := p.descend(ctx, second, 0)
	if err != nil {
		return cut{}, err
	}
	done := plain.side != nil && (len(p.apart) == 0 || allowed(plain))
	found := make([]cut, starts+1)
	err = parallel.Try(ctx, starts+1, 1, threads, func(b, _, _ int) (err error) {
		switch {
		case b == starts:
			found[b], err = p.from(ctx, halves, len(colour) > 0, firm, allowed)
		case b == 0 && done:
			found[b] = plain
		case b == 0:
			found[b], err = p.search(ctx, f, plain, firm, allowed)
		default:
			rng := rand.New(rand.NewPCG(seed, uint64(b)))
			f := make([]float64, p.n)
			for i := range f {
				f[i] = prototypes.Normal(rng)
			}
			p.smooth(f, 20, nil)
			if done {
				_, found[b], err = p.descend(ctx, f, 0)
			} else {
				found[b], err = p.search(ctx, f, plain, firm, allowed)
			}
		}
		return err
	})
	if err != nil {
		return cut{}, err
	}
	var best cut
	for _, c := range found {
		if c.side != nil && (best.side == nil || better(c, best, firm, allowed)) {
			best = c
		}
	}
	return best, nil
}

// better reports whether a cut is to be taken before another.
func better(a, b cut, firm bool, allowed func(cut) bool) bool {
	if firm {
		if fits := allowed(a); fits != allowed(b) {
			return fits
		}
	} else if a.violated != b.violated {
		return a.violated < b.violated
	}
	return a.ratio < b.ratio
}

// search grows the penalty from 0, whose descent ended at f, with a cut that is not allowed.
func (p *cutProblem) search(ctx context.Context, f []float64, best cut, firm bool,
	allowed func(cut) bool) (cut, error) {
	most := softDouble
	if firm {
		most = mostDouble
	}
	low, high, below := 0.0, firstGamma, f
	for range most {
		next, c, err := p.descend(ctx, below, high)
		if err != nil {
			return cut{}, err
		}
		if allowed(c) {
			best = c
			break
		}
		if better(c, best, firm, allowed) {
			best = c
		}
		low, high, below = high, 2*high, next
	}
	if !allowed(best) {
		return best, nil
	}
	for high-low > gammaWithin*max(high, firstGamma) {
		mid := (low + high) / 2
		next, c, err := p.descend(ctx, below, mid)
		if err != nil {
			return cut{}, err
		}
		if !allowed(c) {
			low, below = mid, next
			continue
		}
		high = mid
		if c.ratio < best.ratio {
			best = c
		}
	}
	return best, nil
}

// from improves a cut by a penalty that outweighs all that could be gained by violating a pair
// more.
func (p *cutProblem) from(ctx context.Context, f []float64, linked, firm bool,
	allowed func(cut) bool) (cut, error) {
	now := p.sweep(f, 0)
	if now.at < 0 {
		return cut{}, nil
	}
	given, gamma := p.judge(now), 0.0
	if linked {
		gamma = 1.01*given.ratio*p.total/4 + 1e-9
	}
	_, c, err := p.descend(ctx, f, gamma)
	if err != nil || !better(c, given, firm, allowed) {
		return given, err
	}
	return c, nil
}

// second returns the second eigenvector of the normalised Laplacian, over the roots of the degrees,
// or where the units are not connected the indicator of the largest component.
func (p *cutProblem) second(ctx context.Context, seed uint64) ([]float64, error) {
	m := p.matrix()
	of, count := m.Components()
	f := make([]float64, p.n)
	if count > 1 {
		volumes := make([]float64, count)
		for i, c := range of {
			volumes[c] += p.volume[i]
		}
		largest := linalg.ArgMax(volumes)
		for i, c := range of {
			if int(c) == largest {
				f[i] = 1
			}
		}
		return f, nil
	}
	r, err := linalg.Eigen(ctx, m.Normalised(),
		linalg.EigenConfig{Count: 1, Known: nullVectors(m), Tolerance: 1e-5, MaxProducts: 1000,
			Seed: seed, Threads: 1})
	if err != nil {
		return nil, err
	}
	for i := range f {
		f[i] = r.Vectors[0][i] / math.Sqrt(p.degree[i])
	}
	return f, nil
}

// halves returns two values by a colouring, colours of the first half against the others, and to
// units without a rival the side that their neighbours lean to.
func (p *cutProblem) halves(colour map[int32]int, second []float64) []float64 {
	count := 0
	for _, c := range colour {
		count = max(count, c+1)
	}
	if count < 2 {
		return second
	}
	fixed := make([]bool, p.n)
	f := make([]float64, p.n)
	for i, c := range colour {
		fixed[i] = true
		f[i] = -1
		if c >= (count+1)/2 {
			f[i] = 1
		}
	}
	p.smooth(f, 50, fixed)
	for i, v := range f {
		if f[i] = -1; v > 0 {
			f[i] = 1
		}
	}
	return f
}

// smooth replaces each value that is not fixed by the mean of its neighbours', again and again.
func (p *cutProblem) smooth(f []float64, rounds int, fixed []bool) {
	next := make([]float64, p.n)
	for range rounds {
		copy(next, f)
		for i := range f {
			if fixed != nil && fixed[i] || p.degree[i] == 0 {
				continue
			}
			sum := 0.0
			for _, e := range p.near[p.start[i]:p.start[i+1]] {
				sum += float64(e.w * f[e.to])
			}
			next[i] = sum / p.degree[i]
			if fixed == nil { // keep some of it, as smoothing alone makes all equal
				next[i] = 0.5*next[i] + 0.5*f[i]
			}
		}
		copy(f, next)
	}
}
