package kin

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/linalg"
)

const (
	// columns above which none is a feature that means something alone, as in vectors of texts
	mostFeatures = 128
	learnFrom    = 10 // nodes with known groups from which on the features are weighed
	// by how much better the weights must foretell the groups of known nodes than the plain
	// distance does
	learnGain = 0.05
	evenShare = 0.05 // weight of a feature that separates no groups, before scaling
	mostShare = 0.95 // share of the variance between groups beyond which a feature counts no more
)

// weigh looks now and then whether the known nodes foretell each other better in a metric that is
// learnt from their groups; the walk then goes on a graph of that metric, or of the plain distance.
// In few columns it is learnt which features separate the groups, in many which directions do not.
func (p *play) weigh(ctx context.Context) error {
	known := len(p.ends)
	if p.d > mostFeatures {
		known = p.grouped()
	}
	if known < p.learnAt || p.m > manyNodes {
		return nil
	}
	p.learnAt = max(p.learnAt*5/4, p.learnAt+4)
	if p.d > mostFeatures {
		return p.weighDirections(ctx)
	}
	return p.weighFeatures(ctx)
}

// weighFeatures looks whether the known nodes foretell each other better in a distance where
// features that separate the groups count for more.
func (p *play) weighFeatures(ctx context.Context) error {
	scale := p.features()
	if scale == nil {
		return nil
	}
	g, err := newGraph(ctx, p.means, p.m, p.d, p.cfg.Threads, scale)
	if err != nil {
		return err
	}
	p.stick(g)
	plain := p.walk
	if plain.graph != p.plain {
		if plain, err = p.on(ctx, p.plain); err != nil {
			return err
		}
	}
	learnt, err := p.on(ctx, g)
	if err != nil {
		return err
	}
	if p.foretold(learnt) > p.foretold(plain)+learnGain {
		p.walk = learnt
	} else {
		p.walk = plain
	}
	return nil
}

// members counts the known nodes of each group.
func (p *play) members() []int {
	out := make([]int, p.size)
	for _, g := range p.group {
		out[g]++
	}
	return out
}

// features weighs each feature by r/(1−r), as a share r of its variance over the known nodes lies
// between their groups (the correlation ratio, less what chance alone makes), groups of one aside.
// The weights have mean 1. nil: too little is known.
func (p *play) features() []float64 {
	members, d := p.members(), p.d
	n, groups := 0.0, 0.0
	for _, c := range members {
		if c > 1 {
			n, groups = n+float64(c), groups+1
		}
	}
	const more = 4 // nodes beyond one a group
	if groups < 2 || n < groups+more {
		return nil
	}
	mean, all := make([]float64, p.size*d), make([]float64, d)
	each := func(do func(g int, x []float64)) {
		for l, i := range p.ends {
			if g := p.group[l]; members[g] > 1 {
				do(g, p.means[i*d:(i+1)*d])
			}
		}
	}
	each(func(g int, x []float64) {
		for j, v := range x {
			mean[g*d+j] += v / float64(members[g])
			all[j] += v / n
		}
	})
	within, total := make([]float64, d), make([]float64, d)
	each(func(g int, x []float64) {
		for j, v := range x {
			a, b := v-mean[g*d+j], v-all[j]
			within[j] += float64(a * a)
			total[j] += float64(b * b)
		}
	})
	out, sum := make([]float64, d), 0.0
	for j := range out {
		out[j] = evenShare
		if total[j] > 0 {
			r := max(0, 1-(within[j]/(n-groups))/(total[j]/(n-1)))
			out[j] += r / (1 - min(r, mostShare))
		}
		sum += out[j]
	}
	for j := range out {
		out[j] *= float64(d) / sum
	}
	return out
}

// foretold is the mean probability that the walk from a known node ends in its group if it does not
// stop where it starts, over the nodes of groups of two and more: each is left out in turn, as
// harmonic functions allow without another fit.
func (p *play) foretold(w *walk) float64 {
	const little = 1e-3 // where nothing is near, a group is as good as another
	members, sum, n := p.members(), 0.0, 0.0
	for l := range w.ends {
		own := p.group[l]
		if members[own] < 2 {
			continue
		}
		to := p.beside(w, l)
		sum += (to[own] + little) / (linalg.Sum(to) + 2*little)
		n++
	}
	if n == 0 || math.IsNaN(sum) {
		return 0
	}
	return sum / n
}

// beside returns how probable it is that the walk from a known node ends in each group, if it does
// not stop where it starts, but where it comes back.
func (p *play) beside(w *walk, l int) []float64 {
	to := make([]float64, p.size)
	w.surroundings(l, func(o int, v float64) { to[p.group[o]] += v })
	return to
}
