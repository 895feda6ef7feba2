package evclus

import "context"

// constrain brings the links in, from the solution without them.
func (f *fitter) constrain(ctx context.Context, base *solution) (*solution, error) {
	f.res.Used = Penalty
	mass := append([]float64(nil), base.mass...)
	got, err := f.minimise(ctx, mass, f.links, f.links.factor(f.cfg.Xi), nil)
	if got == nil {
		return base, err
	}
	return got, err
}
