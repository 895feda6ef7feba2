package evclus

import "context"

// descends reports whether a fit goes by gradients.
func (f *fitter) descends() bool { return f.cfg.Optimizer == Gradient }

// descend minimises by gradients from mass. nil links stand for none.
func (f *fitter) descend(ctx context.Context, mass []float64, links *linkTerms) (*solution, error) {
	p := gradientProblem{
		n: f.n, focal: f.fr.focal, stress: f.cfg.Stress, links: links, xi: f.cfg.LinkWeight,
		tol: f.cfg.Tolerance, maxSteps: f.cfg.MaxIterations, threads: f.cfg.Threads,
		progress: f.report.sweep,
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
	return out, err
}

// constrainByGradient brings links in as cevclus-2013 §4.1.4 does: one start from the solution
// without them, the others as the starts without links began; the lowest objective wins.
func (f *fitter) constrainByGradient(ctx context.Context, base *solution) (*solution, error) {
	f.res.Links, f.res.Violated, f.res.Used = len(f.links.ties), f.violatedBy(base), Penalty
	best, err := f.bestStart(ctx, f.cfg.Starts, func(s int) []float64 {
		if s == 0 {
			return base.mass
		}
		return f.startMasses(s)
	}, func(ctx context.Context, mass []float64) (*solution, error) {
		return f.descend(ctx, mass, &f.links)
	})
	if best == nil {
		best = base
	}
	return best, err
}
