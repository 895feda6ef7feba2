package method

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
)

// Kept are objects of a fit that a model keeps, to compare new ones with.
type Kept struct {
	Fitted  int     `json:"fitted"`           // objects of the fit
	Which   []int32 `json:"which"`            // which of them are kept, from 0, ascending
	Objects Objects `json:"objects,omitzero"` // they themselves; zero where only a matrix was known
}

// Check returns an error unless the objects, read from a file, hang together; count is how many the
// rest of the model is about.
func (k *Kept) Check(count int, e dataset.Encoding) error {
	if len(k.Which) != count {
		return fmt.Errorf("the model places by %d objects, and has the numbers of %d", count,
			len(k.Which))
	}
	for i, w := range k.Which {
		if w < 0 || int(w) >= k.Fitted || i > 0 && w <= k.Which[i-1] {
			return errors.New("the model has objects out of order")
		}
	}
	if k.Objects.None() {
		return nil
	}
	if k.Objects.Metric.OfVectors() {
		if err := e.Check(); err != nil {
			return err
		}
		if e.Cols() != k.Objects.Rows.Cols {
			return fmt.Errorf("the model has objects of %d values and a recipe for %d",
				k.Objects.Rows.Cols, e.Cols())
		}
	}
	return k.Objects.check(count)
}

// Among returns the dissimilarities of the n rows that a table keeps after preparation to the
// objects kept, and which rows those are (nil: all).
func (k *Kept) Among(ctx context.Context, t *dataset.Table, e dataset.Encoding) (from dissim.Rows,
	n int, rows []int32, err error) {
	if k.Objects.None() {
		return nil, 0, nil, &fault.Input{File: t.Name,
			Problem: "the model was made from a matrix of dissimilarities, and compares no rows",
			Fix:     "give the new objects' dissimilarities with --dissimilarity"}
	}
	new, rows, err := k.Objects.place(ctx, t, e)
	if err != nil {
		return nil, 0, nil, err
	}
	from, err = k.Objects.From(new)
	return from, new.Len(), rows, err
}

// Columns returns the dissimilarities of new objects as given: d has a row for each, and a column
// for each fitted object or for each that is kept.
func (k *Kept) Columns(d dataset.Matrix) (dissim.Rows, error) {
	var at []int32
	switch d.Cols {
	case len(k.Which):
	case k.Fitted:
		at = k.Which
	default:
		return nil, &fault.Input{
			Problem: fmt.Sprintf(
				"has %d columns, and the model has %d fitted objects, of which it keeps %d", d.Cols,
				k.Fitted, len(k.Which)),
			Fix: "give one row a new object, with its dissimilarity to each fitted object in " +
				"their order",
		}
	}
	for i := range d.Rows {
		for j := range d.Cols {
			if v := d.At(i, j); !(v >= 0 && v < 1e38) {
				return nil, &fault.Input{Row: i + 1,
					Problem: fmt.Sprintf("the dissimilarity to object %d is %g", j+1, v),
					Fix:     "give a finite number of 0 or more"}
			}
		}
	}
	return table{d, at}, nil
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
