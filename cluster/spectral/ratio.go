package spectral

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/disjoint"
)

// A cut is two parts of units.
type cut struct {
	side     []bool
	ratio    float64 // cut weight over balance: see cutProblem.sweep
	violated int     // pairs that should be apart and are not
}

// levels are what the level sets of an f amount to.
type levels struct {
	ratio   float64 // F_γ at f
	balance float64 // of f
	best    float64 // F_γ of the best level set
	at      int     // where that ends in order; −1: all values of f are equal
	order   []int32 // units by f
}

// sweep returns F_γ at f, by its level sets, and the best of those as a cut: F of a set C is
// (cut(C) + γ·violated(C)) / balance(C) with balance vol(C)·vol(C̄)/vol, and F of f is the quotient
// of the sums over level sets, each by its step of f (the Lovász extensions).
func (p *cutProblem) sweep(f []float64, gamma float64) levels {
	order := disjoint.Singletons(p.n)
	slices.SortFunc(order,
		func(a, b int32) int { return cmp.Or(cmp.Compare(f[a], f[b]), cmp.Compare(a, b)) })
	place := make([]int32, p.n)
	for t, i := range order {
		place[i] = int32(t)
	}
	best, at := math.Inf(1), -1
	weight, volume, violated := 0.0, 0.0, len(p.apart)
	over, under := 0.0, 0.0
	for t, i := range order[:p.n-1] {
		for _, e := range p.near[p.start[i]:p.start[i+1]] {
			if place[e.to] > int32(t) {
				weight += e.w
			} else {
				weight -= e.w
			}
		}
		for _, j := range p.rival[i] {
			if place[j] > int32(t) {
				violated--
			} else {
				violated++
			}
		}
		volume += p.volume[i]
		step := f[order[t+1]] - f[i]
		if step <= 0 {
			continue
		}
		top := max(0, weight) + float64(gamma*float64(violated))
		balance := volume * (p.total - volume) / p.total
		over += float64(step * top)
		under += float64(step * balance)
		if q := top / balance; q < best {
			best, at = q, t
		}
	}
	return levels{over / under, under, best, at, order}
}

// judge makes a cut of the best level set.
func (p *cutProblem) judge(l levels) cut {
	c := cut{side: make([]bool, p.n)}
	for _, i := range l.order[l.at+1:] {
		c.side[i] = true
	}
	return p.measure(c)
}

// measure fills in the ratio, without links, and the pairs violated.
func (p *cutProblem) measure(c cut) cut {
	weight, volume := 0.0, 0.0
	for _, e := range p.edges {
		if c.side[e.a] != c.side[e.b] {
			weight += e.w
		}
	}
	for i, v := range p.volume {
		if c.side[i] {
			volume += v
		}
	}
	c.violated = 0
	for _, pair := range p.apart {
		if c.side[pair[0]] == c.side[pair[1]] {
			c.violated++
		}
	}
	c.ratio = weight * p.total / (volume * (p.total - volume))
	return c
}

const (
	mostOuter = 40   // convex problems of a descent
	mostInner = 640  // steps of one
	lookEvery = 20   // steps after which it is looked whether the ratio has fallen enough
	fallBy    = 1e-3 // share of the ratio that a convex problem has to take off
)

// descend lowers F_γ from f (RatioDCA: Hein and Setzer, NIPS 2011; Rangapuram and Hein 2012,
// algorithm 1), and returns the last f and the best level set on the way. Where all values of f are
// equal there is no cut.
func (p *cutProblem) descend(ctx context.Context, f []float64, gamma float64) ([]float64, cut,
	error) {
	now := p.sweep(f, gamma)
	if now.at < 0 {
		return f, cut{}, nil
	}
	ratio, best, found := now.ratio, now.best, p.judge(now)
	inner := newInner(p, gamma*float64(len(p.apart)))
	g := make([]float64, p.n)
	for range mostOuter {
		p.linear(g, f, gamma, ratio, now.order)
		next, lower, err := inner.solve(ctx, g, func(u []float64, bound float64) (float64, bool) {
			l := p.sweep(u, gamma)
			if l.at >= 0 && l.best < best {
				best, found = l.best, p.judge(l)
			}
			// By weak duality no unit vector of that balance takes more than bound/balance off the
			// ratio.
			return l.ratio, l.ratio < ratio*(1-fallBy) || bound < fallBy*ratio*l.balance
		})
		if err != nil {
			return nil, cut{}, err
		}
		if !(lower < ratio*(1-1e-9)) || ratio < 1e-12 {
			break
		}
		fell := lower < ratio*(1-fallBy)
		f, ratio = next, lower
		now = p.sweep(f, gamma)
		if !fell {
			break
		}
	}
	return f, found, nil
}

// linear sets g to an element of the subdifferentials at f of what enters with a minus: γ Σ|f_i −
// f_j| over pairs that should be apart, and ratio times the balance.
func (p *cutProblem) linear(g, f []float64, gamma, ratio float64, order []int32) {
	below := 0.0
	for t := 0; t < p.n; {
		end, volume := t, 0.0
		for end < p.n && f[order[end]] == f[order[t]] {
			volume += p.volume[order[end]]
			end++
		}
		above := p.total - below - volume
		for _, i := range order[t:end] {
			g[i] = ratio * p.volume[i] * (below - above) / p.total
		}
		below += volume
		t = end
	}
	for _, pair := range p.apart {
		a, b := pair[0], pair[1]
		switch {
		case f[a] > f[b]:
			g[a] += gamma
			g[b] -= gamma
		case f[a] < f[b]:
			g[a] -= gamma
			g[b] += gamma
		}
	}
}
