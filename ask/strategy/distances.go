package strategy

import (
	"github.com/kindred-go/kindred/internal/simd"
)

// distances returns those of one row to others: of vectors the squared Euclidean ones, which are
// ordered alike.
type distances struct {
	cfg    Config
	wide   []float64
	narrow []float32
}

// to sets dst to the distances from row i to some rows; nil: to all.
func (d *distances) to(dst []float64, i int, rows []int32) {
	x := d.cfg.Data
	if d.cfg.Dissim == nil && !x.Single() {
		squares(dst, x.F64, x.Cols, i, rows)
		return
	}
	d.narrow = sized(d.narrow, len(dst))
	if d.cfg.Dissim != nil {
		d.cfg.Dissim.Row(d.narrow, i, rows)
	} else {
		squares(d.narrow, x.F32, x.Cols, i, rows)
	}
	for j, v := range d.narrow {
		dst[j] = float64(v)
	}
}

// squares sets dst to the squared Euclidean distances from row i of x to some rows; nil: to all.
func squares[T simd.Float](dst, x []T, cols, i int, rows []int32) {
	if row := x[i*cols : (i+1)*cols]; rows == nil {
		simd.SquaredDistances(dst, row, x)
	} else {
		simd.SquaredDistancesAt(dst, row, x, rows)
	}
}

// among returns the distances from row i to some rows, which are good until the next call.
func (d *distances) among(i int, rows []int32) []float64 {
	d.wide = sized(d.wide, len(rows))
	d.to(d.wide, i, rows)
	return d.wide
}

func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
