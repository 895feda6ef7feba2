package cobras

import (
	"math"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/internal/linalg"
)

// Guess returns how plausible it is that two rows are of one cluster, in [0, 1], and why, in words.
// It is ours: that of [ask.Alike] by the distances of rows.
func (c *chooser) Guess(known *ask.Ledger, a, b int) (same float64, words string) {
	return ask.Alike(known, a, b, c.apart)
}

func (c *chooser) apart(a, b int) (distance float64, ok bool) {
	x := c.data.AppendRow(nil, a)
	return math.Sqrt(linalg.SquaredDistance(x, c.data.AppendRow(nil, b))), true
}
