package method

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/credal"
	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/evclus"
	"github.com/kindred-go/kindred/fault"
)

// DefaultModelRows is how many fitted objects a model keeps to place new ones by, when nobody says: 500.
const DefaultModelRows = 500

// Landmarks place new objects into a credal partition: fitted objects that stand for all.
type Landmarks struct {
	evclus.Model
	Fitted  int     `json:"fitted"`           // objects of the fit
	Which   []int32 `json:"which"`            // which of them the landmarks are, from 0, ascending
	Objects Objects `json:"objects,omitzero"` // they themselves; zero where only a matrix was known
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
	if len(l.Which) != l.Len() {
		return fmt.Errorf("the model has masses of %d landmarks, and numbers of %d", l.Len(), len(l.Which))
	}
	for i, w := range l.Which {
		if w < 0 || int(w) >= l.Fitted || i > 0 && w <= l.Which[i-1] {
			return fmt.Errorf("the model has landmarks out of order")
		}
	}
	if err := l.Objects.check(l.Len()); err != nil {
		return err
	}
	if !l.Objects.None() && l.Objects.Metric.OfVectors() && e.Cols() != l.Objects.Rows.Cols {
		return fmt.Errorf("the model has landmarks of %d values and a recipe for %d", l.Objects.Rows.Cols, e.Cols())
	}
	return nil
}

// landmarksOf keeps fitted objects that place new ones; nil where the fit, of the Sammon stress, cannot, or no
// object is left.
func landmarksOf(r *evclus.Result, o Objects, excluded []int, s Settings) *Landmarks {
	n := s.Evidential.ModelRows
	if n == 0 {
		n = DefaultModelRows
	}
	l := &Landmarks{Fitted: r.Credal.Len(), Which: r.Landmarks(n, s.Seed)}
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

// Credal tells whether the model gives credal partitions.
func (m *Model) Credal() bool { return m.Landmarks != nil }

// Placement gives the masses of the rows that the table keeps after preparation, and which rows those are (nil: all). The
// model must be credal, and of rows of tables.
func (m *Model) Placement(ctx context.Context, t *dataset.Table, threads int) (p *credal.Partition, rows []int32, err error) {
	l := m.Landmarks
	if l.Objects.None() {
		return nil, nil, &fault.Input{File: t.Name, Problem: "the model was made from a matrix of dissimilarities, and compares no rows", Mend: "give the new objects' dissimilarities with --dissimilarity"}
	}
	new, rows, err := l.Objects.place(ctx, t, m.Encoding)
	if err != nil {
		return nil, nil, err
	}
	from, err := l.Objects.From(new)
	if err != nil {
		return nil, nil, err
	}
	p, err = l.Place(ctx, from, new.Len(), threads)
	return p, rows, err
}

// PlacementOf gives the masses of new objects by their dissimilarities: d has a row for each, and a column for each fitted
// object or for each landmark. The model must be credal.
func (m *Model) PlacementOf(ctx context.Context, d dataset.Matrix, threads int) (*credal.Partition, error) {
	l := m.Landmarks
	var at []int32
	switch d.Cols {
	case len(l.Which):
	case l.Fitted:
		at = l.Which
	default:
		return nil, &fault.Input{
			Problem: fmt.Sprintf("has %d columns, and the model has %d fitted objects, %d of them landmarks", d.Cols, l.Fitted, len(l.Which)),
			Mend:    "give one row a new object, with its dissimilarity to each fitted object in their order",
		}
	}
	for i := range d.Rows {
		for j := range d.Cols {
			if v := d.At(i, j); !(v >= 0 && v < 1e38) {
				return nil, &fault.Input{Row: i + 1, Problem: fmt.Sprintf("the dissimilarity to object %d is %g", j+1, v), Mend: "give a finite number of 0 or more"}
			}
		}
	}
	return l.Place(ctx, table{d, at}, d.Rows, threads)
}

// table is dissimilarities as given, or some columns of them.
type table struct {
	d  dataset.Matrix
	at []int32 // nil: all
}

func (t table) Row(dst []float32, i int, js []int32) {
	for k := range dst {
		j := k
		if js != nil {
			j = int(js[k])
		}
		if t.at != nil {
			j = int(t.at[j])
		}
		dst[k] = float32(t.d.At(i, j))
	}
}

var _ dissim.Rows = table{}
