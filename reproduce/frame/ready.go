package frame

import (
	"math"
	"slices"

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
	low, high := slices.Repeat([]float64{math.Inf(1)}, x.Cols),
		slices.Repeat([]float64{math.Inf(-1)}, x.Cols)
	for i, v := range out.F64 {
		j := i % x.Cols
		low[j], high[j] = min(low[j], v), max(high[j], v)
	}
	for i := range out.F64 {
		j := i % x.Cols
		if out.F64[i] -= low[j]; high[j] > low[j] {
			out.F64[i] /= high[j] - low[j]
		}
	}
	return out
}
