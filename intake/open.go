package intake

import (
	"context"

	"github.com/kindred-go/kindred/method"
)

// Open reads DATA as the method of the recipe takes them, all cells kept to be shown. progress, unless nil, hears how far it is.
// Settings that do not go together are a [Usage], found before anything is read; what is wrong with the data is a
// [*fault.Input].
func Open(ctx context.Context, place Place, name string, r *Recipe, progress Progress) (*Data, error) {
	m, s, err := r.Settings()
	if err != nil {
		return nil, err
	}
	d, err := r.Take(ctx, place, name, m, true, false, progress)
	if err != nil {
		return nil, err
	}
	return d, r.Among(d.N(), m, s)
}

// Take reads DATA as a method takes them. keep holds all cells, to be shown; consume prepares features in the place that they
// were read into.
func (r *Recipe) Take(ctx context.Context, place Place, name string, m method.Method, keep, consume bool, progress Progress) (*Data, error) {
	if m.Dissimilarity {
		return r.Objects(ctx, place, name, keep, consume, progress)
	}
	t, err := r.Read(ctx, place, name, keep, progress)
	if err != nil {
		return nil, err
	}
	return r.Prepare(ctx, t, consume)
}
