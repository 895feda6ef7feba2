package cobras

import (
	"math"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/internal/linalg"
)

// Guess returns how plausible it is that two rows are of one cluster, in [0, 1], and why, in words.
// It is ours: that of [ask.Likeness] by the distances of rows.
func (c *chooser) Guess(known *ask.Ledger, a, b int) (same float64, words string) {
	return c.likeness.Guess(known, a, b, c.apart)
}

func (c *chooser) apart(a, b int) (distance float64, ok bool) {
	c.x, c.y = c.data.AppendRow(c.x[:0], a), c.data.AppendRow(c.y[:0], b)
	return math.Sqrt(linalg.SquaredDistance(c.x, c.y)), true
}
