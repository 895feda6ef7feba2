package kmeans

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/prototypes"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/link"
)

// FitLCVQE partitions the rows of data, which it does not change, under must-links and cannot-links
// by LCVQE (Pelleg and Baras 2007; Covões, Hruschka and Ghosh 2013, section II and equations A.1 to
// A.6). Values must be finite.
//
// An iteration puts each row into the cluster of its nearest prototype, the lowest among equals.
// Then the violated must-links, and after them the violated cannot-links, are gone through in the
// order given. With d the squared distance:
//
//   - a must-link of x in cluster j and y in cluster n takes the cheapest, the first among equals,
//     of leaving both, ½(d(x,μj)+d(y,μn)) + ¼(d(y,μj)+d(x,μn)), both to j, ½(d(x,μj)+d(y,μj)), and
//     both to n. Leaving is never the cheapest, and as cheap only where x lies on μj and y on μn;
//   - a cannot-link within cluster j, R being the object farther from μj (the second of the link on
//     a tie) and V the nearest other prototype of R, takes the cheaper, the first on a tie, of
//     leaving both, ½(d(x,μj)+d(y,μj)) + ½d(R,μV), and R to V, ½d(other,μj) + ½d(R,μV). Leaving is
//     dearer by ½d(R,μj), so it happens only where R lies on μj.
//
// Clusters are those that the objects are in when the link's turn comes, so a link sees what those
// before it have moved, and may undo it. What the whole costs (A.1), and the prototypes that follow
// from it (A.4 to A.6), are functions of the partition that results: a link that it violates
// counts, once for each link an object is in. A cluster that gets no weight keeps its prototype.
// With one cluster a cannot-link cannot be met and costs nothing.
//
// A link of confidence p < 1 weighs p (ours): what a violation adds to the costs, and to sums and
// counts of the prototypes, is multiplied by p. Then leaving both ends of a cannot-link can be the
// cheaper: where d(R,μj) ≤ (1−p)·d(R,μV). Unknown links mean nothing. Links are as given, not their
// closure; one that is given twice counts twice.
//
// The objective can rise from one iteration to the next. The iteration stops when the labels repeat
// or at the limit, and the best partition seen is returned. Without links this is Lloyd's
// iteration.
//
// It holds what [Fit] does, and the linked rows as float64. When ctx is done it returns an error
// that wraps ctx's, and no result. Input that cannot be fitted (more clusters than distinct rows, a
// link to a row that is not there, values that are missing or overflow) is a
// [*fault.Input], and links that contradict each other are a [*link.Contradiction] where they are
// refused.
func FitLCVQE(ctx context.Context, data dataset.Matrix, cfg LCVQEConfig) (*LCVQEResult, error) {
	cfg = cfg.withDefaults()
	if err := data.CheckSize("data"); err != nil {
		return nil, err
	}
	if err := cfg.check(data.Rows, data.Cols); err != nil {
		return nil, err
	}
	_, clashing, err := link.Build(data.Rows, cfg.Links, cfg.Contradictions)
	if err != nil {
		return nil, err
	}
	var r *LCVQEResult
	if data.Single() {
		r, err = fitLCVQE(ctx, data.F32, data, cfg)
	} else {
		r, err = fitLCVQE(ctx, data.F64, data, cfg)
	}
	if err != nil {
		return nil, err
	}
	r.Clashing, r.Violated = clashing, link.Violated(r.Labels, cfg.Links)
	return r, nil
}

func fitLCVQE[T simd.Float](ctx context.Context, rows []T, data dataset.Matrix,
	cfg LCVQEConfig) (*LCVQEResult, error) {
	e := newEngine(rows, data.Rows, data.Cols, cfg.Clusters, cfg.Threads)
	col, given, err := e.begin(ctx, cfg.Prototypes)
	if err == nil {
		err = prototypes.Check(ctx, data, cfg.Clusters)
	}
	if err != nil {
		return nil, interrupted(err, 0, 0)
	}
	linked := newLinked(data, cfg.Links)
	var best *LCVQEResult
	var starts []LCVQEStart
	var learning time.Duration
	for start := range cfg.Starts {
		at := slices.Clone(given)
		if given == nil {
			if at, err = e.prototypes(ctx, data, start, cfg); err != nil {
				return nil, interrupted(err, start, 0)
			}
		}
		began := time.Now()
		r, err := e.lcvqe(ctx, at, col, linked, start, cfg)
		if err != nil {
			return nil, err
		}
		learning += time.Since(began)
		starts = append(starts,
			LCVQEStart{Labels: r.Labels, Objective: r.Objective,
				Violated: len(link.Violated(r.Labels, cfg.Links)), Iterations: r.Iterations})
		if best == nil || r.Objective < best.Objective {
			best = r
		}
	}
	best.Starts, best.Seconds = starts, learning.Seconds()
	return best, nil
}

// prototypes draws those that a start begins with.
func (e *engine[T]) prototypes(ctx context.Context, data dataset.Matrix, start int,
	cfg LCVQEConfig) ([]float64, error) {
	rng := rand.New(rand.NewPCG(cfg.Seed, uint64(start)))
	switch cfg.Init {
	case PrototypesGaussian:
		return prototypes.Gaussian(ctx, data, e.k, rng)
	case PrototypesSample:
		return prototypes.Sample(ctx, data, e.k, rng)
	}
	return e.initialise(ctx, InitAuto, rng)
}

// lcvqe iterates from prototypes, which it takes over.
func (e *engine[T]) lcvqe(ctx context.Context, at []float64, col columns, l *linked, start int,
	cfg LCVQEConfig) (*LCVQEResult, error) {
	s := newState(e, at, Auto)
	v := newViolations(l, e.k, e.d)
	r := &LCVQEResult{Start: start, Stopped: fit.IterationLimit}
	origin := widen(e.origin, make([]float64, e.d))
	best := 0.0
	for iteration := 1; ; iteration++ {
		if err := s.pass(ctx); err != nil {
			return nil, interrupted(err, start, iteration)
		}
		changed := 0
		for b := range s.parts {
			changed += s.parts[b].changed
		}
		moved, turned, err := v.settle(ctx, s.labels, s.centers)
		if err != nil {
			return nil, interrupted(err, start, iteration)
		}
		moved += changed - turned
		distortion, err := s.inertia(ctx, col)
		if err != nil {
			return nil, interrupted(err, start, iteration)
		}
		j := distortion/2 + v.extra(s.centers)
		r.Trace = append(r.Trace, j)
		if iteration == 1 || j < best {
			best, r.Best, r.Moved = j, iteration, v.moved()
			r.Labels = v.labels(append(r.Labels[:0], s.labels...))
			r.Prototypes = dataset.Matrix{Rows: e.k, Cols: e.d,
				F64: append(r.Prototypes.F64[:0], s.centers...)}
		}
		if iteration > cfg.MaxIterations {
			break
		}
		r.Iterations = iteration
		fit.Step(cfg.Options, cfg.Limits, start, iteration, j)
		if moved == 0 && iteration > 1 {
			r.Stopped = fit.Converged
			break
		}
		v.update(s.sums, origin, s.counts, s.centers)
	}
	distortion, err := e.inertia(ctx, r.Labels, r.Prototypes.F64)
	if err != nil {
		return nil, interrupted(err, start, r.Iterations)
	}
	for i, row := range v.at {
		v.now[i] = r.Labels[row]
	}
	r.Objective = distortion/2 + v.cost(v.now, r.Prototypes.F64)
	r.Sizes = make([]int, e.k)
	for _, c := range r.Labels {
		r.Sizes[c]++
	}
	return r, nil
}
