package evclus

import (
	"context"

	"github.com/kindred-go/kindred/fault"
)

// descends reports whether a fit goes by gradients.
func (f *fitter) descends() bool { return f.cfg.Optimizer == Gradient }

// checkRoute refuses what neither route does.
func checkRoute(cfg Config) error {
	if cfg.Stress == Sammon && cfg.Optimizer != Gradient {
		return &fault.Input{
			Problem: "the Sammon stress has no row programmes: its scale a and shift b are free",
			Fix:     "minimise it by gradients (--optimizer gradient), or take the conflict stress",
		}
	}
	if cfg.Optimizer == Gradient && (cfg.Constraints == Anchor || cfg.Constraints == Propagate) {
		return &fault.Input{
			Problem: "gradients take links as penalties alone",
			Fix:     "leave the way of links out, or fit row by row (--optimizer irqp)",
		}
	}
	return nil
}

// descend minimises by gradients from mass. nil links stand for none.
func (f *fitter) descend(ctx context.Context, mass []float64, links *linkTerms) (*solution, error) {
	p := gradientProblem{
		n: f.n, focal: f.fr.focal, stress: f.cfg.Stress, links: links, xi: f.cfg.LinkWeight,
		tol: f.cfg.Tolerance, maxSteps: f.cfg.MaxIterations, threads: f.cfg.Threads,
		progress: f.told.sweep,
	}
	if s := f.store.sampled; s != nil {
		p.terms = newSampledTerms(s, s.D)
	} else {
		p.terms = matrixTerms{f.n, f.store.dense}
	}
	out, err := gradientFit(ctx, p, mass)
	if len(out.trace) == 0 {
		return nil, err
	}
	return &solution{
		mass: out.masses, stress: out.stress, objective: out.objective, trace: out.trace,
		converged: out.converged, a: out.a, b: out.b,
	}, err
}

// constrainByGradient brings links in as cevclus-2013 §4.1.4 does: one start from the solution
// without them, the others as the starts without links began; the lowest objective wins.
func (f *fitter) constrainByGradient(ctx context.Context, base *solution) (*solution, error) {
	f.res.Links, f.res.Violated, f.res.Used = len(f.links.ties), f.violatedBy(base), Penalty
	var best *solution
	f.res.StartValues = nil
	for s := range f.cfg.Starts {
		f.told.start(s, f.cfg.Starts)
		mass := base.mass
		if s > 0 {
			mass = f.startMasses(s)
		}
		got, err := f.descend(ctx, mass, &f.links)
		if got != nil {
			f.res.StartValues = append(f.res.StartValues, got.objective)
			if best == nil || got.objective < best.objective {
				best, f.res.Winner = got, s
			}
		}
		if err != nil {
			if best == nil {
				best = base
			}
			return best, err
		}
	}
	return best, nil
}
