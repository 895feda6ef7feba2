package cobra

import (
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/link"
)

// guessFrom is how many answered pairs a guess is made from.
const guessFrom = 5

// Guess returns how plausible it is that two rows are of one cluster, in [0, 1], and why, in words.
// It is 1 or 0 where the clustering so far says so. Else, and this is ours, it is (s + 1) / (m + 2),
// as s of the m ≤ 5 answered pairs whose representatives are most nearly as far apart are of one
// cluster: ½ before the first answer.
func (c *chooser) Guess(known *ask.Ledger, a, b int) (same float64, words string) {
	c.take(known)
	s, t := c.si.Of[a], c.si.Of[b]
	switch {
	case s == t:
		return 1, "the same: both are of one small group of objects that are alike"
	case c.state.joined(s, t):
		return 1, "the same: answers about objects like them join them"
	case c.state.differs(s, t):
		return 0, "different: answers about objects like them separate them"
	}
	near := c.alike(known, math.Sqrt(c.apart(s, t)))
	if len(near) == 0 {
		return 0.5, "nothing is known yet"
	}
	together := 0
	for _, kind := range near {
		if kind == link.MustLink {
			together++
		}
	}
	same = float64(together+1) / float64(len(near)+2)
	return same, fmt.Sprintf(
		"%d of the %d answered pairs that are most nearly as far apart are the same", together,
		len(near))
}

// alike returns the answers about those pairs of super-instances whose distance is nearest to the
// given one, the earlier answer on a tie.
func (c *chooser) alike(known *ask.Ledger, distance float64) []link.Kind {
	type answer struct {
		kind link.Kind
		off  float64
	}
	var near []answer
	for _, l := range known.Answers() {
		s, t := c.si.Of[l.A], c.si.Of[l.B]
		if s == t || l.Kind == link.Unknown {
			continue
		}
		off := math.Abs(math.Sqrt(c.apart(s, t)) - distance)
		at, _ := slices.BinarySearchFunc(near, off, func(n answer, off float64) int {
			if n.off <= off {
				return -1
			}
			return 1
		})
		if at < guessFrom {
			near = slices.Insert(near, at, answer{l.Kind, off})[:min(guessFrom, len(near)+1)]
		}
	}
	kinds := make([]link.Kind, len(near))
	for i, n := range near {
		kinds[i] = n.kind
	}
	return kinds
}

// apart is the squared distance of the representatives of two super-instances.
func (c *chooser) apart(s, t int32) float64 {
	p := c.walk.points
	return squared(p.F64[int(s)*p.Cols:int(s+1)*p.Cols], p.F64[int(t)*p.Cols:int(t+1)*p.Cols])
}
