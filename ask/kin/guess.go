package kin

import (
	"context"

	"github.com/kindred-go/kindred/ask"
)

// Guess returns how plausible it is that two rows are of one cluster, in [0, 1], and why, in words:
// the mean of belief and plausibility by the masses of their super-instances; ½ where nothing is
// known.
func (c *chooser) Guess(known *ask.Ledger, a, b int) (same float64, words string) {
	f, _, _, err := c.look(context.Background(), known)
	if err != nil {
		return 0.5, "nothing is known yet"
	}
	return f.guess(f.masses(), a, b)
}

// guess is Guess by the masses of the nodes.
func (p *play) guess(masses []float64, a, b int) (same float64, words string) {
	i, j := int(p.of[a]), int(p.of[b])
	if i == j {
		return 1, "the same super-instance"
	}
	x, y := masses[i*p.size:(i+1)*p.size], masses[j*p.size:(j+1)*p.size]
	believed, other := 0.0, 0.0
	for g, v := range x {
		for h, w := range y {
			if g == h {
				believed += float64(v * w)
			} else {
				other += float64(v * w)
			}
		}
	}
	return ask.Plausible(believed, max(believed, 1-other))
}
