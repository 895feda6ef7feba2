package link

import (
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/shared"
)

// Set is the closure of links over n objects: everything that the given links entail. Components
// are the classes of the must-links; two components are separated when a cannot-link joins them. m
// links take O((n+m) log m) time and O(n+m) memory at most, near linear in practice. Methods that
// only read may run at the same time; none may run beside Add. Confidence plays no part: a link is
// entailed or not.
type Set struct {
	given []Link
	count [3]int // given links of each kind

	parent []int32  // union–find forest; a root is its own parent
	weight []uint32 // of a root: objects plus ends of cannot-links
	lowest []int32  // of a root: the lowest member
	member []int32  // circular list through the members of each component
	// of a root: objects in separated components; nil until the first cannot-link
	rivals  [][]int32
	apart   map[uint64]struct{} // pairs of roots that are separated, in the order of ordered
	effects []effect            // what links changed above, for Undo

	// The links at each object, for chains: last is the last end of the object's circular list, or
	// -1. End e belongs to link e/2, and next[e] is the following end at the same object.
	last, next []int32
}

// effect is what a link changed: two roots became one, or were separated.
type effect struct {
	at     int32 // place of the link in given
	loser  int32 // the root that is none any more; −1: they were separated
	lowest int32 // of the other root before
	rivals int32 // how many the other root had before
}

// mostLinks keeps the ends of links within int32.
const mostLinks = math.MaxInt32 / 2

// NewSet returns the empty closure over n objects, numbered from 0. A negative n counts as 0; rows
// from 2³¹−1 on are out of range.
func NewSet(n int) *Set {
	n = min(max(n, 0), math.MaxInt32)
	s := &Set{
		parent: make([]int32, n),
		weight: make([]uint32, n),
		lowest: make([]int32, n),
		member: make([]int32, n),
		last:   make([]int32, n),
		apart:  map[uint64]struct{}{},
	}
	for i := range n {
		s.parent[i], s.lowest[i], s.member[i] = int32(i), int32(i), int32(i)
		s.weight[i], s.last[i] = 1, -1
	}
	return s
}

// Clone returns a closure that has all that s has, and to which links can be added apart from s. It
// takes time and memory in the number of objects and links.
func (s *Set) Clone() *Set {
	out := *s
	out.given = slices.Clip(s.given) // what is there is never changed
	out.parent, out.weight = slices.Clone(s.parent), slices.Clone(s.weight)
	out.lowest, out.member = slices.Clone(s.lowest), slices.Clone(s.member)
	out.last, out.next = slices.Clone(s.last), slices.Clone(s.next)
	out.apart = maps.Clone(s.apart)
	out.effects = slices.Clone(s.effects)
	out.rivals = slices.Clone(s.rivals)
	for a, objects := range out.rivals {
		out.rivals[a] = slices.Clip(objects) // likewise
	}
	return &out
}

// N returns the number of objects.
func (s *Set) N() int { return len(s.parent) }

// Len returns the number of given links, unknown ones included.
func (s *Set) Len() int { return len(s.given) }

// Count returns the number of given links of one kind.
func (s *Set) Count(k Kind) int {
	if int(k) >= len(s.count) {
		return 0
	}
	return s.count[k]
}

// Given lists the links that were added, in order, redundant and unknown ones included.
// The caller must not change it.
func (s *Set) Given() []Link { return slices.Clip(s.given) }

// Add records a link and what it entails. A link that is entailed already and an unknown one are
// recorded too, and entail nothing new. It fails, and leaves the set as it was, with a
// [*Contradiction] when the set entails the opposite, and with a [*fault.Input] when a row is out
// of range or linked to itself, or the plausibility is not 0 or in (0, 1].
func (s *Set) Add(l Link) error {
	clash, err := s.add(l)
	if clash {
		return &Contradiction{Link: l, Chain: s.Explain(l.A, l.B)}
	}
	return err
}

// add is Add without the cost of a chain.
func (s *Set) add(l Link) (clash bool, err error) {
	if err := l.check(s.N()); err != nil {
		return false, err
	}
	if len(s.given) == mostLinks {
		return false, fault.Inputf("", "there are more than %d links", mostLinks)
	}
	if l.Kind != Unknown {
		a, b := s.compress(int32(l.A)), s.compress(int32(l.B))
		_, separated := s.apart[ordered(a, b)]
		switch {
		case l.Kind == MustLink && separated, l.Kind == CannotLink && a == b:
			return true, nil
		case l.Kind == MustLink && a != b:
			s.merge(a, b)
		case l.Kind == CannotLink && !separated:
			s.separate(a, b)
		}
	}
	s.given = shared.Append(s.given, l)
	s.count[l.Kind]++
	s.hang(l.A)
	s.hang(l.B)
	return false, nil
}

// merge joins the components of two roots. The lighter one moves its rivals over, so each moves at
// most log m times; rivals name objects, not roots, so nothing changes on their side. What the
// lighter root had stays with it, for Undo.
func (s *Set) merge(a, b int32) {
	if s.weight[a] < s.weight[b] {
		a, b = b, a
	}
	was := effect{at: int32(len(s.given)), loser: b, lowest: s.lowest[a]}
	s.parent[b] = a
	s.weight[a] += s.weight[b]
	s.lowest[a] = min(s.lowest[a], s.lowest[b])
	s.member[a], s.member[b] = s.member[b], s.member[a]
	if s.rivals != nil {
		was.rivals = int32(len(s.rivals[a]))
		for _, object := range s.rivals[b] {
			other := s.compress(object)
			delete(s.apart, ordered(b, other))
			pair := ordered(a, other)
			if _, known := s.apart[pair]; !known {
				s.apart[pair] = struct{}{}
				s.rivals[a] = append(s.rivals[a], other)
			}
		}
	}
	s.effects = append(s.effects, was)
}

// separate records that no object of root a is with any of root b.
func (s *Set) separate(a, b int32) {
	if s.rivals == nil {
		s.rivals = make([][]int32, s.N())
	}
	s.effects = append(s.effects, effect{at: int32(len(s.given)), loser: -1})
	s.apart[ordered(a, b)] = struct{}{}
	for _, side := range [2][2]int32{{a, b}, {b, a}} {
		s.rivals[side[0]] = append(s.rivals[side[0]], side[1])
		s.weight[side[0]]++
	}
}

// Undo takes the link that was added last back and returns it; ok is false when there is none. It
// takes time in the lighter of two components that the link joined, and in the links at its
// objects.
func (s *Set) Undo() (l Link, ok bool) {
	at := len(s.given) - 1
	if at < 0 {
		return Link{}, false
	}
	l = s.given[at]
	s.unhang(l.B)
	s.unhang(l.A)
	s.count[l.Kind]--
	s.given = s.given[:at]
	if last := len(s.effects) - 1; last >= 0 && int(s.effects[last].at) == at {
		if was := s.effects[last]; was.loser >= 0 {
			s.unmerge(was)
		} else {
			s.unite(s.find(int32(l.A)), s.find(int32(l.B)))
		}
		s.effects = s.effects[:last]
	}
	return l, true
}

// unmerge undoes merge.
func (s *Set) unmerge(was effect) {
	b := was.loser
	a := s.parent[b]
	if s.rivals != nil {
		rivals := s.rivals[a]
		for _, other := range rivals[was.rivals:] {
			delete(s.apart, ordered(a, s.find(other)))
		}
		s.rivals[a] = slices.Clip(rivals[:was.rivals])
	}
	s.weight[a] -= s.weight[b]
	s.lowest[a] = was.lowest
	s.member[a], s.member[b] = s.member[b], s.member[a]
	s.parent[b] = b
	for m := s.member[b]; m != b; m = s.member[m] { // halved paths may lead past b
		s.parent[m] = b
	}
	if s.rivals != nil {
		for _, object := range s.rivals[b] {
			s.apart[ordered(b, s.find(object))] = struct{}{}
		}
	}
}

// unite undoes separate.
func (s *Set) unite(a, b int32) {
	delete(s.apart, ordered(a, b))
	for _, root := range [2]int32{a, b} {
		s.rivals[root] = slices.Clip(s.rivals[root][:len(s.rivals[root])-1])
		s.weight[root]--
	}
}

// hang puts the next end of a link into the list of its object.
func (s *Set) hang(object int) {
	end := int32(len(s.next))
	if last := s.last[object]; last >= 0 {
		s.next = append(s.next, s.next[last])
		s.next[last] = end
	} else {
		s.next = append(s.next, end)
	}
	s.last[object] = end
}

// unhang takes the last end of a link out of the list of its object.
func (s *Set) unhang(object int) {
	end := int32(len(s.next)) - 1
	before := s.next[end]
	for s.next[before] != end {
		before = s.next[before]
	}
	if s.next[before] = s.next[end]; before == end {
		before = -1
	}
	s.last[object] = before
	s.next = s.next[:end]
}

// at goes through the links at an object, in the order in which they were given.
func (s *Set) at(object int) iter.Seq[int] {
	return func(yield func(int) bool) {
		last := s.last[object]
		if last < 0 {
			return
		}
		for end := s.next[last]; ; end = s.next[end] {
			if !yield(int(end/2)) || end == last {
				return
			}
		}
	}
}

// find returns the root without writing, so that readers may run at the same time.
func (s *Set) find(a int32) int32 {
	for s.parent[a] != a {
		a = s.parent[a]
	}
	return a
}

// compress returns the root and halves the path to it.
func (s *Set) compress(a int32) int32 {
	for s.parent[a] != a {
		s.parent[a] = s.parent[s.parent[a]]
		a = s.parent[a]
	}
	return a
}

// ordered packs a pair, in no particular order, into a key.
func ordered(a, b int32) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }

func (s *Set) has(a int) bool { return a >= 0 && a < s.N() }
