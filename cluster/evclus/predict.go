package evclus

import (
	"context"
	"math"
)

const (
	predictFolds     = 5
	predictLeast     = 5    // more links must be met: by luck they are once in 2⁵ times
	predictTolerance = 1e-3 // of fits whose decisions alone count
)

// choose decides how links enter by what they predict: Propagate, if fits under four fifths of the
// links agree with the others better than the fit without links does, otherwise Soft, or Anchor of
// answers to a run.
//
// The adjusted Rand index is Cohen's κ of decisions about pairs (Warrens 2008), of which links that
// were left out of a fit are a sample. So Propagate is taken where κ of these rises by more than
// its standard error (by the jackknife), and at least predictLeast more of them are met. Of answers
// half a standard error will do, lest the way changes to and fro from one to the next.
func (f *fitter) choose(ctx context.Context, base *solution,
	near map[int32][]neighbour) (Constraints, error) {
	other, errors := Soft, 1.0
	if f.asks {
		other, errors = Anchor, 0.5
	}
	if f.res.Violated < predictLeast {
		return other, nil
	}
	saved := f.cfg.Tolerance
	f.cfg.Tolerance = max(saved, predictTolerance)
	defer func() { f.cfg.Tolerance = saved }()

	fold := folds(f.links.ties)
	before := f.decisions(base)
	after := make([][]int, predictFolds)
	for held := range after {
		var rest []tie
		for t, e := range f.links.ties {
			if fold[t] != held {
				rest = append(rest, e)
			}
		}
		s, err := f.propagate(ctx, base, newTies(f.n, rest), near)
		if err != nil {
			return Choose, err
		}
		after[held] = f.decisions(s)
	}
	now, then := newAgreement(), newAgreement()
	for t, e := range f.links.ties {
		now.add(e, after[fold[t]], 1)
		then.add(e, before, 1)
	}
	rise, squares := now.kappa()-then.kappa(), 0.0
	for t, e := range f.links.ties {
		a, b := now, then
		a.add(e, after[fold[t]], -1)
		b.add(e, before, -1)
		without := a.kappa() - b.kappa() - rise
		squares += float64(without * without)
	}
	n := float64(len(f.links.ties))
	if now.met()-then.met() >= predictLeast && rise > errors*math.Sqrt((n-1)/n*squares) {
		return Propagate, nil
	}
	return other, nil
}

// folds returns the fold of each tie, the same for all of a pair.
func folds(ties []tie) []int {
	first := make(map[[2]int32]int, len(ties))
	fold := make([]int, len(ties))
	for t, e := range ties {
		pair := [2]int32{min(e.a, e.b), max(e.a, e.b)}
		if _, seen := first[pair]; !seen {
			first[pair] = len(first) % predictFolds
		}
		fold[t] = first[pair]
	}
	return fold
}

// agreement counts links by whether their ends are of one class, and in one cluster (1) or not (0).
// A soft link counts in part as each.
type agreement [2][2]float64

// newAgreement begins with half a link of each kind, so that κ means something where all are of
// one.
func newAgreement() agreement { return agreement{{0.5, 0.5}, {0.5, 0.5}} }

// add adds a link a number of times.
func (g *agreement) add(e tie, labels []int, times float64) {
	cluster := 0
	if labels[e.a] == labels[e.b] {
		cluster = 1
	}
	g[1][cluster] += float64(times * e.same)
	g[0][cluster] += float64(times * (1 - e.same))
}

// met returns the number of links that are met.
func (g *agreement) met() float64 { return g[0][0] + g[1][1] }

// kappa returns Cohen's κ.
func (g *agreement) kappa() float64 {
	class, cluster := g[1][0]+g[1][1], g[0][1]+g[1][1]
	n := class + g[0][0] + g[0][1]
	chance := float64(class*cluster) + float64((n-class)*(n-cluster))
	return (float64(n*g.met()) - chance) / (n*n - chance)
}
