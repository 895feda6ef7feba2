package bayes

import (
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/weighted"
)

// newRows takes nothing from the rows unless an origin is set; for a gaussian likelihood it also
// sums their squares.
func newRows(data dataset.Matrix, k, threads int, by Likelihood) *weighted.Rows {
	powers := weighted.Values
	if by == Gaussian {
		powers = weighted.Squares
	}
	return weighted.New(data, k, threads, make([]float64, data.Cols), powers)
}
