package cobra

import (
	"math"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/internal/linalg"
)

// Guess returns how plausible it is that two rows are of one cluster, in [0, 1], and why, in words.
// It is 1 or 0 where the clustering so far implies it. Else, and this is ours, it is that of
// [ask.Likeness] by the distances of representatives.
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
	return c.likeness.Guess(known, a, b, c.apart)
}

// apart returns the distance of the representatives of two rows; ok is false where that is one.
func (c *chooser) apart(a, b int) (distance float64, ok bool) {
	p, s, t := c.walk.points, int(c.si.Of[a]), int(c.si.Of[b])
	x, y := p.F64[s*p.Cols:(s+1)*p.Cols], p.F64[t*p.Cols:(t+1)*p.Cols]
	return math.Sqrt(linalg.SquaredDistance(x, y)), s != t
}
