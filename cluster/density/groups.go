package density

import (
	"sync/atomic"

	"github.com/kindred-go/kindred/internal/disjoint"
)

// groups are disjoint sets of positions. Several goroutines may join at the same time: which sets
// there are in the end does not depend on their order, nor does the root of each, its lowest
// position.
type groups struct{ parent []int32 }

func newGroups(n int) *groups {
	return &groups{disjoint.Singletons(n)}
}

// find returns the lowest position of the set of a.
func (g *groups) find(a int32) int32 {
	for {
		p := atomic.LoadInt32(&g.parent[a])
		if p == a {
			return a
		}
		up := atomic.LoadInt32(&g.parent[p])
		if up != p {
			atomic.CompareAndSwapInt32(&g.parent[a], p, up)
		}
		a = up
	}
}

// join makes the sets of a and b one, and reports whether they were two.
func (g *groups) join(a, b int32) bool {
	for {
		a, b = g.find(a), g.find(b)
		if a == b {
			return false
		}
		if a > b {
			a, b = b, a
		}
		if atomic.CompareAndSwapInt32(&g.parent[b], b, a) {
			return true
		}
	}
}

// roots returns the root of each position.
func (g *groups) roots(dst []int32) []int32 {
	dst = dst[:0]
	for i := range g.parent {
		dst = append(dst, g.find(int32(i)))
	}
	return dst
}
