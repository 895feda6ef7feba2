package ecm

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/prototypes"
)

// Fit finds a credal partition of the rows of data, which it does not change, by the evidential
// c-means (Masson and Denœux 2008). It minimises
//
//	J = Σ_i ( Σ_{A≠∅} |A|^α m_i(A)^β d²_iA + δ² m_i(∅)^β )
//
// (equation 13), d_iA being the distance to the barycentre of the centres of A's clusters, by
// turns: the masses (equations 15 and 16), and the centres, which solve a linear system (equations
// 18 to 23). J never rises. The first start is by k-means++ and ten rounds of k-means, which
// outliers can draw to themselves; the others are from rows drawn at random (ours).
//
// With a Metric d²_iA is (x−v_A)ᵀS_A(x−v_A), S_A the mean of the metrics S_k of determinant 1 that
// A's clusters learn (Antoine et al. 2012, section 4.3). The fit without them comes first, and they
// go on from there (ours).
//
// With links the objective is that of CECM (Antoine et al. 2012, equation 17) with the penalties of
// its successor CEVCLUS (cevclus-2013, equations 18b and 18c, halved):
//
//	(1−ξ)/(n·f·s²) J + ξ/Σp ( Σ_must p·½m_iᵀPm_j + Σ_cannot p·(1 − ½m_iᵀPm_j) )
//
// where f is the number of focal sets, and s², the variance of the data summed over columns, is
// ours: it makes ξ mean the same in all units. ½m_iᵀPm_j = ½(1 + Pl_ij(not same) − Pl_ij(same)) is
// 0 for rows that are certainly in one cluster, 1 for rows that are certainly in different ones,
// and ½ where nothing is known. The paper of 2012 has Pl_ij(not same) for must-links and
// Pl_ij(same) for cannot-links, which are 0 where all mass is on the empty set: by a ξ of ½ linked
// rows go there, and links are broken; by the small ξ that is the default here both kinds do alike.
// In the masses of one row this is a convex programme, and linked rows are gone through one by one,
// each put at its minimum with the others as they are: J never rises here either. The paper takes β
// = 2; the others work likewise. Each start ends in the better of two fits (ours): one that goes on
// from the fit without links, and one whose first centres are the means of groups of rows that
// links join, and separate. Unknown links mean nothing.
//
// Values must be finite. Memory beyond the data is that of the masses. Bad input is a
// [*fault.Input], links that contradict each other a [*link.Contradiction] where they are refused,
// and when ctx is done Fit returns its error.
func Fit(ctx context.Context, data dataset.Matrix, cfg Config) (*Result, error) {
	return fitVectors(ctx, data, cfg.withDefaults(2, 1, 1), false)
}

// FitCredal finds a credal partition of the rows of data, which it does not change, by the credal
// c-means (Liu et al. 2015): Σ m_iA^β D²_iA with D² = δ² for the empty set, the squared distance to
// its centre for a cluster, and for a larger set
//
//	( Σ_{k∈A} d²_ik + γ d²_iA ) / ( |A| + γ )
//
// so that an object on the barycentre of clusters that are far apart is in none of them for sure.
// Sets are not penalised by size. The centres solve the linear system of the objective, whose
// coefficients are those of CCM in Python's evclust 0.2.1; J never rises. Our readings are δ²
// for the empty set, as in [Fit], and that sets of all sizes may be focal, where the paper leaves
// out those above a threshold. As such sets cost no more than clusters, centres merge more readily
// than in [Fit]: on wine, z-scored, all three do with pairs as focal sets and β = 2. (In evclust
// the distances that masses follow from have the nearest centre in place of the barycentre, so that
// its masses and centres belong to different objectives.) Starts are as for [Fit]. Links and Metric
// must not be set.
func FitCredal(ctx context.Context, data dataset.Matrix, cfg Config) (*Result, error) {
	cfg = cfg.withDefaults(2, 1, 1)
	if len(cfg.Links) > 0 || cfg.Metric != fit.Euclidean {
		return nil, fault.Inputf("use the evidential c-means (--method cecm)",
			"the credal c-means takes neither links nor metrics")
	}
	return fitVectors(ctx, data, cfg, true)
}

func fitVectors(ctx context.Context, data dataset.Matrix, cfg Config, ccm bool) (*Result, error) {
	if err := cfg.check(data.Rows); err != nil {
		return nil, err
	}
	fr, err := newFrame(cfg)
	if err != nil {
		return nil, err
	}
	x, err := newVectors(ctx, data, cfg.Threads)
	if err != nil {
		return nil, err
	}
	given := cfg.Centers
	if len(cfg.Medoids) > 0 ||
		given.Rows != 0 && (given.Rows != cfg.Clusters || given.Cols != data.Cols) {
		return nil, fault.Inputf("give one row for each cluster, one column for each feature",
			"the centres to start from are %d×%d where %d×%d is needed", given.Rows, given.Cols,
			cfg.Clusters, data.Cols)
	}
	ls, clashing, err := newLinks(data.Rows, cfg, fr)
	if err != nil {
		return nil, err
	}
	reach, err := cfg.reach(1/x.scale, x.reach)
	if err != nil {
		return nil, err
	}
	gamma := 0.0
	if ccm {
		gamma = cfg.Barycentre
	}
	e := newEngine(x, fr, cfg, gamma, reach)
	best, err := bestStart(cfg, func(start int) (*Result, error) {
		if e.at, err = e.begin(ctx, cfg, start); err != nil {
			return nil, err
		}
		r, err := e.run(ctx, cfg, start, ls)
		if err != nil || ls == nil || len(ls.seeds) < 2 || cfg.Centers.Rows > 0 {
			return r, err
		}
		other, err := e.led(ctx, cfg, start, ls, r.Iterations)
		if err == nil && other.Objective < r.Objective {
			r = other
		}
		return r, err
	})
	if err != nil {
		return nil, err
	}
	best.NoiseDistance, best.Barycentre, best.Clashing = reach/x.scale, e.gamma, clashing
	if ls != nil {
		best.Links = len(ls.terms)
	}
	return best, nil
}

// bestStart returns the best result of all starts, the first among equals.
func bestStart(cfg Config, run func(start int) (*Result, error)) (*Result, error) {
	var best *Result
	var starts []float64
	for start := range cfg.Starts {
		r, err := run(start)
		if err != nil {
			return nil, err
		}
		starts = append(starts, r.Objective)
		if best == nil || better(r, best) {
			best = r
		}
	}
	best.Starts = starts
	return best, nil
}

// better reports whether a start beats another: by less added to the dissimilarities, as that makes
// all objectives larger, then by the objective.
func better(a, b *Result) bool {
	if a.Lifted != b.Lifted {
		return a.Lifted < b.Lifted
	}
	return a.Objective < b.Objective
}

// reach returns the noise distance in units of unit, a power of two: as given, or that of the data.
// One whose square would overflow beside the largest value is refused.
func (c Config) reach(unit float64, ofData func() float64) (float64, error) {
	reach := c.NoiseDistance / unit
	if c.NoiseDistance == 0 {
		reach = ofData()
	}
	if !(reach <= 1e140) {
		return 0, fault.Inputf("give one of their order, or none for the default",
			"a noise distance of %g is so much larger than all distances in the data that it "+
				"overflows", c.NoiseDistance)
	}
	return reach, nil
}

// begin returns the centres that a start goes out from.
func (e *engine) begin(ctx context.Context, cfg Config, start int) ([]float64, error) {
	if cfg.Centers.Rows > 0 {
		at := e.inwards(cfg.Centers)
		for _, v := range at {
			if !(v*v < 1e300) {
				return nil, fault.Inputf("give centres among the data",
					"a centre to start from is not finite, or far from all data")
			}
		}
		return at, nil
	}
	rng := rand.New(rand.NewPCG(cfg.Seed, uint64(start)))
	if start > 0 {
		rows, err := prototypes.Sample(ctx, e.data, cfg.Clusters, rng)
		if !fault.IsInput(err) { // there are as many different rows
			return e.inwards(dataset.Matrix{Rows: cfg.Clusters, Cols: e.d, F64: rows}), err
		}
	}
	means, err := kmeans.Fit(ctx, e.data,
		kmeans.Config{
			Clusters: cfg.Clusters,
			Limits:   fit.Limits{MaxIterations: 10},
			Options:  fit.Options{Seed: rng.Uint64(), Threads: cfg.Threads},
		})
	if err != nil {
		return nil, err
	}
	return e.inwards(means.Centers), nil
}

// run lowers the objective from the centres as they are: first with neither links nor metrics, then
// with links, then with metrics, too.
func (e *engine) run(ctx context.Context, cfg Config, start int, ls *links) (*Result, error) {
	e.shapes, e.links = nil, nil
	l := e.newLoop(cfg, start)
	if err := e.descend(ctx, l); err != nil {
		return nil, err
	}
	if ls != nil {
		l.r.Trace = nil // another objective
		e.links, l.nothing, l.unit = ls, 0, 1
		ls.begin(e)
		if err := e.descend(ctx, l); err != nil {
			return nil, err
		}
	}
	if e.learns(cfg) {
		if err := e.learn(cfg); err != nil {
			return nil, err
		}
		if err := e.descend(ctx, l); err != nil {
			return nil, err
		}
	}
	return e.result(ctx, l)
}

// led goes out from the means of groups that links separate, the other centres being those that a
// start begins with, with links and metrics from the first. So many iterations of the start are
// done.
func (e *engine) led(ctx context.Context, cfg Config, start int, ls *links, done int) (*Result,
	error) {
	var err error
	if e.at, err = e.begin(ctx, cfg, start); err != nil {
		return nil, err
	}
	e.shapes, e.links = nil, ls
	ls.lead(e)
	ls.begin(e)
	if e.learns(cfg) {
		if err := e.learn(cfg); err != nil {
			return nil, err
		}
	}
	l := e.newLoop(cfg, start)
	l.before, l.nothing, l.unit = done, 0, 1
	if err := e.descend(ctx, l); err != nil {
		return nil, err
	}
	return e.result(ctx, l)
}

// learns reports whether there are metrics to learn.
func (e *engine) learns(cfg Config) bool {
	return cfg.Metric != fit.Euclidean && e.spread > 0
}

// learn sets the metrics of clusters to the Euclidean one, to begin with.
func (e *engine) learn(cfg Config) (err error) {
	e.shapes, err = newShapes(e.vectors, e.fr, cfg.Metric == fit.Full, cfg.Shared)
	return err
}

// result returns the partition by the centres as they are.
func (e *engine) result(ctx context.Context, l *loop) (*Result, error) {
	r := l.r
	r.Credal = e.fr.partition(e.n)
	if err := e.pass(ctx, r.Credal.Mass); err != nil {
		return nil, err
	}
	if e.links != nil {
		for t, i := range e.links.rows {
			copy(r.Credal.Row(i), e.links.row(t))
		}
	}
	r.Centers, r.Metric = e.outwards(e.at), e.metric()
	if e.shapes != nil {
		r.Roots = e.shapes.roots
	}
	r.Objective, r.Merged = r.Trace[len(r.Trace)-1], e.merged()
	return r, nil
}

// merged counts clusters with another's centre next to theirs, as a large β, in many columns above
// all, makes them.
func (e *engine) merged() int {
	near := make([]bool, e.fr.c)
	for k := range near {
		for l := range k {
			sum := 0.0
			for j := range e.d {
				gap := e.at[k*e.d+j] - e.at[l*e.d+j]
				sum += float64(gap * gap)
			}
			if sum < 1e-4*e.spread {
				near[k], near[l] = true, true
			}
		}
	}
	count := 0
	for _, is := range near {
		if is {
			count++
		}
	}
	return count
}

// descend goes by turns, masses and centres, until the objective falls no more. It ends with the
// objective of the centres as they are. Where rounding makes it rise, as it can where clusters are
// next to flat, it ends with those before.
func (e *engine) descend(ctx context.Context, l *loop) error {
	l.still = 0
	var was [][]float64
	for first := true; ; first = false {
		if err := e.pass(ctx, nil); err != nil {
			return err
		}
		objective := e.sums.cost
		if e.links != nil {
			objective = e.links.sweep(e)
		}
		if !first && !(objective <= l.last) {
			for i, part := range e.changing() {
				*part = was[i]
			}
			l.r.Stopped = fit.Converged
			return nil
		}
		if l.done(objective) {
			return nil
		}
		was = was[:0]
		for _, part := range e.changing() {
			was = append(was, slices.Clone(*part))
		}
		e.move()
		if e.shapes != nil {
			e.shapes.learn(e)
		}
	}
}

// changing returns what an iteration changes, beside the masses that follow from it.
func (e *engine) changing() []*[]float64 {
	parts := []*[]float64{&e.at}
	if e.shapes != nil {
		parts = append(parts, &e.shapes.of, &e.shapes.sets, &e.shapes.roots)
	}
	if e.links != nil {
		parts = append(parts, &e.links.mass)
	}
	return parts
}

// loop counts the iterations of a start and finds when it ends.
type loop struct {
	cfg    Config
	start  int
	before int // iterations of the start that are done besides
	r      *Result
	still  int // iterations in a row that hardly lowered the objective

	last    float64 // objective of the last iteration
	nothing float64 // an objective that is 0 but for rounding
	unit    float64 // of objectives, in units of the data
}

func (e *engine) newLoop(cfg Config, start int) *loop {
	return &loop{cfg: cfg, start: start, r: &Result{Start: start},
		nothing: nothing(e.n, min(e.noise, e.spread)), unit: 1 / e.scale / e.scale}
}

// done takes the objective after an iteration, and reports whether it was the last.
func (l *loop) done(objective float64) bool {
	r := l.r
	if n := len(r.Trace); n > 0 {
		if l.last-objective <= float64(l.cfg.Tolerance*objective) {
			l.still++
		} else {
			l.still = 0
		}
	}
	l.last = objective
	r.Trace = append(r.Trace, objective*l.unit)
	r.Iterations++
	fit.Step(l.cfg.Options, l.cfg.Limits, l.start, l.before+r.Iterations, objective*l.unit)
	if l.still >= 2 || objective <= l.nothing {
		r.Stopped = fit.Converged
		return true
	}
	r.Stopped = fit.IterationLimit
	return r.Iterations >= l.cfg.MaxIterations
}

// nothing returns an objective that is 0 but for rounding, where objects mostly cost each.
func nothing(n int, each float64) float64 { return 1e-26 * each * float64(n) }
