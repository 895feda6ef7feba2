//go:build ignore

package method

import (
	"context"
	"errors"
	"slices"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
)

// DefaultModelRows is how many fitted objects a credal model keeps to place new ones by, when
// nobody says: 500.
const DefaultModelRows = 500

// Landmarks place new objects into a credal partition: fitted objects that stand for all.
type Landmarks struct {
	evclus.Model
	Kept
}

// check trusts nothing in a file.
func (l *Landmarks) check(e dataset.Encoding) error {
	if err := l.Model.Check(); err != nil {
		var in *fault.Input
		if errors.As(err, &in) {
			return errors.New(in.Problem)
		}
		return err
	}
	return l.Kept.check(l.Len(), e)
}

// landmarksOf keeps fitted objects that place new ones; nil where the fit, of the Sammon stress,
// cannot, or no object is left.
func landmarksOf(r *evclus.Result, o Objects, excluded []int, s Settings) *Landmarks {
	n := s.Evidential.ModelRows
	if n == 0 {
		n = DefaultModelRows
	}
	l := &Landmarks{Kept: Kept{Fitted: r.Credal.Len(), Which: r.Landmarks(n, s.Seed)}}
	l.Which = slices.DeleteFunc(l.Which, func(i int32) bool {
		_, out := slices.BinarySearch(excluded, int(i))
		return out
	})
	m, err := r.Model(l.Which)
	if err != nil {
		return nil
	}
	l.Model = *m
	if !o.None() {
		l.Objects = o.Subset(l.Which)
	}
	return l
}

// Credal reports whether the model gives credal partitions.
func (m *Model) Credal() bool { return m.Landmarks != nil }

// Placement returns the masses of the rows that the table keeps after preparation, and which rows
// those are (nil: all). The model must be credal, and of rows of tables.
func (m *Model) Placement(ctx context.Context, t *dataset.Table, threads int) (p *credal.Partition,
	rows []int32, err error) {
	from, n, rows, err := m.Landmarks.among(ctx, t, m.Encoding)
	if err != nil {
		return nil, nil, err
	}
	p, err = m.Landmarks.Place(ctx, from, n, threads)
	return p, rows, err
}

// PlacementOf returns the masses of new objects by their dissimilarities: d has a row for each, and
// a column for each fitted object or for each landmark. The model must be credal.
func (m *Model) PlacementOf(ctx context.Context, d dataset.Matrix, threads int) (*credal.Partition,
	error) {
	from, err := m.Landmarks.columns(d)
	if err != nil {
		return nil, err
	}
	return m.Landmarks.Place(ctx, from, d.Rows, threads)
}
