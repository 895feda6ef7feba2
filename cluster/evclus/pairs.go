package evclus

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
)

// similarPairs returns the pairs of clusters that are among each other's k most similar ones
// (kevclus-2016 §5): S(j,l) = Σ_i pl_ij pl_il with normalised contours (eq. 25). An object with all
// its mass on ∅ adds nothing, and a cluster is never its own neighbour. Ties go to the lower
// number.
func similarPairs(p *credal.Partition, k int) []belief.Set {
	c := p.Clusters
	s := make([]float64, c*c)
	contours := p.Possibilistic()
	none := slices.Index(p.Focal, 0)
	for i := range p.Len() {
		empty := 0.0
		if none >= 0 {
			empty = p.Row(i)[none]
		}
		if !(empty < 1) {
			continue
		}
		pl := contours[i*c : (i+1)*c]
		for j, a := range pl {
			if a == 0 {
				continue
			}
			a /= (1 - empty) * (1 - empty)
			for l, b := range pl {
				s[j*c+l] += float64(a * b)
			}
		}
	}
	near := make([]belief.Set, c)
	for j := range c {
		for range min(k, c-1) {
			best := -1
			for l := range c {
				if l != j && !near[j].Has(l) && (best < 0 || s[j*c+l] > s[j*c+best]) {
					best = l
				}
			}
			near[j] |= belief.Singleton(best)
		}
	}
	var pairs []belief.Set
	for j := range c {
		for l := range j {
			if near[j].Has(l) && near[l].Has(j) {
				pairs = append(pairs, belief.Singleton(j)|belief.Singleton(l))
			}
		}
	}
	return pairs
}

// addPairs is the second step of kevclus-2016 §5.
func (f *fitter) addPairs(ctx context.Context, first *solution) (*solution, error) {
	added := similarPairs(&credal.Partition{Clusters: f.cfg.Clusters, Focal: f.fr.focal,
		Mass: first.mass}, f.cfg.Pairs)
	added = slices.DeleteFunc(added,
		func(s belief.Set) bool { return slices.Contains(f.fr.focal, s) })
	if len(added) == 0 {
		return first, nil
	}
	focal, err := belief.Sort(f.cfg.Clusters, slices.Concat(f.fr.focal, added))
	if err != nil {
		return first, err
	}
	old := f.fr
	f.fr = newFrame(focal)
	mass := widen(first.mass, old.focal, focal)
	if f.engine != nil {
		f.engine.refocus(f.fr)
	}
	second, err := f.free(ctx, mass)
	if second == nil {
		f.fr = old
		return first, err
	}
	f.res.Pairs = added
	second.trace = append(first.trace, second.trace[1:]...)
	return second, err
}

// widen returns masses on more focal sets, 0 on the new ones.
func widen(mass []float64, from, to []belief.Set) []float64 {
	n := len(mass) / len(from)
	out := make([]float64, n*len(to))
	for k, a := range from {
		l := slices.Index(to, a)
		for i := range n {
			out[i*len(to)+l] = mass[i*len(from)+k]
		}
	}
	return out
}
