package constrained

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
)

// FitCOP partitions the rows of data, which it does not change, so that all must-links and
// cannot-links hold, by COP-k-means (Wagstaff, Cardie, Rogers and Schrödl, ICML 2001, table 1). The
// confidence of links plays no part.
//
// Rows that must-links join are placed as one, in the nearest cluster by their mean (ours: the
// paper places them row by row, and takes any violation for failure). Such units that have
// cannot-links take the nearest cluster that is still allowed, one after the other in random order.
// Where one of them finds none, it is put to the front and the order tried again, up to 200 times;
// after that a search with bounded effort tries assignments in turn, the most restricted unit
// first, nearest clusters first (both ours). An iteration keeps the assignment before it where the
// new one costs more (ours), so that the objective, the sum of squared distances from the centres,
// never rises.
//
// Where no assignment is found the error is a [*fault.Input] that wraps an [*Infeasible]: that
// lists more rows than clusters that all differ from each other, where there are such and the
// search for them meets them; or it reports that no assignment is proved to exist, or that none was
// found.
//
// Contradicting links that are kept are left out, and count in Violated. A cluster without rows
// keeps its centre. When ctx is done it returns an error that wraps ctx's. Other input that cannot
// be fitted is a [*fault.Input], and links that contradict each other are a [*link.Contradiction]
// where they are refused.
func FitCOP(ctx context.Context, data dataset.Matrix, cfg Config) (*Result, error) {
	p, err := prepare(ctx, data, cfg)
	if err != nil {
		return nil, err
	}
	l := newLinked(data, p.set.Given(), cfg.Clusters)
	u := newUnits(l, l.components(p.set))
	if err := u.distinct(ctx, p.set); err != nil {
		return nil, err
	}
	return p.fit(ctx, func(start int, rng *rand.Rand) (*Result, error) {
		centers, err := p.draw(ctx, nil, rng)
		if err != nil {
			return nil, err
		}
		order := u.order(rng)
		var before []int32
		return p.lloyd(ctx, start, centers, additions{
			settle: func(labels []int32, centers []float64) error {
				u.measure(centers)
				now, err := u.settle(ctx, order, before)
				if err != nil {
					return err
				}
				before = now
				for i, c := range now {
					for _, row := range u.groups[i] {
						labels[l.at[row]] = c
					}
				}
				return nil
			},
			scale: 1,
		})
	})
}

// units are the groups of linked rows that must-links join.
type units struct {
	*linked
	groups [][]int32
	rivals [][]int32 // of each unit those that cannot-links keep apart from it, rising
	means  []float64
	// units×k: squared distances from the centres, of all rows of a unit, less those from its mean
	costs []float64
}

func newUnits(l *linked, groups [][]int32) *units {
	u := &units{linked: l, groups: groups, rivals: make([][]int32, len(groups)),
		costs: make([]float64, len(groups)*l.k)}
	means, of := l.means(groups)
	u.means = means
	for _, p := range l.pairs {
		if !p.must {
			a, b := of[p.x], of[p.y]
			u.rivals[a], u.rivals[b] = append(u.rivals[a], b), append(u.rivals[b], a)
		}
	}
	for i, r := range u.rivals {
		slices.Sort(r)
		u.rivals[i] = slices.Compact(r)
	}
	return u
}

// order returns the units as they are placed: those with cannot-links in random order, then the
// others.
func (u *units) order(rng *rand.Rand) []int32 {
	var order, free []int32
	for _, i := range rng.Perm(len(u.groups)) {
		if len(u.rivals[i]) > 0 {
			order = append(order, int32(i))
		} else {
			free = append(free, int32(i))
		}
	}
	return append(order, free...)
}

// measure takes the distances from the centres.
func (u *units) measure(centers []float64) {
	means := linked{rows: u.means, at: make([]int32, len(u.groups)), k: u.k, d: u.d}
	u.costs = means.distances(u.costs, centers)
	for i, g := range u.groups {
		for c := range u.k {
			u.costs[i*u.k+c] *= float64(len(g))
		}
	}
}

// settle assigns the units, or keeps the assignment before where that costs less; nil: there is
// none. The order is changed where it leads nowhere.
func (u *units) settle(ctx context.Context, order, before []int32) ([]int32, error) {
	const retries = 200
	for range retries {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		now, stuck := u.greedy(order)
		if stuck < 0 {
			if before != nil && u.cost(before) <= u.cost(now) {
				return before, nil
			}
			return now, nil
		}
		if before != nil {
			return before, nil
		}
		slices.Reverse(order[:stuck])
		slices.Reverse(order[:stuck+1])
	}
	return u.search(ctx)
}
