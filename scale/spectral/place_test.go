package spectral

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Place returns the cluster, from 0, of each row of x, n×d. It fails with a [*fault.Input] when x
// has another number of columns, or values that are not finite or too large, and when the model is
// not whole; and when ctx is done.
func (m *Model) Place(ctx context.Context, x dataset.Matrix, threads int) ([]int32, error) {
	if x.Cols != m.Columns {
		return nil, fault.Inputf("give the columns it was made from",
			"there are %d columns, and the model has %d", x.Cols, m.Columns)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	l := m.prepare()
	out := make([]int32, x.Rows)
	const block = 1024
	// the first row of each block that has no place, from 1
	bad := make([]int, parallel.Count(x.Rows, block))
	err := parallel.Blocks(ctx, x.Rows, block, threads, func(b, lo, hi int) {
		w := l.workspace()
		var row []float64
		for i := lo; i < hi; i++ {
			row = x.AppendRow(row[:0], i)
			if slices.ContainsFunc(row, func(v float64) bool { return v-v != 0 }) {
				bad[b] = i + 1
				return
			}
			out[i], _ = w.nearest(w.layOut(row))
			if w.far() {
				bad[b] = i + 1
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for _, row := range bad {
		if row > 0 {
			return nil, &fault.Input{Row: row,
				Problem: "a value is not a finite number, or too large to be compared in 64-bit " +
					"numbers", Fix: "give finite numbers of the scale that the model was made from"}
		}
	}
	return out, nil
}
