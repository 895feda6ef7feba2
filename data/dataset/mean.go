package dataset

import (
	"context"
	"math"
)

// hugeMean returns the mean of the values present in column j, which lie between low and high and
// whose sum is beyond float64: it adds up a small part of each.
func (m Matrix) hugeMean(ctx context.Context, j int, low, high float64) (float64, error) {
	const part = 0x1p-32 // there are at most 2³¹ rows
	sum, present := 0.0, 0
	for i := range m.Rows {
		if i%encodeBlock == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if v := m.At(i, j); !math.IsNaN(v) {
			sum += float64(v * part)
			present++
		}
	}
	mean := sum / float64(present) / part
	return max(low, min(mean, high)), nil // rounding may lead a little beyond
}
