package credal

import "github.com/kindred-go/kindred/evidence/belief"

// Rough is a rough partition: the lower approximation of a cluster holds what surely belongs to it,
// the upper one what may (kevclus-2016 §2.2).
type Rough struct {
	Clusters int
	Upper    []belief.Set // the clusters that may be an object's own: Ω* (kevclus-2016 eq. 7)
	Outlier  []bool       // outliers are in no lower approximation
}

// Rough sums each object up by interval dominance. No cluster is dominated where no singleton has
// mass: an object between clusters 1 and 2 for certain then has the frame as its Ω*, which
// [Partition.RoughByMass] is stricter about.
func (p *Partition) Rough() *Rough {
	upper := each(p, func(l *layout, row, scratch []float64) belief.Set {
		bel, pl := scratch[:l.c], scratch[l.c:2*l.c]
		l.beliefs(row, bel)
		l.plausibilities(row, pl)
		return belief.Undominated(bel, pl)
	})
	return &Rough{Clusters: p.Clusters, Upper: upper, Outlier: p.Outliers()}
}

// RoughByMass sums each object up by its focal set of greatest mass (see [Partition.HardCredal]):
// Upper is that set, and those whose set is ∅ are the outliers. It is the inverse of [FromRough].
func (p *Partition) RoughByMass() *Rough {
	r := &Rough{Clusters: p.Clusters, Upper: p.HardCredal(), Outlier: make([]bool, p.Len())}
	for i, s := range r.Upper {
		r.Outlier[i] = s == 0
	}
	return r
}

// Lower returns the clusters in whose lower approximation object i is: one, or the empty set where
// the object is ambiguous or an outlier.
func (r *Rough) Lower(i int) belief.Set {
	if r.Outlier[i] || r.Upper[i].Len() != 1 {
		return 0
	}
	return r.Upper[i]
}

// Ambiguous reports whether several clusters may be object i's own, an outlier aside.
func (r *Rough) Ambiguous(i int) bool { return !r.Outlier[i] && r.Upper[i].Len() > 1 }
