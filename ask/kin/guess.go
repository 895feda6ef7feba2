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
	return f.guess(a, b)
}

// guess is Guess by the play so far: two groups that answers do not part may be one.
func (p *play) guess(a, b int) (same float64, words string) {
	i, j := int(p.of[a]), int(p.of[b])
	if i == j {
		return 1, "the same super-instance"
	}
	view := p.seen()
	believed, other := 0.0, 0.0
	for _, x := range view.f[i] {
		for _, y := range view.f[j] {
			one := 1.0
			if x.at != y.at {
				one = p.model.same(view.between(int(x.at), int(y.at)))
			}
			believed += float64(x.v * y.v * one)
			other += float64(x.v * y.v * (1 - one))
		}
	}
	return ask.Plausible(believed, max(believed, 1-other))
}
