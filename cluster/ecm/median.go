package ecm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/parallel"
)

// FitMedian finds a credal partition from any dissimilarities by the median evidential c-means
// (Zhou et al. 2015), whose prototypes are objects. It lowers Σ |A|^α m_iA^β D_iA + δ m_i∅^β, D
// being d(i, v_k) for a cluster with medoid v_k, and for a larger set
//
//	( γ d(i, p_A) + ρ_iA min_{k∈A} d(i, v_k) ) / ( γ + 1 ),
//	ρ_iA = Σ_{k,l∈A} |d(i,v_k) − d(i,v_l)| / ( η Σ_{k,l∈A} d(v_k,v_l) )
//
// where p_A, the set's own prototype, is the object of least variance plus η times mean of its
// dissimilarities to the medoids of A. So sets are near to objects that are about as far from each
// of their medoids. Masses follow in closed form; the medoid of a cluster is the object of least
// Σ_i m_i({k})^β d(i, v), no two being the same.
//
// These are the formulas of MECM in Python's evclust 0.2.1, which puts squared distances between
// rows of the matrix where we have d, and δ² for δ. Ours are: that the variance and the mean are
// taken in units of the largest dissimilarity; that δ, not its square, is in the objective,
// which has the units of the dissimilarities; and, as medoids found for clusters alone can raise
// the whole, that the iteration stops where they would. So the objective never rises. Starts draw
// objects far apart in turn (k-means++), followed by ten rounds of k-medoids (ours too).
//
// It holds the dissimilarities, 4·n² bytes, unless src is a [*dissim.Dense], and takes n²·c steps
// an iteration. It fails as [FitRelational] does.
func FitMedian(ctx context.Context, src dissim.Source, cfg Config) (*Result, error) {
	return fitRelations(ctx, src, cfg.withDefaults(2, 0.5, 5), false,
		func(r *relations, cfg Config) func(start int) (*Result, error) {
			e := &median{relations: r, gamma: cfg.Barycentre, eta: cfg.Spread}
			return func(start int) (_ *Result, err error) {
				e.medoids = slices.Clone(cfg.Medoids)
				if cfg.Medoids == nil {
					rng := rand.New(rand.NewPCG(cfg.Seed, uint64(start)))
					if e.medoids, err = e.begin(ctx, rng); err != nil {
						return nil, err
					}
				}
				return e.run(ctx, cfg, start)
			}
		})
}

// median lowers the objective of MECM.
type median struct {
	*relations
	gamma, eta float64

	medoids []int
	own     []int     // the prototype of each set
	apart   []float64 // η Σ d(v_k, v_l) over pairs of each set's clusters, in both orders
	line    []float64 // c×n: m({k})^β of each object
}

// at returns the dissimilarity of two objects, in units of the largest.
func (e *median) at(i, j int) float64 { return float64(e.d[i*e.n+j]) / e.unit }

// place finds the prototypes of the sets.
func (e *median) place(ctx context.Context) error {
	fr := e.fr
	e.own, e.apart = make([]int, len(fr.size)), make([]float64, len(fr.size))
	return parallel.Blocks(ctx, len(fr.size), 1, e.threads, func(s, _, _ int) {
		members := fr.members[s]
		if fr.single[s] {
			e.own[s] = e.medoids[members[0]]
			return
		}
		for _, k := range members {
			for _, l := range members {
				e.apart[s] += float64(e.eta * e.at(e.medoids[k], e.medoids[l]))
			}
		}
		least := math.Inf(1)
		for p := range e.n {
			mean := 0.0
			for _, k := range members {
				mean += e.at(e.medoids[k], p)
			}
			mean /= fr.size[s]
			variance := 0.0
			for _, k := range members {
				u := e.at(e.medoids[k], p) - mean
				variance += float64(u * u)
			}
			if v := variance/fr.size[s] + float64(e.eta*mean); v < least {
				e.own[s], least = p, v
			}
		}
	})
}

// costs sets w to what each set costs object i at a mass of 1.
func (e *median) costs(_ int, w []float64, i int) {
	fr := e.fr
	for s, members := range fr.members {
		if fr.single[s] {
			w[fr.noise+s] = fr.cost[s] * e.at(i, e.own[s])
			continue
		}
		near, gaps := math.Inf(1), 0.0
		for a, k := range members {
			v := e.at(i, e.medoids[k])
			near = min(near, v)
			for _, l := range members[:a] {
				gaps += 2 * math.Abs(v-e.at(i, e.medoids[l]))
			}
		}
		share := 0.0
		if e.apart[s] > 0 {
			share = gaps / e.apart[s]
		}
		v := float64(e.gamma*e.at(i, e.own[s])) + float64(share*near)
		w[fr.noise+s] = fr.cost[s] * v / (e.gamma + 1)
	}
}

// pass makes the masses for the medoids as they stand, into keep where it is not nil.
func (e *median) pass(ctx context.Context, keep []float64) error {
	if err := e.place(ctx); err != nil {
		return err
	}
	fr := e.fr
	return e.masses(ctx, keep, e.costs, func(_, i int, m []float64) {
		for s, mass := range m[fr.noise:] {
			if fr.single[s] {
				e.line[fr.members[s][0]*e.n+i] = e.pow.weight(mass)
			}
		}
	})
}

// central returns for each cluster the object of least Σ_i line_i d(i, v), the first on a tie; one
// that another cluster has, or that lies on it, is passed over where there are others.
func (e *median) central(ctx context.Context) ([]int, error) {
	n, c := e.n, e.fr.c
	total := make([]float64, n*c)
	if err := e.products(ctx, total, e.line); err != nil {
		return nil, err
	}
	var out []int
	for k := range c {
		best, spare := -1, -1
		for p := range n {
			if slices.Contains(out, p) {
				continue
			}
			v := total[p*c+k]
			if best >= 0 && !(v < total[best*c+k]) {
				continue
			}
			if slices.ContainsFunc(out, func(q int) bool { return e.at(p, q) == 0 }) {
				if spare < 0 || v < total[spare*c+k] {
					spare = p
				}
				continue
			}
			best = p
		}
		if best < 0 {
			best = spare
		}
		out = append(out, best)
	}
	return out, nil
}

// run lowers the objective from the medoids as they are.
func (e *median) run(ctx context.Context, cfg Config, start int) (*Result, error) {
	e.line = make([]float64, e.fr.c*e.n)
	r := &Result{Start: start}
	l := &loop{cfg: cfg, start: start, r: r, nothing: nothing(e.n, min(e.noise, 1)), unit: e.unit}
	if err := e.pass(ctx, nil); err != nil {
		return nil, err
	}
	for !l.done(e.cost) {
		next, err := e.central(ctx)
		if err != nil {
			return nil, err
		}
		was, cost := e.medoids, e.cost
		if slices.Equal(next, was) {
			r.Stopped = fit.Converged
			break
		}
		e.medoids = next
		if err := e.pass(ctx, nil); err != nil {
			return nil, err
		}
		if !(e.cost < cost) {
			e.medoids, r.Stopped = was, fit.Converged
			break
		}
	}
	r.Credal = e.fr.partition(e.n)
	if err := e.pass(ctx, r.Credal.Mass); err != nil {
		return nil, err
	}
	r.Medoids, r.Objective = e.medoids, r.Trace[len(r.Trace)-1]
	return r, nil
}

// begin draws medoids, and makes rounds of k-medoids.
func (e *median) begin(ctx context.Context, rng *rand.Rand) ([]int, error) {
	medoids := e.apartFromEachOther(rng, false)
	e.line = make([]float64, e.fr.c*e.n)
	for range hardRounds {
		clear(e.line)
		for i := range e.n {
			best := 0
			for k, m := range medoids {
				if e.at(i, m) < e.at(i, medoids[best]) {
					best = k
				}
			}
			e.line[best*e.n+i] = 1
		}
		next, err := e.central(ctx)
		if err != nil {
			return nil, err
		}
		if slices.Equal(next, medoids) {
			break
		}
		medoids = next
	}
	return medoids, nil
}
