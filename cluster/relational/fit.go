package relational

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// FitSource finds c fuzzy clusters of the objects of src by relational fuzzy c-means. With w_i =
// u_i^m/Σ_k u_ki^m the squared distance of object k from cluster i is (Hathaway, Davenport and
// Bezdek 1989)
//
//	d²_ki = (R w_i)_k − ½ w_iᵀ R w_i
//
// and u_ki is d_ki^(−2/(m−1)), divided by the sum of these over the clusters; where some d² are 0
// their clusters share the object. Where a d² falls below 0, so that no points have these
// distances, β is raised just as far as needed and all of R off the diagonal with it: d²_ki grows
// by ½Δβ‖w_i − e_k‖² (Hathaway and Bezdek 1994). What falls below 0 by a millionth of the greatest
// R is taken as 0, as float32 is no more precise.
//
// An iteration takes n²·c steps. FitSource holds 4·n² bytes, and those of src where that is no
// [dissim.Dense]. It fails with a [*fault.Input] for a configuration that cannot be fitted and
// where memory does not suffice, and when ctx is done with an error that wraps ctx's.
func FitSource(ctx context.Context, src dissim.Source, cfg Config) (*Result, error) {
	n := src.Len()
	cfg = cfg.withDefaults(n)
	if err := cfg.check(n); err != nil {
		return nil, err
	}
	r, err := newRelation(ctx, src, cfg.Squared, cfg.Threads)
	if err != nil {
		return nil, err
	}
	return fitStarts(ctx, []*relation{r}, r.unit(), cfg, 1,
		func(f *fitting) (*Result, error) { return f.run(ctx, nil) })
}

// fitStarts keeps the best start, each of which runs so many times.
func fitStarts(ctx context.Context, relations []*relation, unit float64, cfg Config, runs int,
	run func(f *fitting) (*Result, error)) (*Result, error) {
	f := newFitting(relations, cfg)
	f.most = cfg.Starts * runs * cfg.MaxIterations
	var best *Result
	for start := range cfg.Starts {
		f.reset()
		if err := f.draw(rand.New(rand.NewPCG(cfg.Seed, uint64(start)))); err != nil {
			return nil, err
		}
		r, err := run(f)
		if err != nil {
			return nil, fit.InStart(err, "relational", start)
		}
		r.Start = start
		if best == nil || r.Objective < best.Objective {
			best = r
		}
	}
	for _, v := range []*float64{&best.Objective, &best.Beta, &best.Alpha} {
		*v *= unit
	}
	for i := range best.Trace {
		best.Trace[i] *= unit
	}
	return best, nil
}

// fitting is one start under way. Matrices are n×c row-major, one row an object, but for w.
type fitting struct {
	relations []*relation
	cfg       Config
	n, c      int
	u, next   []float64
	far       []float64   // squared distances d²
	w         []float64   // c×n
	norm      []float64   // ‖w_i‖²
	apart     [][]float64 // d² by each relation
	weights   []float64   // v, c×S
	exponent  float64     // q
	beta      float64
	done      int // iterations of all starts, those included that a start did not need
	most      int
}

// blockRows is how many objects are gone through together.
const blockRows = 512

func newFitting(relations []*relation, cfg Config) *fitting {
	n, c := relations[0].dense.N, cfg.Clusters
	f := &fitting{relations: relations, cfg: cfg, n: n, c: c, exponent: 2}
	f.u, f.next, f.far, f.w = make([]float64, n*c), make([]float64, n*c), make([]float64, n*c),
		make([]float64, n*c)
	f.norm, f.weights = make([]float64, c), make([]float64, c*len(relations))
	for range relations {
		f.apart = append(f.apart, make([]float64, n*c))
	}
	return f
}

// reset forgets the start before.
func (f *fitting) reset() {
	f.beta = 0
	for i := range f.weights {
		f.weights[i] = 1 / float64(len(f.relations))
	}
}

// run iterates until memberships rest. Links, unless nil, take part.
func (f *fitting) run(ctx context.Context, links *bonds) (*Result, error) {
	r := &Result{Clusters: f.c}
	r.Stopped = fit.IterationLimit
	for r.Iterations < f.cfg.MaxIterations && r.Stopped != fit.Converged {
		if err := f.measure(ctx); err != nil {
			return nil, err
		}
		rising := links.rises()
		if !rising {
			r.Trace = append(r.Trace, f.objective()+links.cost(f.u))
		}
		err := parallel.Blocks(ctx, f.n, blockRows, f.cfg.Threads,
			func(_, lo, hi int) { f.share(lo, hi) })
		if err != nil {
			return nil, err
		}
		links.settle(f)
		if f.step(r) <= f.cfg.Tolerance && !rising {
			r.Stopped = fit.Converged
		}
		links.raise()
		if f.done++; f.cfg.Progress != nil {
			f.cfg.Progress(fit.Progress{Share: float64(f.done) / float64(f.most)})
		}
	}
	f.done += f.cfg.MaxIterations - r.Iterations
	links.end()
	if err := f.measure(ctx); err != nil {
		return nil, err
	}
	r.Objective = f.objective() + links.cost(f.u)
	r.Trace = append(r.Trace, r.Objective)
	r.Beta, r.Memberships = f.beta, slices.Clone(f.u)
	if len(f.relations) > 1 {
		r.Weights = slices.Clone(f.weights)
	}
	return r, nil
}

// step takes the new memberships over, and returns by how much the most changed one differs.
func (f *fitting) step(r *Result) (change float64) {
	r.Iterations++
	for i, v := range f.next {
		change = max(change, math.Abs(v-f.u[i]))
	}
	f.u, f.next = f.next, f.u
	return change
}

// power is u^m.
func (f *fitting) power(u float64) float64 {
	if f.cfg.Fuzziness == 2 {
		return float64(u * u)
	}
	return elementary.Power(u, f.cfg.Fuzziness)
}

// objective is Σ u^m d².
func (f *fitting) objective() float64 {
	sum := 0.0
	for i, u := range f.u {
		sum += float64(f.power(u) * f.far[i])
	}
	return sum
}

// share sets next to the memberships that minimise the objective, of objects lo to hi.
func (f *fitting) share(lo, hi int) {
	power := func(v float64) float64 { return v }
	if f.cfg.Fuzziness != 2 {
		power = func(v float64) float64 {
			return elementary.Power(v, 1/(f.cfg.Fuzziness-1))
		}
	}
	for k := lo; k < hi; k++ {
		share(f.next[k*f.c:][:f.c], f.far[k*f.c:][:f.c], power)
	}
}

// share sets shares, which may be costs, in proportion to the power of least/cost, so that they add
// up to 1. What costs nothing takes all.
func share(shares, costs []float64, power func(float64) float64) {
	least, sum := slices.Min(costs), 0.0
	for i, cost := range costs {
		switch {
		case cost == least:
			shares[i] = 1
		case least == 0:
			shares[i] = 0
		default:
			shares[i] = power(least / cost)
		}
		sum += shares[i]
	}
	linalg.Divide(shares, sum)
}
