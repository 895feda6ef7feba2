package cobras

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/link"
)

// guessFrom is how many answered pairs a guess is made from.
const guessFrom = 5

// Guess returns how plausible it is that two rows are of one cluster, in [0, 1], and why, in words.
// It is ours: (s + 1) / (m + 2), as s of the m ≤ 5 answered pairs that are most nearly as far apart
// are of one cluster, and ½ before the first answer.
func (c *chooser) Guess(known *ask.Ledger, a, b int) (same float64, words string) {
	type answer struct {
		off  float64
		same bool
	}
	var near []answer
	apart := c.apart(a, b)
	for _, l := range known.Answers() {
		if l.Kind != link.Unknown {
			near = append(near, answer{math.Abs(c.apart(l.A, l.B) - apart),
				l.Kind == link.MustLink})
		}
	}
	if len(near) == 0 {
		return 0.5, "nothing is known yet"
	}
	slices.SortStableFunc(near, func(x, y answer) int { return cmp.Compare(x.off, y.off) })
	near = near[:min(guessFrom, len(near))]
	together := 0
	for _, n := range near {
		if n.same {
			together++
		}
	}
	same = float64(together+1) / float64(len(near)+2)
	return same, fmt.Sprintf(
		"%d of the %d answered pairs that are most nearly as far apart are the same", together,
		len(near))
}

func (c *chooser) apart(a, b int) float64 {
	x := c.data.AppendRow(nil, a)
	return math.Sqrt(squared(x, c.data.AppendRow(nil, b)))
}
