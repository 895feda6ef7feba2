package input

import (
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
)

// Preview is what would become of DATA.
type Preview struct {
	Rows, Features int           // of the matrix; 0 where no table of features is prepared
	Gaps           *dataset.Gaps // missing values that nobody has said what to do about; nil: none
}

// Preview reads DATA and returns what would become of them by the settings, of which it keeps
// nothing. It fails as [Open] does where DATA cannot be read. What is no table of features, as texts
// and pictures, it does not look at.
func (r *Recipe) Preview(ctx context.Context, place Place, name string, progress Progress) (*Preview,
	error) {
	m, err := r.Compared()
	if err != nil {
		return nil, err
	}
	_, where, err := place.Locate(name)
	if err != nil {
		return nil, err
	}
	if r.Square || where == InFolder || r.shows() || r.Embedding != "" {
		return &Preview{}, nil
	}
	t, err := r.Read(ctx, place, name, false, progress)
	if err != nil {
		return nil, err
	}
	p := &Preview{Rows: t.Rows, Features: t.MatrixCols()}
	gaps := t.Gaps()
	missing, err := r.missing()
	switch {
	case err != nil:
		return nil, err
	case m == dissim.Gower || gaps == nil:
	case missing == dataset.MissingDrop:
		p.Rows -= gaps.Lacking
	case missing == dataset.MissingRefuse:
		p.Gaps = gaps
	}
	return p, nil
}
