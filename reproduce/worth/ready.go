package worth

import (
	"math"
	"strings"

	"github.com/kindred-go/kindred/dataset"
)

// ready gives the rows that questions are asked about: of rows with equal features the first, features scaled to 0..1, a constant
// one to 0. The input is not changed.
func ready(x dataset.Matrix, truth []int32) (dataset.Matrix, []int32) {
	seen := map[string]bool{}
	var rows []int
	var classes []int32
	var key strings.Builder
	var row []float64
	for i := range x.Rows {
		key.Reset()
		row = x.AppendRow(row[:0], i)
		for _, v := range row {
			bits := math.Float64bits(v + 0) // −0 is 0
			for s := 0; s < 64; s += 8 {
				key.WriteByte(byte(bits >> s))
			}
		}
		if !seen[key.String()] {
			seen[key.String()] = true
			rows, classes = append(rows, i), append(classes, truth[i])
		}
	}
	out := dataset.Matrix{Rows: len(rows), Cols: x.Cols, F64: make([]float64, 0, len(rows)*x.Cols)}
	for _, i := range rows {
		out.F64 = x.AppendRow(out.F64, i)
	}
	for j := range out.Cols {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range out.Rows {
			v := out.F64[i*out.Cols+j]
			low, high = min(low, v), max(high, v)
		}
		for i := range out.Rows {
			at := &out.F64[i*out.Cols+j]
			if *at -= low; high > low {
				*at /= high - low
			}
		}
	}
	return out, classes
}

// classesOf counts classes.
func classesOf(truth []int32) int {
	seen := map[int32]bool{}
	for _, c := range truth {
		seen[c] = true
	}
	return len(seen)
}
