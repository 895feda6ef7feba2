package frame

import (
	"math"

	"github.com/kindred-go/kindred/data/dataset"
)

// Distinct returns the rows that repeat none before them, with their classes, as float64. The input
// is not changed.
func Distinct(x dataset.Matrix, truth []int32) (dataset.Matrix, []int32) {
	out := dataset.Matrix{Cols: x.Cols}
	var classes []int32
	seen := make(map[string]bool, x.Rows)
	var key []byte
	for i := range x.Rows {
		from := len(out.F64)
		out.F64 = x.AppendRow(out.F64, i)
		key = key[:0]
		for _, v := range out.F64[from:] {
			bits := math.Float64bits(v + 0) // −0 and 0 are equal
			for range 8 {
				key = append(key, byte(bits))
				bits >>= 8
			}
		}
		if seen[string(key)] {
			out.F64 = out.F64[:from]
			continue
		}
		seen[string(key)] = true
		out.Rows++
		classes = append(classes, truth[i])
	}
	return out, classes
}

// Scaled returns the rows with each feature scaled to 0..1, as float64; one that is constant
// becomes 0. The input is not changed.
func Scaled(x dataset.Matrix) dataset.Matrix {
	out := dataset.Matrix{Rows: x.Rows, Cols: x.Cols, F64: make([]float64, 0, x.Rows*x.Cols)}
	for i := range x.Rows {
		out.F64 = x.AppendRow(out.F64, i)
	}
	for j := range out.Cols {
		low, high := math.Inf(1), math.Inf(-1)
		for i := j; i < len(out.F64); i += out.Cols {
			low, high = min(low, out.F64[i]), max(high, out.F64[i])
		}
		for i := j; i < len(out.F64); i += out.Cols {
			if out.F64[i] -= low; high > low {
				out.F64[i] /= high - low
			}
		}
	}
	return out
}
