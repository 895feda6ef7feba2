package density

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/kindred-go/kindred/internal/nearest"
)

// bridge implements [space].
func (t *tree) bridge(ctx context.Context, b *bridges) error {
	s := &crossing{tree: t, bridges: b}
	s.begin()
	s.summarise()
	return t.EachLeaf(ctx, func(leaf int, w *nearest.Work) {
		for i := t.Low[leaf]; i < t.High[leaf]; i++ {
			if !b.takes(i) || b.holds(i) {
				continue
			}
			t.Point(w.X, leaf, int(i-t.Low[leaf]))
			s.search(leaf, i, w)
		}
	})
}

// crossing is one search for bridges.
type crossing struct {
	*tree
	*bridges
	// of each group: the key of its shortest bridge so far, as bits, which rise with keys
	reach []atomic.Uint64
	sole  []int32   // group that all rows of a node are of that take part; mixed or none
	least []float64 // least core distance in each node; nil without core distances
}

// begin finds the shortest bridge that each group has already.
func (s *crossing) begin() {
	s.reach = make([]atomic.Uint64, len(s.to))
	for i := range s.reach {
		s.reach[i].Store(math.Float64bits(s.limit))
	}
	for i := range s.to {
		if s.holds(int32(i)) {
			s.shorten(s.group[i], s.low[i])
		}
	}
}

// reachOf returns the key of the shortest bridge so far of the group of an object.
func (s *crossing) reachOf(i int32) float64 {
	return math.Float64frombits(s.reach[s.group[i]].Load())
}

// floor returns a key that no bridge of the object is below.
func (s *crossing) floor(i int32) float64 {
	if s.bridges.core == nil {
		return 0
	}
	return s.bridges.core[i]
}

const (
	mixed = -1
	none  = -2
)

// summarise finds out which groups each node holds.
func (s *crossing) summarise() {
	s.sole = make([]int32, len(s.Low))
	if s.bridges.core != nil {
		s.least = make([]float64, len(s.sole))
	}
	for node := len(s.sole) - 1; node >= 0; node-- {
		sole, least := int32(none), unreached
		if node < s.First {
			a, b := s.sole[2*node+1], s.sole[2*node+2]
			switch {
			case a == none || a == b:
				sole = b
			case b == none:
				sole = a
			default:
				sole = mixed
			}
			if s.least != nil {
				least = min(s.least[2*node+1], s.least[2*node+2])
			}
		} else {
			for i := s.Low[node]; i < s.High[node]; i++ {
				if !s.takes(i) {
					continue
				}
				if sole == none {
					sole = s.group[i]
				} else if sole != s.group[i] {
					sole = mixed
				}
				if s.least != nil {
					least = min(least, s.bridges.core[i])
				}
			}
		}
		if s.sole[node] = sole; s.least != nil {
			s.least[node] = least
		}
	}
}

// shorten makes the reach of a group at most key. Distances are not negative, so their bits are in
// their order.
func (s *crossing) shorten(group int32, key float64) {
	bits := math.Float64bits(key)
	for {
		old := s.reach[group].Load()
		if bits >= old || s.reach[group].CompareAndSwap(old, bits) {
			return
		}
	}
}

// search finds the shortest bridge of position i, whose values are in w, unless the group has a
// shorter one. What is left out for that reason depends on who comes first; what the group's
// shortest bridge is does not.
func (s *crossing) search(leaf int, i int32, w *nearest.Work) {
	g, reach, floor := s.group[i], s.reachOf(i), s.floor(i)
	if max(floor, s.low[i]) > reach {
		return
	}
	x := &closest{tree: s.tree, Work: w, least: s.least, core: s.bridges.core, floor: floor, to: -1,
		far: reach,
		empty: func(node int) bool {
			sole := s.sole[node]
			return sole == none || sole != mixed && !s.open(g, sole)
		},
		takes: func(other int32) bool { return s.takes(other) && s.open(g, s.group[other]) }}
	x.search(leaf)
	s.to[i], s.low[i], s.gap[i] = x.to, x.far, x.gap
	if x.to >= 0 {
		s.shorten(g, x.far)
	} else if reach == s.limit {
		s.low[i] = unreached
	}
}

// span implements [space].
func (t *tree) span(ctx context.Context, core []float64) ([]edge, error) {
	return span(ctx, t, core)
}

// span returns a minimum spanning tree by Borůvka's algorithm: in each round every group takes its
// shortest bridge.
func span(ctx context.Context, s space, core []float64) ([]edge, error) {
	n := s.size()
	all := newGroups(n)
	b := newBridges(n, all.roots(nil), unreached)
	b.core = core
	edges := make([]edge, 0, n-1)
	for len(edges) < n-1 {
		if err := s.bridge(ctx, b); err != nil {
			return nil, err
		}
		for _, e := range b.shortest() {
			if all.join(e.a, e.b) {
				edges = append(edges, e)
			}
		}
		b.group = all.roots(b.group)
	}
	return edges, nil
}
