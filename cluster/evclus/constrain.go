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
		spread, err := f.propagate(ctx, base, f.res.Violated)
		if err != nil || f.cfg.Constraints != Choose {
			return spread, err
		}
		return f.unlessStrained(ctx, base, spread)
	default:
		return f.penalise(ctx, base)
	}
}

// unlessStrained returns spread, where links reach beyond their ends, unless its stress is far
// above that of a fit in which they do not: it then fits the links by doing violence to the
// dissimilarities. Links asked for where clusters overlap are violated often, whether or not the
// partition is otherwise right.
func (f *fitter) unlessStrained(ctx context.Context, base, spread *solution) (*solution, error) {
	still, err := f.anchor(ctx, base)
	if err != nil || spread.stress <= chooseStress*still.stress {
		return spread, err
	}
	f.res.Used = Anchor
	return still, nil
}
