package dataset

import (
	"context"
	"math"
	"slices"
)

// WithVectors returns the table with a column of vectors beside its features: the numbers of row i
// of x are those of the table's row rows[i] (nil: row i), and are missing in other rows. Unlike
// those of a column that was read, the vectors are scaled as one, by [ScaleMinMax] so that their
// squared distances are on average those of a column of evenly spread numbers, and they weigh as one
// column. The table stays as it is.
func (t *Table) WithVectors(ctx context.Context, name string, x Matrix, rows []int32) (*Table,
	error) {
	if t.consumed {
		return nil, errConsumed
	}
	had := t.values.Cols
	values, err := allocate(t.Name, t.Rows, had+x.Cols, t.values.Single() || had == 0 && x.Single())
	if err != nil {
		return nil, err
	}
	set := func(row, col int, v float64) {
		if values.Single() {
			values.F32[row*values.Cols+col] = float32(v)
		} else {
			values.F64[row*values.Cols+col] = v
		}
	}
	next := 0
	for i := range t.Rows {
		if i%statRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for j := range had {
			set(i, j, t.values.At(i, j))
		}
		from := i
		if rows != nil {
			from = -1
			if next < len(rows) && int(rows[next]) == i {
				from = next
				next++
			}
		}
		for j := range x.Cols {
			v := math.NaN()
			if from >= 0 {
				v = x.At(from, j)
			}
			set(i, had+j, v)
		}
	}
	out := *t
	out.values, out.Columns = values, slices.Clone(t.Columns)
	for j := range x.Cols {
		c := Column{Name: name + "_" + itoa(j+1), Vector: name, Type: Number, Role: Feature,
			Why: "a vector beside the features"}
		c.store.slot, c.store.whole = had+j, true
		out.Columns = append(out.Columns, c)
	}
	return &out, out.columnFigures(ctx, 0)
}

// scaleWhole sets a divisor in common for the numbers of vectors of a table that are scaled as one.
func (e *Encoding) scaleWhole(ctx context.Context, t *Table, x Matrix, threads int) error {
	names := make(map[string]bool)
	for i := range t.Columns {
		if c := &t.Columns[i]; c.store.whole {
			names[c.Name] = true
		}
	}
	if e.Scale == ScaleNone || len(names) == 0 {
		return nil
	}
	var whole []int // columns of x
	var columns []*EncodedColumn
	at := 0
	for i := range e.Columns {
		c := &e.Columns[i]
		if names[c.Source] {
			whole, columns = append(whole, at), append(columns, c)
		}
		at += c.Width()
	}
	_, deviations, err := columnScale(ctx, x, ScaleZScore, threads)
	if err != nil {
		return err
	}
	length := 0.0
	for _, j := range whole {
		length = math.Hypot(length, deviations[j])
	}
	if e.Scale == ScaleMinMax {
		length *= rootTwelve // numbers that are spread evenly over [0, 1] have the variance 1/12
	}
	for _, c := range columns {
		c.Divisor = []float64{length}
	}
	return nil
}
