package credal

import "github.com/kindred-go/kindred/belief"

// Rough is a rough partition: the lower approximation of a cluster holds what surely belongs to it, the upper
// one what may (kevclus-2016 §2.2).
type Rough struct {
	Clusters int
	Upper    []belief.Set // Ω* of each object (kevclus-2016 eq. 7): the clusters that may be its own
	Outlier  []bool       // outliers are in no lower approximation
}

// Rough sums each object up by interval dominance.
func (p *Partition) Rough() *Rough {
	l, c := newLayout(p.Clusters, p.Focal), p.Clusters
	r := &Rough{Clusters: c, Upper: make([]belief.Set, p.Len()), Outlier: make([]bool, p.Len())}
	p.rows(func(i int, row, scratch []float64) {
		r.Upper[i] = l.undominated(row, scratch)
		r.Outlier[i] = l.outlier(row)
	})
	return r
}

// undominated gives Ω*; scratch has 2c places.
func (l *layout) undominated(row, scratch []float64) belief.Set {
	bel, pl := scratch[:l.c], scratch[l.c:2*l.c]
	l.beliefs(row, bel)
	l.plausibilities(row, pl)
	return belief.Undominated(bel, pl)
}

// Lower gives the clusters in whose lower approximation object i is: one, or the empty set where the object
// is ambiguous or an outlier.
func (r *Rough) Lower(i int) belief.Set {
	if r.Outlier[i] || r.Upper[i].Len() != 1 {
		return 0
	}
	return r.Upper[i]
}

// Ambiguous tells whether several clusters may be object i's own, an outlier aside.
func (r *Rough) Ambiguous(i int) bool { return !r.Outlier[i] && r.Upper[i].Len() > 1 }
