package evclus

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/nearest"
)

// How far links reach, and what they weigh. All are ours; [Choose] was measured on
// wine, ionosphere, parkinsons, column_3C, glass and breast cancer.
const (
	// of the weight of Anchor what Soft has, over the number of clusters, as what moving a row
	// costs is in proportion to the size of clusters: those stay that are far from all but their own
	softWeight = 0.2
	ownWeight  = 3    // of a link itself, where neighbours are lent it
	leastShare = 0.5  // of the paper's weight of all links, what lent ones weigh together where
	fullShare  = 40.0 // few are violated, and how many it takes that they weigh all of it

	reachLeast = 5 // neighbours that an end lends its link to
	reachMost  = 20
	reachLinks = 4       // reach times linked objects, over n, where there are many
	lentMost   = 4 << 20 // lent pairs, for memory
)

// constrain brings the links in, from the solution without them.
func (f *fitter) constrain(ctx context.Context, base *solution) (*solution, error) {
	f.res.Links, f.res.Violated = len(f.links.ties), f.violatedBy(base)
	f.res.Used = f.cfg.Constraints
	var near map[int32][]neighbour
	if f.res.Used == Propagate || f.res.Used == Choose && f.res.Violated >= predictLeast {
		var err error
		if near, err = f.neighbours(ctx, f.reach()); err != nil {
			return base, err
		}
	}
	if f.res.Used == Choose {
		var err error
		if f.res.Used, err = f.choose(ctx, base, near); err != nil {
			return base, err
		}
	}
	switch f.res.Used {
	case Soft:
		return f.anchor(ctx, base, softWeight/float64(f.cfg.Clusters))
	case Anchor:
		return f.anchor(ctx, base, 1)
	case Propagate:
		return f.propagate(ctx, base, f.links, near)
	default: // the paper's way: all rows move, and a link weighs ξ/(2L)
		return f.constrained(ctx, base, f.links, f.links.factor(f.cfg.LinkWeight), nil)
	}
}

// anchor moves the linked rows alone, from base. One link of L weighs ξ/(2L), which is more than
// all terms of a row, so that linked objects become certain and push away all that is not just like
// them; while the other rows stand they cannot. Few links weigh less: min(1, L/n) of the paper's
// weight.
func (f *fitter) anchor(ctx context.Context, base *solution, weight float64) (*solution, error) {
	only := make([]bool, f.n)
	for _, i := range f.links.linked {
		only[i] = true
	}
	factor := weight * f.links.factor(f.cfg.LinkWeight) * min(1, f.links.total/float64(f.n))
	return f.constrained(ctx, base, f.links, factor, only)
}

// propagate fits all rows, from base, under links that each end lends to its neighbours. All links
// together weigh from leastShare, where the fit without them violates few, to the whole of what the
// paper has them weigh.
func (f *fitter) propagate(ctx context.Context, base *solution, links linkTerms,
	near map[int32][]neighbour) (*solution, error) {
	lent := lend(ctx, f.n, links.ties, near)
	if err := ctx.Err(); err != nil {
		return base, err
	}
	share := min(1, max(leastShare, float64(f.res.Violated)/fullShare))
	factor := share * lent.factor(f.cfg.LinkWeight) * min(1, lent.total/float64(f.n))
	return f.constrained(ctx, base, lent, factor, nil)
}

// constrained minimises under links from a copy of base, which it returns where a cancellation
// keeps it from more.
func (f *fitter) constrained(ctx context.Context, base *solution, links linkTerms, factor float64,
	only []bool) (*solution, error) {
	s, err := f.minimise(ctx, slices.Clone(base.mass), links, factor, only)
	if s == nil {
		return base, err
	}
	return s, err
}

// violatedBy counts the links that the pignistic decisions of a solution break.
func (f *fitter) violatedBy(s *solution) int { return f.links.violated(f.decisions(s)) }

// decisions returns the cluster of greatest pignistic probability of each object.
func (f *fitter) decisions(s *solution) []int {
	p := &credal.Partition{Clusters: f.cfg.Clusters, Focal: f.fr.focal, Mass: s.mass}
	return p.ArgMax(belief.MaxPignistic)
}

// reach returns the number of neighbours that a linked object lends its links to: as many as let
// each object be lent to about four times, from 5 to 20, and no more than a quarter of a cluster of
// mean size.
func (f *fitter) reach() int {
	most := max(reachLeast, min(reachMost, f.n/(4*f.cfg.Clusters)))
	reach := min(most, max(reachLeast, reachLinks*f.n/len(f.links.linked)))
	for reach > 1 && (reach+1)*(reach+1) > lentMost/len(f.links.ties) {
		reach--
	}
	return min(reach, f.n-1)
}

// neighbour is an object near a linked one, and how much of a link it is lent, in (0, 1].
type neighbour struct {
	object int32
	share  float64
}

// neighbours returns, for each object of links.linked, the object itself with share 1 and its k
// nearest ones with share exp(−(d/dₖ)²), dₖ the dissimilarity to the farthest of them; lower rows
// first on a tie.
func (f *fitter) neighbours(ctx context.Context, k int) (map[int32][]neighbour, error) {
	found, err := nearest.AllPairs(ctx, f.src, f.links.linked, k, f.cfg.Threads, nil)
	if err != nil {
		return nil, err
	}
	near := make(map[int32][]neighbour, len(f.links.linked))
	for at, i := range f.links.linked {
		near[i] = f.shares(i, found.Index[at*k:(at+1)*k], found.Dist[at*k:(at+1)*k])
	}
	return near, nil
}

// shares turns the dissimilarities of the nearest objects into what they are lent. A matrix that
// the fit has overwritten holds δ, whose transform is undone but for a factor.
func (f *fitter) shares(i int32, near []int32, dist []float32) []neighbour {
	square := func(d float32) float64 { return float64(d) * float64(d) }
	m, dense := f.src.(*dissim.Dense)
	if dense && f.store.dense != nil && &m.D[0] == &f.store.dense[0] &&
		f.scale.transform == Exponential {
		square = func(delta float32) float64 { return -math.Log1p(-float64(delta)) }
	}
	list := []neighbour{{i, 1}}
	farthest := square(dist[len(dist)-1])
	for t, j := range near {
		if j < 0 {
			break // the rest are infinitely far
		}
		ratio := 1.0
		switch d := square(dist[t]); {
		case farthest == 0:
			ratio = 0
		case d < farthest:
			ratio = d / farthest
		}
		list = append(list, neighbour{j, math.Exp(-ratio)})
	}
	return list
}

// lend makes the ties of links that are lent: the link of i and j holds between neighbours a of i
// and b of j with the product of their shares. Links of opposite kinds that meet in a pair cancel,
// and no pair weighs more than 1. Pairs that were asked keep their own links. What is made when ctx
// ends means nothing.
func lend(ctx context.Context, n int, ties []tie, near map[int32][]neighbour) linkTerms {
	type pair struct{ a, b int32 }
	key := func(a, b int32) pair { return pair{min(a, b), max(a, b)} }
	asked := make(map[pair]bool, len(ties))
	for _, t := range ties {
		asked[key(t.a, t.b)] = true
	}
	signed := make(map[pair]float64, len(ties))
	for _, t := range ties {
		if ctx.Err() != nil {
			return linkTerms{}
		}
		sign := t.weight * (2*t.same - 1)
		signed[key(t.a, t.b)] += sign
		for _, a := range near[t.a] {
			for _, b := range near[t.b] {
				if p := key(a.object, b.object); p.a != p.b && !asked[p] {
					signed[p] += sign * float64(a.share*b.share)
				}
			}
		}
	}
	lent := make([]tie, 0, len(signed))
	for p, sign := range signed {
		weight := min(1, math.Abs(sign))
		if asked[p] {
			weight *= ownWeight
		}
		switch {
		case sign > 0:
			lent = append(lent, tie{p.a, p.b, 1, weight})
		case sign < 0:
			lent = append(lent, tie{p.a, p.b, 0, weight})
		}
	}
	slices.SortFunc(lent,
		func(x, y tie) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	return newTies(n, lent)
}
