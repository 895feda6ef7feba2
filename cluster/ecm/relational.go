package ecm

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// FitRelational finds a credal partition from dissimilarities by the relational evidential c-means
// (Masson and Denœux 2009): ECM on the points whose distances the dissimilarities are, without the
// points. Each centre is a weighted mean Σ_j u_kj x_j of them, the weights following from the
// masses by the linear system of ECM, and with D the squared distances and u_A the mean of the
// weights of A's clusters
//
//	d²_iA = (D u_A)_i − ½ u_Aᵀ D u_A.
//
// On Euclidean distances it is [Fit]. Others can lead to squared distances below 0. Then so much is
// added to all off the diagonal of D that none is, as in NERF c-means (Hathaway and Bezdek 1994):
// Result.Lifted is how much. Each time the objective begins anew, and so does the trace. Weights
// that would raise the objective, which distances rule out but these do not, end a start before
// them, so that the trace never rises (ours). Squared distances within rounding below 0, by 10⁻⁶ of
// the largest, are taken as 0. Where much is added all objects are about equally far from all
// centres, and clusters are lost.
//
// Starts draw objects far apart in turn (k-means++) and make ten rounds of relational k-means
// (ours). It holds the dissimilarities, 4·n² bytes, besides a [*dissim.Dense] unless Consume is
// set, and takes n²·c steps an iteration. It fails as [Fit] does; links and Metric must not be set.
func FitRelational(ctx context.Context, src dissim.Source, cfg Config) (*Result, error) {
	return fitRelations(ctx, src, cfg.withDefaults(1.5, 1, 5), true,
		func(r *relations, cfg Config) func(start int) (*Result, error) {
			e := &relational{relations: r}
			// what starts found, by the k-means partition that they went out from
			met := make(map[string]*Result)
			return func(start int) (*Result, error) {
				from, err := e.begin(ctx, cfg, start)
				if err != nil || met[from] != nil {
					return met[from], err
				}
				r, err := e.run(ctx, cfg, start)
				if err == nil { // without the masses
					met[from] = &Result{Objective: r.Objective, Lifted: r.Lifted}
				}
				return r, err
			}
		})
}

// fitRelations keeps the best start of a fit to dissimilarities, or to their squares. Begin returns
// what runs a start.
func fitRelations(ctx context.Context, src dissim.Source, cfg Config, squared bool,
	begin func(r *relations, cfg Config) func(start int) (*Result, error)) (*Result, error) {
	r, err := newRelations(ctx, src, cfg)
	if err != nil {
		return nil, err
	}
	if squared {
		if err := r.square(ctx, cfg); err != nil {
			return nil, err
		}
	}
	reach, err := cfg.reach(r.unit, func() float64 { return r.reach(squared) })
	if err != nil {
		return nil, err
	}
	if r.noise = reach; squared {
		r.noise = float64(reach * reach)
	}
	r.noise = max(r.noise, 1e-300)
	best, err := bestStart(cfg, begin(r, cfg))
	if err != nil {
		return nil, err
	}
	best.NoiseDistance = reach * r.unit
	return best, nil
}

// relations are dissimilarities as fits see them: in units of the largest.
type relations struct {
	n       int
	d       []float32 // n×n: as given, or squared and in units of the largest
	own     bool      // whether d may be overwritten
	unit    float64   // the largest; for squared distances its root
	fr      *frame
	threads int
	block   int // rows that a thread takes at a time

	pow   powers
	limit []float64
	noise float64 // what the empty set costs
	cost  float64 // the objective of the last pass
}

func newRelations(ctx context.Context, src dissim.Source, cfg Config) (*relations, error) {
	n := src.Len()
	if err := cfg.check(n); err != nil {
		return nil, err
	}
	if len(cfg.Links) > 0 || cfg.Metric != 0 || cfg.Centers.Rows > 0 {
		return nil, fault.Inputf("use it on vectors (--method cecm)",
			"evidential c-means on dissimilarities takes neither links, metrics nor centres")
	}
	if err := checkMedoids(cfg.Medoids, cfg.Clusters, n); err != nil {
		return nil, err
	}
	fr, err := newFrame(cfg)
	if err != nil {
		return nil, err
	}
	dense, ok := src.(*dissim.Dense)
	if !ok {
		if dense, err = dissim.NewDense(ctx, src, cfg.Threads, nil); err != nil {
			return nil, err
		}
	}
	r := &relations{n: n, d: dense.D, own: !ok || cfg.Consume, unit: 1, fr: fr,
		threads: cfg.Threads, block: max(8, parallel.Count(n, fewBlocks)),
		pow: newPowers(cfg.Fuzziness), limit: newLimits(fr)}
	most := make([]float32, parallel.Count(n, r.block))
	bad := make([]int, len(most))
	err = parallel.Blocks(ctx, n, r.block, cfg.Threads, func(b, lo, hi int) {
		for t, v := range r.d[lo*n : hi*n] {
			if !(v >= 0 && v <= math.MaxFloat32) {
				bad[b] = max(bad[b], lo+t/n+1)
			}
			most[b] = max(most[b], v)
		}
	})
	if err != nil {
		return nil, err
	}
	far := 0.0
	for b, v := range most {
		if bad[b] > 0 {
			return nil, &fault.Input{Row: bad[b],
				Problem: "a dissimilarity is negative or not finite",
				Fix:     "correct it or leave the row out"}
		}
		far = max(far, float64(v))
	}
	if cfg.Squared {
		far = math.Sqrt(far)
	}
	if far > 0 { // a power of two, so that no digit is lost
		_, exp := math.Frexp(far)
		r.unit = math.Ldexp(1, exp)
	}
	return r, nil
}

func checkMedoids(medoids []int, c, n int) error {
	seen := map[int]bool{}
	for _, m := range medoids {
		if m < 0 || m >= n || seen[m] {
			return fault.Inputf("give different objects that there are",
				"object %d cannot be a medoid to start from", m+1)
		}
		seen[m] = true
	}
	if len(medoids) != 0 && len(medoids) != c {
		return fault.Inputf("give one for each",
			"%d medoids to start from are given for %d clusters", len(medoids), c)
	}
	return nil
}

// square puts the squared dissimilarities, in units of the largest, in place of those given.
func (r *relations) square(ctx context.Context, cfg Config) error {
	to := r.d
	if !r.own {
		to = make([]float32, len(r.d))
	}
	each := float32(1 / r.unit)
	err := parallel.Blocks(ctx, r.n, r.block, r.threads, func(_, lo, hi int) {
		from, to := r.d[lo*r.n:hi*r.n], to[lo*r.n:hi*r.n]
		for t, v := range from {
			v *= each
			if cfg.Squared {
				v *= each
			} else {
				v *= v
			}
			to[t] = v
		}
	})
	r.d, r.own = to, true
	return err
}

// reach returns the 0.95 quantile of the distances between objects, in units of the largest, of
// dissimilarities as given or squared.
func (r *relations) reach(squared bool) float64 {
	return reachOf(r.n, func(i, j int) float64 {
		v := float64(r.d[i*r.n+j])
		if squared {
			return math.Sqrt(v)
		}
		return v / r.unit
	})
}

// masses makes the masses of all objects, and the objective. Costs sets w to what each set but the
// empty one costs object i, of block b, at a mass of 1. Keep takes the masses where it is not nil;
// otherwise use does, those of object i of block b.
func (r *relations) masses(ctx context.Context, keep []float64,
	costs func(b int, w []float64, i int), use func(b, i int, m []float64)) error {
	f, parts := len(r.fr.sets), make([]float64, parallel.Count(r.n, r.block))
	err := parallel.Blocks(ctx, r.n, r.block, r.threads, func(b, lo, hi int) {
		w, m := make([]float64, f), make([]float64, f)
		if r.fr.noise == 1 {
			w[0] = r.noise
		}
		for i := lo; i < hi; i++ {
			costs(b, w, i)
			parts[b] += r.pow.masses(m, w, r.limit)
			if keep != nil {
				copy(keep[i*f:(i+1)*f], m)
			} else {
				use(b, i, m)
			}
		}
	})
	r.cost = 0
	for _, v := range parts {
		r.cost += v
	}
	return err
}

// stripe is the number of rows that a thread multiplies at a time.
const stripe = 8

// products sets out, n×c, to the dissimilarities times the c columns of n values in cols.
func (r *relations) products(ctx context.Context, out, cols []float64) error {
	n, c := r.n, r.fr.c
	return parallel.Blocks(ctx, n, stripe, r.threads, func(_, lo, hi int) {
		rows := make([][]float32, 0, stripe)
		for i := lo; i < hi; i++ {
			rows = append(rows, r.d[i*n:(i+1)*n])
		}
		simd.Products(out[lo*c:hi*c], rows, cols, n, c)
	})
}

// relational lowers the objective of RECM.
type relational struct {
	*relations

	u      []float64 // c×n: weights of the objects in each centre
	du     []float64 // n×c: D u
	inner  []float64 // ½ u_Aᵀ D u_A of each set
	norm   []float64 // ‖u_A‖² of each set
	line   []float64 // n×c: Σ q·line over the sets of each cluster
	weight []float64 // Σ q of each set
	lift   float64
}

// apart makes D u, and what follows from it for the sets.
func (e *relational) apart(ctx context.Context) error {
	n, c := e.n, e.fr.c
	if err := e.products(ctx, e.du, e.u); err != nil {
		return err
	}
	cross, norms := make([]float64, c*c), make([]float64, c*c)
	for k := range c {
		for l := range c {
			sum := 0.0
			for i, v := range e.u[k*n : (k+1)*n] {
				sum = math.FMA(v, e.du[i*c+l], sum)
			}
			cross[k*c+l], norms[k*c+l] = sum, linalg.Dot(e.u[k*n:(k+1)*n], e.u[l*n:(l+1)*n])
		}
	}
	for s, members := range e.fr.members {
		e.inner[s], e.norm[s] = 0, 0
		for _, k := range members {
			for _, l := range members {
				e.inner[s] += cross[k*c+l]
				e.norm[s] += norms[k*c+l]
			}
		}
		e.inner[s] /= 2 * e.fr.size[s] * e.fr.size[s]
		e.norm[s] /= e.fr.size[s] * e.fr.size[s]
	}
	return nil
}

// distance returns the squared distance of object i to set s, and how much each unit that is added
// to the dissimilarities adds to it: ½‖u_A − e_i‖².
func (e *relational) distance(i, s int) (squared, rise float64) {
	c, sum, here := e.fr.c, 0.0, 0.0
	for _, k := range e.fr.members[s] {
		sum += e.du[i*c+k]
		here += e.u[k*e.n+i]
	}
	rise = (1 + e.norm[s]) / 2 // − u_Ai follows
	rise -= here / e.fr.size[s]
	return sum/e.fr.size[s] - e.inner[s] + float64(e.lift*rise), rise
}

// pass makes the masses, and the sums that weights follow from; where keep is not nil only the
// masses, into it. It returns how much must be added to the dissimilarities for distances to be
// real.
func (e *relational) pass(ctx context.Context, keep []float64) (lift float64, err error) {
	if err := e.apart(ctx); err != nil {
		return 0, err
	}
	slack := -rounding
	if e.lift > 0 { // they are known to be no distances
		slack = -1e-12
	}
	fr, c := e.fr, e.fr.c
	blocks := parallel.Count(e.n, e.block)
	weights, lifts := make([]float64, blocks*len(fr.size)), make([]float64, blocks)
	err = e.masses(ctx, keep, func(b int, w []float64, i int) {
		for s, cost := range fr.cost {
			d, rise := e.distance(i, s)
			if d < slack && rise > 0 {
				lifts[b] = max(lifts[b], -d/rise)
			}
			w[fr.noise+s] = cost * max(d, 0)
		}
	}, func(b, i int, m []float64) {
		weight, to := weights[b*len(fr.size):(b+1)*len(fr.size)], e.line[i*c:(i+1)*c]
		clear(to)
		for s, mass := range m[fr.noise:] {
			q := e.pow.weight(mass)
			weight[s] += q
			q *= fr.line[s]
			for _, k := range fr.members[s] {
				to[k] += q
			}
		}
	})
	clear(e.weight)
	for b := range blocks {
		linalg.Add(e.weight, weights[b*len(fr.size):(b+1)*len(fr.size)])
		lift = max(lift, lifts[b])
	}
	return lift, err
}

// rounding is how far below 0 a squared distance may be, beside 1, the largest.
const rounding = 1e-6

// move makes the weights of the masses of the last pass.
func (e *relational) move(ctx context.Context) error {
	n, c := e.n, e.fr.c
	h := linalg.NewLower(c)
	e.fr.normal(h, e.weight)
	stay := factorSteady(h)
	if stay == 0 {
		return nil
	}
	return parallel.Blocks(ctx, n, 4096, e.threads, func(_, lo, hi int) {
		b := make([]float64, c)
		for i := lo; i < hi; i++ {
			for k := range c {
				b[k] = math.FMA(stay, e.u[k*n+i], e.line[i*c+k])
			}
			h.Solve(b)
			for k := range c {
				e.u[k*n+i] = b[k]
			}
		}
	})
}

// run lowers the objective from the weights as they are.
func (e *relational) run(ctx context.Context, cfg Config, start int) (*Result, error) {
	r := &Result{Start: start}
	l := &loop{cfg: cfg, start: start, r: r, nothing: nothing(e.n, min(e.noise, 1)),
		unit: e.unit * e.unit}
	was := make([]float64, len(e.u))
	for {
		lift, err := e.pass(ctx, nil)
		if err != nil {
			return nil, err
		}
		if lift > 0 {
			e.lift += lift
			r.Trace, l.still = nil, 0
			if _, err := e.pass(ctx, nil); err != nil {
				return nil, err
			}
		}
		// by rounding, or as the dissimilarities are no distances
		if len(r.Trace) > 0 && e.cost > l.last {
			copy(e.u, was)
			r.Stopped = fit.Converged
			break
		}
		if l.done(e.cost) {
			break
		}
		copy(was, e.u)
		if err := e.move(ctx); err != nil {
			return nil, err
		}
	}
	r.Credal = e.fr.partition(e.n)
	if _, err := e.pass(ctx, r.Credal.Mass); err != nil {
		return nil, err
	}
	r.Objective, r.Lifted = r.Trace[len(r.Trace)-1], e.lift*e.unit*e.unit
	return r, nil
}
