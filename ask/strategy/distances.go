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

// to sets dst to the distances from row i to all rows.
func (d *distances) to(dst []float64, i int) {
	x := d.cfg.Data
	switch {
	case d.cfg.Dissim != nil:
		d.narrow = sized(d.narrow, len(dst))
		d.cfg.Dissim.Row(d.narrow, i, nil)
	case x.Single():
		d.narrow = sized(d.narrow, len(dst))
		simd.SquaredDistances(d.narrow, x.F32[i*x.Cols:(i+1)*x.Cols], x.F32)
	default:
		simd.SquaredDistances(dst, x.F64[i*x.Cols:(i+1)*x.Cols], x.F64)
		return
	}
	for j, v := range d.narrow {
		dst[j] = float64(v)
	}
}

// among returns the distances from row i to some rows. What it gives is good until the next call.
func (d *distances) among(i int, rows []int32) []float64 {
	d.wide = sized(d.wide, len(rows))
	x := d.cfg.Data
	switch {
	case d.cfg.Dissim != nil:
		d.narrow = sized(d.narrow, len(rows))
		d.cfg.Dissim.Row(d.narrow, i, rows)
	case x.Single():
		d.narrow = sized(d.narrow, len(rows))
		simd.SquaredDistancesAt(d.narrow, x.F32[i*x.Cols:(i+1)*x.Cols], x.F32, rows)
	default:
		simd.SquaredDistancesAt(d.wide, x.F64[i*x.Cols:(i+1)*x.Cols], x.F64, rows)
		return d.wide
	}
	for j, v := range d.narrow {
		d.wide[j] = float64(v)
	}
	return d.wide
}

func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
