package cobras

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// guessFrom is how many answered pairs a guess is made from.
const guessFrom = 5

// Guess returns what is known of two rows: how plausible it is that they are of one cluster, in [0,
// 1], and why, in words. It is 1 or 0 where links and answers entail it. Else, and this is ours, it
// is (s + 1) / (m + 2), as s of the m ≤ 5 answered pairs that are most nearly as far apart are of
// one cluster: ½ before the first answer.
func (r *Run) Guess(a, b int) (same float64, words string) {
	if same, words, ok := r.Entailed(a, b); ok {
		return same, words
	}
	type answer struct {
		off  float64
		same bool
	}
	var near []answer
	apart := r.apart(a, b)
	for _, l := range r.Run.Answers() {
		if l.Kind != link.Unknown {
			near = append(near, answer{math.Abs(r.apart(l.A, l.B) - apart),
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

// likely is the answer to expect, to see which questions follow.
func (r *Run) likely(a, b int) link.Kind {
	switch same, _ := r.Guess(a, b); {
	case same > 0.5:
		return link.MustLink
	case same < 0.5:
		return link.CannotLink
	}
	return link.Unknown
}

func (r *Run) apart(a, b int) float64 {
	x := r.data.AppendRow(nil, a)
	return math.Sqrt(squared(x, r.data.AppendRow(nil, b)))
}
