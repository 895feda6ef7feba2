package credal

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Hard returns each object's cluster by the rule, counted from 1, and 0 where all mass is on ∅. An
// outlier with some mass elsewhere has the cluster that it is nearest to; [Partition.Outliers]
// distinguishes it.
func (p *Partition) Hard(rule belief.Rule) []int { return p.hard(rule, true) }

// ArgMax returns each object's cluster by the rule, counted from 1, the first where all mass is on
// ∅.
func (p *Partition) ArgMax(rule belief.Rule) []int { return p.hard(rule, false) }

func (p *Partition) hard(rule belief.Rule, strangers bool) []int {
	return each(p, func(l *layout, row, scratch []float64) int {
		if strangers && l.stranger(row) {
			return 0
		}
		l.scores(rule, row, scratch[:l.c])
		return linalg.ArgMax(scratch[:l.c]) + 1
	})
}

// HardCredal returns the focal set of greatest mass of each object: the hard credal partition
// (cevclus-2013 §2.2).
func (p *Partition) HardCredal() []belief.Set {
	return each(p, func(_ *layout, row, _ []float64) belief.Set {
		return p.Focal[linalg.ArgMax(row)]
	})
}

// Outliers reports for each object whether m(∅) exceeds every other mass.
func (p *Partition) Outliers() []bool {
	return each(p, func(l *layout, row, _ []float64) bool { return l.outlier(row) })
}

// each returns a value of each object; scratch has length 2c.
func each[T any](p *Partition, of func(l *layout, row, scratch []float64) T) []T {
	l := newLayout(p.Clusters, p.Focal)
	out := make([]T, p.Len())
	p.rows(func(i int, row, scratch []float64) { out[i] = of(l, row, scratch) })
	return out
}

// Possibilistic returns the contour functions, n×c row-major: Pl({ω}) of each object and cluster.
func (p *Partition) Possibilistic() []float64 { return p.soft((*layout).plausibilities) }

// Beliefs returns Bel({ω}) of each object and cluster, n×c row-major.
func (p *Partition) Beliefs() []float64 { return p.soft((*layout).beliefs) }

// Pignistic returns the pignistic probabilities (cevclus-2013 eq. 8) after Dempster's
// normalisation, n×c row-major: a fuzzy partition, as [Partition.Fuzzy] is another.
func (p *Partition) Pignistic() []float64 { return p.soft((*layout).pignistic) }

// Fuzzy returns the contour functions scaled to sum to 1, n×c row-major.
func (p *Partition) Fuzzy() []float64 {
	return p.soft(func(l *layout, row, u []float64) {
		l.plausibilities(row, u)
		normalise(u)
	})
}

func (p *Partition) soft(of func(l *layout, row, out []float64)) []float64 {
	l, c := newLayout(p.Clusters, p.Focal), p.Clusters
	out := make([]float64, p.Len()*c)
	p.rows(func(i int, row, _ []float64) { of(l, row, out[i*c:(i+1)*c]) })
	return out
}

// Nonspecificities returns N(m) of each object in bits, from 0 to log2 c: Σ m(A) log2|A|, with log2
// c for ∅ (cevclus-2013 eq. 9).
func (p *Partition) Nonspecificities() []float64 {
	return each(p, func(l *layout, row, _ []float64) float64 { return l.nonspecificity(row) })
}

// Nonspecificity returns N*, the mean nonspecificity divided by log2 c: 0 is a hard partition, 1
// carries no information. It is 0 without objects or with one cluster.
func (p *Partition) Nonspecificity() float64 {
	n := p.Len()
	if n == 0 || p.Clusters < 2 {
		return 0
	}
	l := newLayout(p.Clusters, p.Focal)
	// the context never ends
	sum, _ := parallel.Sum(context.Background(), n, blockRows, 0, func(lo, hi int) (sum float64) {
		for i := lo; i < hi; i++ {
			sum += l.nonspecificity(p.Row(i))
		}
		return sum
	})
	return sum / float64(n) / math.Log2(float64(p.Clusters))
}

// Rough is a rough partition: the lower approximation of a cluster holds what surely belongs to it,
// the upper one what may (kevclus-2016 §2.2).
type Rough struct {
	Clusters int
	Upper    []belief.Set // the clusters that may be an object's own: Ω* (kevclus-2016 eq. 7)
	Outlier  []bool       // outliers are in no lower approximation

	// the cluster of each object that has mass on one alone, and on ∅ and the frame; else, and
	// where sole is nil, the empty set
	sole []belief.Set
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
	r := &Rough{Clusters: p.Clusters, Upper: upper, Outlier: p.Outliers()}
	r.sole = each(p, func(l *layout, row, _ []float64) belief.Set { return l.sole(row) })
	return r
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

// Ambiguous reports whether several clusters may be object i's own, an outlier and a weak member
// aside.
func (r *Rough) Ambiguous(i int) bool { return !r.Outlier[i] && r.May(i).Len() > 1 }

// Weak reports whether object i is a weak member of a cluster: ignorance, mass of the frame, keeps
// the others undominated, and no mass speaks for any of them.
func (r *Rough) Weak(i int) bool {
	return !r.Outlier[i] && r.sole != nil && r.sole[i] != 0 && r.Upper[i].Len() > 1
}

// May returns the clusters that may be object i's own: its cluster where it is a weak member, and
// Upper for all others.
func (r *Rough) May(i int) belief.Set {
	if r.Weak(i) {
		return r.sole[i]
	}
	return r.Upper[i]
}
