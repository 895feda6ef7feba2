package evclus

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// engine minimises the conflict stress over one store of pairs, in raw units: Σ (κ − δ)², each pair
// in use once, plus a weight times the sum of the links' penalties.
type engine interface {
	// changes the focal sets; reset must follow
	refocus(fr *frame)
	// sets the links and their weight
	tie(links linkTerms, penalty float64)
	// takes masses, n×f, which settle changes
	reset(ctx context.Context, mass []float64) error
	// one programme a row, or a row of only
	sweep(ctx context.Context, only []bool) (change float64, err error)
	// goes on from each programme's solution, to omega times the way
	relax(omega float64)
	// brings the masses of reset to where sweeps have led
	settle()
	stress(ctx context.Context) (float64, error) // Σ (κ − δ)²
	total() float64                              // Σ δ² = 1/η
}

// fitter is a fit under way.
type fitter struct {
	cfg    Config
	src    dissim.Source
	n      int
	fr     *frame
	store  *store
	scale  *scale
	engine engine
	links  linkTerms
	asks   bool // links are answers to questions of a run
	report reporter
	starts [][]int32 // starting cluster of each object, for starts from medoids
	res    *Result
}

// solution is where one minimisation ended.
type solution struct {
	mass              []float64 // n×f
	stress, objective float64   // stress is the part of the objective without links
	// the objective at the start and after each sweep or step; a step taken back repeats it
	trace     []float64
	converged bool
	a, b      float64 // of the Sammon stress
}

// take takes over how a minimisation went.
func (r *Result) take(s *solution) {
	r.Stress, r.Objective, r.Trace = s.stress, s.objective, s.trace
	r.Iterations, r.Stopped = len(s.trace)-1, fit.IterationLimit
	if s.converged {
		r.Stopped = fit.Converged
	}
}

// Fit makes a credal partition of the objects of src.
//
// It fails with a *fault.Input on a configuration or dissimilarities that cannot be used, and on
// links that contradict each other. When ctx ends, the best partition so far comes with an error
// that wraps ctx's; the Result is nil when there is none yet.
func Fit(ctx context.Context, src dissim.Source, cfg Config) (*Result, error) {
	f, err := newFitter(src, cfg)
	if err != nil {
		return nil, err
	}
	if err := f.prepare(ctx); err != nil {
		return nil, err
	}
	best, err := f.run(ctx)
	if best == nil {
		return nil, stopped(err, "before there was a partition")
	}
	f.finish(best, err == nil)
	return f.res, stopped(err, "the best partition so far is given")
}

// stopped wraps the error of a context in what became of the fit; nil for nil.
func stopped(err error, what string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("evclus: the fit was stopped, %s: %w", what, err)
}

// prepare gathers the pairs, chooses d0 and turns dissimilarities into conflicts.
func (f *fitter) prepare(ctx context.Context) error {
	var err error
	f.store, err = newStore(ctx, f.src, f.res.Partners, f.cfg,
		func(share float64) { f.report.prepared(0.2 * share) })
	if err != nil {
		return err
	}
	if err := f.differ(); err != nil {
		return err
	}
	f.starts, err = f.startLabels(ctx)
	if err != nil {
		return err
	}
	if f.cfg.Stress == Sammon {
		f.report.prepared(0.3)
		return nil
	}
	if err := f.chooseD0(ctx); err != nil {
		return err
	}
	if err := f.store.transform(ctx, f.scale, f.cfg.Threads); err != nil {
		return err
	}
	if !f.store.conflicts() {
		return fault.Inputf("give a smaller d0, or leave it to the default",
			"d0 is %g, so far above the dissimilarities that none calls for a conflict", f.scale.d0)
	}
	switch {
	case f.descends():
	case f.store.sampled != nil:
		f.engine, err = newSampled(ctx, f.fr, f.store.sampled, f.cfg.Threads)
	default:
		f.engine, err = newFull(ctx, f.fr, f.n, f.store.dense, f.cfg.Threads)
	}
	f.report.prepared(0.3)
	return err
}

// run minimises from each start, then under the links. The best solution so far comes with an
// error.
func (f *fitter) run(ctx context.Context) (best *solution, err error) {
	best, err = f.bestStart(ctx, f.freeStarts(), f.startMasses, f.free)
	if err != nil || best == nil {
		return best, err
	}
	if f.cfg.Pairs > 0 {
		if best, err = f.addPairs(ctx, best); err != nil {
			return best, err
		}
	}
	if f.links.empty() {
		return best, nil
	}
	if f.descends() {
		return f.constrainByGradient(ctx, best)
	}
	return f.constrain(ctx, best)
}

// bestStart minimises from the masses of each start, and returns the best solution so far, which
// may come with an error.
func (f *fitter) bestStart(ctx context.Context, starts int, masses func(start int) []float64,
	minimise func(context.Context, []float64) (*solution, error)) (best *solution, err error) {
	f.res.StartValues = nil
	for s := 0; s < starts && err == nil; s++ {
		f.report.start(s, f.cfg.Starts)
		var got *solution
		if got, err = minimise(ctx, masses(s)); got == nil {
			break
		}
		f.res.StartValues = append(f.res.StartValues, got.objective)
		if best == nil || got.objective < best.objective {
			best, f.res.Winner = got, s
		}
	}
	return best, err
}

// freeStarts is how many starts are fitted without links. Where gradients go on from a partition
// that is given, the fit from it is what links come to: the random starts are fitted under the
// links alone.
func (f *fitter) freeStarts() int {
	if f.cfg.Start == Given && f.descends() && !f.links.empty() {
		return 1
	}
	return f.cfg.Starts
}

// free minimises without links.
func (f *fitter) free(ctx context.Context, mass []float64) (*solution, error) {
	if f.descends() {
		return f.descend(ctx, mass, nil)
	}
	return f.minimise(ctx, mass, linkTerms{}, 0, nil)
}

// pace returns how far rows go in the next sweep (see simplexqp.Solver.Relax), from how far they
// went and from the changes of the objective in the last two sweeps: further while it falls slowly,
// since rows then follow each other.
func pace(omega, before, last float64) float64 {
	const step, most = 0.2, 1.7
	switch {
	case last > 0.5*before:
		return min(most, omega+step)
	case last < 0.3*before:
		return max(1, omega-step)
	}
	return omega
}

// minimise sweeps from mass, which it changes, until the objective changes by less than the
// tolerance, relatively, two sweeps running. (The running mean of kevclus-2016 eq. 21 begins at 1
// and cannot end before 17 sweeps, however good the start.) only restricts the rows that move; nil:
// all.
func (f *fitter) minimise(ctx context.Context, mass []float64, links linkTerms, factor float64,
	only []bool) (*solution, error) {
	e := f.engine
	weight := factor * e.total()
	e.tie(links, weight)
	if err := e.reset(ctx, mass); err != nil {
		return nil, err
	}
	raw, err := e.stress(ctx)
	if err != nil {
		return nil, err
	}
	penalty := func() float64 {
		if weight == 0 {
			return 0
		}
		e.settle()
		return links.penalty(mass, f.fr.penalty, f.fr.f)
	}
	raw += weight * penalty()
	far, latest := 1.0, math.Inf(1)
	s := &solution{mass: mass, trace: []float64{raw / e.total()}}
	for calm := 0; len(s.trace) <= f.cfg.MaxIterations && raw > 0; {
		if calm > 0 {
			e.relax(1) // the last sweep leaves each row at its minimum
		} else {
			e.relax(far)
		}
		change, err := e.sweep(ctx, only)
		far = pace(far, latest, -change)
		latest = -change
		before := raw
		raw = max(0, raw+change)
		s.trace = append(s.trace, raw/e.total())
		f.report.sweep(len(s.trace)-1, -change/before, raw/e.total())
		if err != nil {
			e.settle()
			s.objective = raw / e.total()
			s.stress = max(0, s.objective-factor*penalty())
			return s, err
		}
		if -change < f.cfg.Tolerance*before {
			calm++
		} else {
			calm = 0
		}
		if calm == 2 {
			s.converged = true
			break
		}
	}
	e.settle()
	s.converged = s.converged || raw == 0
	measured, err := e.stress(ctx)
	if err != nil { // the sums of the sweeps will do
		measured = raw - weight*penalty()
	}
	s.stress = max(0, measured) / e.total() // rounding may leave less than nothing
	s.objective = s.stress + factor*penalty()
	return s, err
}

// finish puts a solution into the result. ended reports whether it ran to its end.
func (f *fitter) finish(s *solution, ended bool) {
	r := f.res
	r.Credal = &credal.Partition{Clusters: f.cfg.Clusters, Focal: f.fr.focal, Mass: s.mass}
	if f.cfg.Start != Given {
		r.renumber()
	}
	r.take(s)
	r.A, r.B = s.a, s.b
	if f.scale != nil {
		r.D0, r.Gamma, r.scale = f.scale.d0, f.scale.gamma, f.scale
	}
	if !s.converged && ended {
		unit := "sweeps"
		if f.descends() {
			unit = "steps"
		}
		f.note("The fit had not settled after %d %s: allow more, or accept a larger tolerance.",
			r.Iterations, unit)
	}
}

func (f *fitter) note(format string, args ...any) {
	f.res.Notes = append(f.res.Notes, fmt.Sprintf(format, args...))
}
