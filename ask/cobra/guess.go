package cobra

import (
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// guessFrom is how many answered pairs a guess is made from.
const guessFrom = 5

// Guess returns what is known of two rows: how plausible it is that they are of one cluster, in [0,
// 1], and why, in words. It is 1 or 0 where links and answers entail it, or the clustering so far
// says so. Else, and this is ours, it is (s + 1) / (m + 2), as s of the m ≤ 5 answered pairs whose
// representatives are most nearly as far apart are of one cluster: ½ before the first answer.
func (r *Run) Guess(a, b int) (same float64, words string) {
	if min(a, b) < 0 || max(a, b) >= len(r.si.Of) {
		return 0.5, "nothing is known of rows that are not there"
	}
	switch r.closure().Relation(a, b) {
	case link.MustLink:
		return 1, "the same, as the answers so far entail"
	case link.CannotLink:
		return 0, "different, as the answers so far entail"
	}
	s, t := r.si.Of[a], r.si.Of[b]
	switch {
	case s == t:
		return 1, "the same: both are of one small group of objects that are alike"
	case r.state.joined(s, t):
		return 1, "the same: answers about objects like them join them"
	case r.state.differs(s, t):
		return 0, "different: answers about objects like them separate them"
	}
	near := r.alike(math.Sqrt(r.apart(s, t)))
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
func (r *Run) alike(distance float64) []link.Kind {
	type answer struct {
		kind link.Kind
		off  float64
	}
	var near []answer
	for _, l := range r.answers {
		s, t := r.si.Of[l.A], r.si.Of[l.B]
		if s == t || l.Kind == link.Unknown {
			continue
		}
		off := math.Abs(math.Sqrt(r.apart(s, t)) - distance)
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
func (r *Run) apart(s, t int32) float64 {
	p := r.walk.points
	return squared(p.F64[int(s)*p.Cols:int(s+1)*p.Cols], p.F64[int(t)*p.Cols:int(t+1)*p.Cols])
}
