package credal

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/evidence/belief"
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
		return belief.ArgMax(scratch[:l.c]) + 1
	})
}

// HardCredal returns the focal set of greatest mass of each object: the hard credal partition
// (cevclus-2013 §2.2).
func (p *Partition) HardCredal() []belief.Set {
	return each(p, func(_ *layout, row, _ []float64) belief.Set {
		return p.Focal[belief.ArgMax(row)]
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
	parts := make([]float64, parallel.Count(n, blockRows))
	parallel.Blocks(context.Background(), n, blockRows, 0, func(block, lo, hi int) {
		for i := lo; i < hi; i++ {
			parts[block] += l.nonspecificity(p.Row(i))
		}
	})
	sum := 0.0
	for _, part := range parts {
		sum += part
	}
	return sum / float64(n) / math.Log2(float64(p.Clusters))
}
