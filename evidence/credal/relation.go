package credal

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Relation is the mass function of two objects on the frame {same cluster, different clusters} that
// their own mass functions imply (cevclus-2013 §2.3; Denœux, Li & Sriboonchitta 2018). The four
// masses sum to 1.
type Relation struct {
	Empty     float64 // on ∅: one of the two is in no cluster
	Same      float64
	Different float64
	Unknown   float64 // on the frame
}

// Relation relates objects i and j.
func (p *Partition) Relation(i, j int) Relation {
	a, b := p.Row(i), p.Row(j)
	var same, conflict, emptyA, emptyB float64
	for k, s := range p.Focal {
		if s == 0 {
			emptyA, emptyB = a[k], b[k]
		}
		if s.Len() == 1 {
			same += float64(a[k] * b[k])
		}
		for l, t := range p.Focal {
			if !s.Meets(t) {
				conflict += float64(a[k] * b[l])
			}
		}
	}
	return relate(emptyA, emptyB, same, conflict)
}

// relate makes a relation of m(∅) of each, Σ m({ω})m'({ω}) and the conflict.
func relate(emptyA, emptyB, same, conflict float64) Relation {
	empty := emptyA + emptyB - float64(emptyA*emptyB)
	return Relation{
		Empty: empty, Same: same,
		Different: max(0, conflict-empty), // rounding may leave less than nothing
		Unknown:   max(0, 1-same-conflict),
	}
}

// BelSame returns the belief that both objects are in one cluster, Σ m_i({ω}) m_j({ω}).
func (r Relation) BelSame() float64 { return r.Same }

// PlSame returns the plausibility that both objects are in one cluster, 1 − κ (cevclus-2013 eq.
// 12).
func (r Relation) PlSame() float64 { return r.Same + r.Unknown }

// BelDifferent returns the belief that the objects are in different clusters.
func (r Relation) BelDifferent() float64 { return r.Different }

// PlDifferent returns the plausibility that the objects are in different clusters (cevclus-2013 eq.
// 17).
func (r Relation) PlDifferent() float64 { return r.Different + r.Unknown }

// conflict returns the mass that the conjunctive combination of two relations puts on ∅.
func conflict(r, s Relation) float64 {
	return r.Empty + s.Empty - float64(r.Empty*s.Empty) + float64(r.Same*s.Different) +
		float64(r.Different*s.Same)
}

// beliefDistance returns half the L1 distance of the belief functions.
func beliefDistance(r, s Relation) float64 {
	return (math.Abs(r.Same-s.Same) + math.Abs(r.Different-s.Different) +
		math.Abs(r.Empty-s.Empty)) / 2
}

// jousselme returns the distance of Jousselme, Grenier & Bossé (2001): ½ dᵀ J d under a root, J the
// Jaccard indices of the sets.
func jousselme(r, s Relation) float64 {
	e, a, d, u := r.Empty-s.Empty, r.Same-s.Same, r.Different-s.Different, r.Unknown-s.Unknown
	sum := float64(e*e) + float64(a*a) + float64(d*d) + float64(u*u) + float64(a*u) + float64(d*u)
	return math.Sqrt(max(0, sum) / 2)
}

// relator relates objects of a partition fast: C m of each is at hand.
type relator struct {
	p       *Partition
	layout  *layout
	against []float64 // n×f: C m of each object
}

// newRelator prepares a relator, which is of no use once ctx is done.
func newRelator(ctx context.Context, p *Partition, threads int) *relator {
	f := len(p.Focal)
	r := &relator{p: p, layout: newLayout(p.Clusters, p.Focal),
		against: make([]float64, len(p.Mass))}
	c := belief.ConflictMatrix(p.Focal)
	parallel.Blocks(ctx, p.Len(), blockRows, threads, func(_, lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			row := p.Row(i)
			for k := range f {
				sum := 0.0
				for l, m := range row {
					sum += float64(c[k*f+l] * m)
				}
				r.against[i*f+k] = sum
			}
		}
	})
	return r
}

func (r *relator) relate(i, j int) Relation {
	f := r.layout.f
	a, b, against := r.p.Row(i), r.p.Row(j), r.against[j*f:(j+1)*f]
	var emptyA, emptyB, same, conflict float64
	for k, m := range a {
		conflict += float64(m * against[k])
	}
	for _, k := range r.layout.single {
		if k >= 0 {
			same += float64(a[k] * b[k])
		}
	}
	if k := r.layout.empty; k >= 0 {
		emptyA, emptyB = a[k], b[k]
	}
	return relate(emptyA, emptyB, same, conflict)
}

// RandIndices are the credal Rand indices of two credal partitions (Denœux, Li & Sriboonchitta
// 2018): means over pairs of objects of how well the two [Relation]s of a pair agree. All lie in
// [0, 1] and are the Rand index where both partitions are hard and without outliers.
type RandIndices struct {
	Consistency float64 // 1 − mean conflict: 1 where nothing contradicts, however little is known
	Belief      float64 // 1 − mean belief distance: 1 where both agree
	Jousselme   float64 // 1 − mean Jousselme distance: the same with another distance
	Pairs       int     // pairs that were compared
	Sampled     bool    // whether they are a sample
}

// RandConfig reports how two partitions are compared. The zero value is the default.
type RandConfig struct {
	Exact   int    // objects up to which all pairs are compared; 0: 20000
	Pairs   int    // pairs drawn, with replacement, beyond that; 0: 2·10⁷
	Seed    uint64 // of the draw
	Threads int    // 0: one per processor; never changes the result
}

// CompareRand returns the credal Rand indices of two credal partitions of the same objects in the
// same order; the numbers of clusters may differ. Fewer than two objects agree fully.
func CompareRand(ctx context.Context, a, b *Partition, cfg RandConfig) (RandIndices, error) {
	n := a.Len()
	if n != b.Len() {
		return RandIndices{},
			fault.Inputf("give two of the same objects",
				"partitions of %d and %d objects cannot be compared", n, b.Len())
	}
	if n < 2 {
		return RandIndices{Consistency: 1, Belief: 1, Jousselme: 1}, ctx.Err()
	}
	c := comparison{a: newRelator(ctx, a, cfg.Threads), b: newRelator(ctx, b, cfg.Threads)}
	exact, draws := cfg.Exact, cfg.Pairs
	if exact <= 0 {
		exact = 20_000
	}
	if draws <= 0 {
		draws = 20_000_000
	}
	out := RandIndices{Pairs: n * (n - 1) / 2}
	var sums []agreement
	var err error
	if n <= exact {
		const blockObjects = 16
		sums = make([]agreement, parallel.Count(n, blockObjects))
		err = parallel.Blocks(ctx, n, blockObjects, cfg.Threads, func(block, lo, hi int) {
			for i := lo; i < hi && ctx.Err() == nil; i++ {
				for j := range i {
					c.add(&sums[block], i, j)
				}
			}
		})
	} else {
		const blockDraws = 1 << 14
		out.Pairs, out.Sampled = draws, true
		sums = make([]agreement, parallel.Count(draws, blockDraws))
		err = parallel.Blocks(ctx, draws, blockDraws, cfg.Threads, func(block, lo, hi int) {
			r := rand.New(rand.NewPCG(cfg.Seed, uint64(block)))
			for range hi - lo {
				i, j := r.IntN(n), r.IntN(n-1)
				if j >= i {
					j++
				}
				c.add(&sums[block], i, j)
			}
		})
	}
	if err != nil {
		return RandIndices{}, err
	}
	var sum agreement
	for _, s := range sums {
		sum.conflict += s.conflict
		sum.belief += s.belief
		sum.jousselme += s.jousselme
	}
	// masses that sum to a little more than 1 would leave [0, 1]
	index := func(sum float64) float64 {
		return min(1, max(0, 1-sum/float64(out.Pairs)))
	}
	out.Consistency, out.Belief, out.Jousselme = index(sum.conflict), index(sum.belief),
		index(sum.jousselme)
	return out, nil
}

type comparison struct{ a, b *relator }

// agreement sums over pairs.
type agreement struct{ conflict, belief, jousselme float64 }

func (c comparison) add(to *agreement, i, j int) {
	r, s := c.a.relate(i, j), c.b.relate(i, j)
	to.conflict += conflict(r, s)
	to.belief += beliefDistance(r, s)
	to.jousselme += jousselme(r, s)
}
