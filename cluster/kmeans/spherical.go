package kmeans

import (
	"math"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/simd"
)

// unitSlack is how far the squared length of a row may be from 1 by rounding.
const unitSlack = 1e-3

// checkUnit returns an error unless all rows have length 1.
func (e *engine[T]) checkUnit() error {
	origin := make([]T, e.d)
	for i := range e.n {
		if square := float64(simd.SquaredDistance(e.row(i), origin)); !(math.Abs(square-1) <=
			unitSlack) {
			return &fault.Input{Row: i + 1, Problem: "spherical k-means compares rows of length " +
				"1, and this one is of another", Fix: "divide each row by its length"}
		}
	}
	return nil
}

// toSphere brings a mean of rows of length 1 to length 1, where it is not 0.
func toSphere(mean []float64) {
	square := 0.0
	for _, v := range mean {
		square += float64(v * v)
	}
	if length := math.Sqrt(square); length > 0 {
		for j := range mean {
			mean[j] /= length
		}
	}
}
