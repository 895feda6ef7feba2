package worth

import (
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// ready returns the rows that questions are asked about: of rows with equal features the first,
// features scaled to 0..1, a constant one to 0, unless they are vectors. The input is not changed.
func ready(s *frame.Set) (dataset.Matrix, []int32) {
	rows, classes := frame.Distinct(s.X, s.Truth)
	if s.Vectors {
		return rows, classes
	}
	return frame.Scaled(rows), classes
}

// classesOf counts classes.
func classesOf(truth []int32) int {
	return len(slices.Compact(slices.Sorted(slices.Values(truth))))
}
