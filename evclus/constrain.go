package evclus

import "context"

// constrain brings the links in, from the solution without them.
func (f *fitter) constrain(ctx context.Context, base *solution) (*solution, error) {
	f.res.Links, f.res.Violated = len(f.links.ties), f.violatedBy(base)
	f.res.Used = f.strategy(f.res.Violated)
	switch f.res.Used {
	case Anchor:
		return f.anchor(ctx, base)
	case Propagate:
		return f.propagate(ctx, base, f.res.Violated)
	default:
		return f.penalise(ctx, base)
	}
}
