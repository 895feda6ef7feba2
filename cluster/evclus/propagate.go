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

// How Choose chooses, and how far links reach. All are ours, from means over 20 draws of 5 to 200
// random links on wine, ecoli, letters, iris, glass, breast cancer and a two-class toy: no mean is
// then below that of the fit without links.
const (
	chooseLinks    = 10  // fewer links show too little about the fit
	chooseViolated = 3   // and so do fewer violated ones,
	chooseShare    = 0.1 // or a smaller share of them,
	chooseEnough   = 8   // unless there are so many
	// stress of the propagated fit over that of the anchored one, beyond which it is not taken
	chooseStress = 3
	reachLeast   = 5 // neighbours that an end lends its link to
	reachMost    = 20
	reachLinks   = 4       // reach times linked objects, over n, where there are many
	lentMost     = 4 << 20 // lent pairs, for memory
)

// constrain brings the links in, from the solution without them.
func (f *fitter) constrain(ctx context.Context, base *solution) (*solution, error) {
	f.res.Links, f.res.Violated = len(f.links.ties), f.violatedBy(base)
	f.res.Used = f.strategy(f.res.Violated)
	switch f.res.Used {
	case Anchor:
		return f.anchor(ctx, base)
	case Propagate:
		spread, err := f.propagate(ctx, base, f.res.Violated)
		if err != nil || f.cfg.Constraints != Choose {
			return spread, err
		}
		return f.unlessStrained(ctx, base, spread)
	default: // the paper's way: all rows move, and a link weighs ξ/(2L)
		return f.constrained(ctx, base, f.links, f.links.factor(f.cfg.LinkWeight), nil)
	}
}

// unlessStrained returns spread, where links reach beyond their ends, unless its stress is far
// above that of a fit in which they do not: it then fits the links by doing violence to the
// dissimilarities. Answers where clusters overlap are violated often, whether or not the
// partition is otherwise right.
func (f *fitter) unlessStrained(ctx context.Context, base, spread *solution) (*solution, error) {
	still, err := f.anchor(ctx, base)
	if err != nil || spread.stress <= chooseStress*still.stress {
		return spread, err
	}
	f.res.Used = Anchor
	return still, nil
}

// strategy resolves Choose. The fit without links never saw them, so the share of links that it
// violates is an honest estimate of how often it is wrong about pairs. Where it is seldom wrong,
// links that reach beyond their ends do more harm than good.
func (f *fitter) strategy(violated int) Constraints {
	if f.cfg.Constraints != Choose {
		return f.cfg.Constraints
	}
	count := len(f.links.ties)
	needed := max(chooseViolated, min(chooseEnough, chooseShare*float64(count)))
	if count >= chooseLinks && float64(violated) >= needed {
		return Propagate
	}
	return Anchor
}

// anchor moves the linked rows alone, from base. One link of L weighs ξ/(2L), which is more than
// all terms of a row, so that linked objects become certain and push away all that is not just like
// them; while the other rows stand they cannot. Few links weigh less: min(1, L/n) of the paper's
// weight.
func (f *fitter) anchor(ctx context.Context, base *solution) (*solution, error) {
	only := make([]bool, f.n)
	for _, i := range f.links.linked {
		only[i] = true
	}
	factor := f.links.factor(f.cfg.LinkWeight) * min(1, f.links.total/float64(f.n))
	return f.constrained(ctx, base, f.links, factor, only)
}

// propagate fits all rows, from base, under links that each end lends to its neighbours, and then
// anchors the links themselves. All links together weigh from a half, where the fit
// without them violates few, to the whole, where it violates ten, of what the paper has them weigh.
func (f *fitter) propagate(ctx context.Context, base *solution, violated int) (*solution, error) {
	near, err := f.neighbours(ctx, f.reach())
	if err != nil {
		return base, err
	}
	lent := lend(ctx, f.n, f.links.ties, near)
	if err := ctx.Err(); err != nil {
		return base, err
	}
	if lent.empty() {
		return f.anchor(ctx, base)
	}
	share := min(1, max(0.5, float64(violated)/10))
	factor := share * lent.factor(f.cfg.LinkWeight) * min(1, lent.total/float64(f.n))
	spread, err := f.constrained(ctx, base, lent, factor, nil)
	if err != nil {
		return spread, err
	}
	return f.anchor(ctx, spread)
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
func (f *fitter) violatedBy(s *solution) int {
	p := &credal.Partition{Clusters: f.cfg.Clusters, Focal: f.fr.focal, Mass: s.mass}
	return f.links.violated(p.ArgMax(belief.MaxPignistic))
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
		switch {
		case sign > 0:
			lent = append(lent, tie{p.a, p.b, 1, min(1, sign)})
		case sign < 0:
			lent = append(lent, tie{p.a, p.b, 0, min(1, -sign)})
		}
	}
	slices.SortFunc(lent,
		func(x, y tie) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	return newTies(n, lent)
}
