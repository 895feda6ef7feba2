package cobras

import (
	"iter"
	"math"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// statement is a link that a play goes by.
type statement struct {
	a, b  int32 // nodes
	same  bool  // a must-link, else a cannot-link
	wrong bool  // it is taken for a mistake
	told  bool  // nobody was asked: it is carried over to the super-instances of its rows
	cost  float64
	next  [2]int32 // the ends that follow its two in the lists of their nodes
}

// other returns the end of a statement that is not one.
func (s *statement) other(one int32) int32 { return s.a + s.b - one }

// belief is what a play holds of rows that links are about: nodes are rows, edges statements. A
// statement that is wrong means nothing where answers do not err, and else the opposite.
type belief struct {
	rate    float64       // how probable a mistake is; 0: there are none
	node    map[int]int32 // of a row
	rows    []int         // of a node
	said    []statement
	told    []int32          // statements that nobody was asked for, rising
	at      map[uint64]int32 // statement about a pair of nodes; −1: it is not known
	last    []int32          // of the circular list of ends at each node, or −1; end e is of said[e/2]
	unknown []uint64         // pairs of nodes that nobody knew of, some of them known since
	clashes bool             // statements contradict each other
	clash   []int32          // cannot-links within a group, rising; nil: to be looked for
	view    *view            // what they entail; nil: not worked out
	stands  map[int]bool     // rows that stand for super-instances, for view.moved
	changes int              // counts statements that were judged anew
	digest  [2]uint64        // of all that was added and judged, in order
	reached []int32          // of a node, the last pass that came to it
	by      []int32          // of a node, the statement that the last search for a path came by
	pass    int32
}

// newBelief returns a belief that is to hold so many statements.
func newBelief(rate float64, statements int) *belief {
	return &belief{rate: rate, node: make(map[int]int32, 2*statements),
		at: make(map[uint64]int32, statements)}
}

// of returns the node of a row.
func (b *belief) of(row int) int32 {
	v, ok := b.node[row]
	if !ok {
		v = int32(len(b.rows))
		b.node[row] = v
		b.rows = append(b.rows, row)
		b.note(uint64(row))
		b.last, b.reached, b.by = append(b.last, -1), append(b.reached, 0), append(b.by, 0)
		if b.view != nil {
			b.view.add()
			if b.stands[row] {
				b.view.mark(v)
			}
		}
	}
	return v
}

// hang puts an end of a statement into the list of its node.
func (b *belief) hang(end, v int32) {
	if last := b.last[v]; last >= 0 {
		before := &b.said[last/2].next[last%2]
		b.said[end/2].next[end%2], *before = *before, end
	} else {
		b.said[end/2].next[end%2] = end
	}
	b.last[v] = end
}

// edges goes through the statements at a node, in order.
func (b *belief) edges(v int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		last := b.last[v]
		if last < 0 {
			return
		}
		for end := b.said[last/2].next[last%2]; ; end = b.said[end/2].next[end%2] {
			if !yield(end/2) || end == last {
				return
			}
		}
	}
}

func pairKey(a, b int32) uint64 { return uint64(min(a, b))<<32 | uint64(uint32(max(a, b))) }

// add takes in a link. One that contradicts earlier ones is left out, unless answers may be wrong.
func (b *belief) add(l link.Link, told bool) {
	u, v := b.of(l.A), b.of(l.B)
	key := pairKey(u, v)
	i, again := b.at[key]
	if l.Kind == link.Unknown {
		if !again {
			b.at[key] = -1
			b.unknown = append(b.unknown, key)
			b.note(key, 1)
		}
		return
	}
	s := statement{a: u, b: v, same: l.Kind == link.MustLink, told: told, cost: b.cost(l)}
	held := b.known().relation(u, v)
	if b.rate == 0 {
		s.wrong = held != link.Unknown && held != l.Kind
	}
	flags := uint64(2)
	if s.same {
		flags |= 4
	}
	if s.wrong {
		flags |= 8
	}
	b.note(key, flags, math.Float64bits(s.cost))
	if again && i >= 0 {
		if b.rate == 0 || b.said[i].same == s.same {
			return // the first one counts, as it does in the closure of all links
		}
		s.next = b.said[i].next // its ends stay where they are in the lists
		b.said[i] = s
		b.told = slices.DeleteFunc(b.told, func(t int32) bool { return t == i })
		if told {
			at, _ := slices.BinarySearch(b.told, i)
			b.told = slices.Insert(b.told, at, i)
		}
		b.view = nil
	} else {
		i = int32(len(b.said))
		b.at[key] = i
		b.said = append(b.said, s)
		b.hang(2*i, u)
		b.hang(2*i+1, v)
		if told {
			b.told = append(b.told, i)
		}
		b.view.take(u, v, b.kind(i, nil))
	}
	b.clash = nil
	b.clashes = b.clashes || b.rate > 0 && held != link.Unknown && held != l.Kind
}

// note adds to the digest.
func (b *belief) note(values ...uint64) {
	for i, sum := range b.digest {
		for _, v := range values {
			sum = mix(sum, v, uint64(i))
		}
		b.digest[i] = sum
	}
}

// cost is the log-odds that a link is right.
func (b *belief) cost(l link.Link) float64 {
	const least = 1e-6 // what is taken as certain
	wrong := max(b.rate, 1-l.Confidence(), least)
	return math.Log((1 - wrong) / wrong)
}

// kind is the link that a statement is taken for, the statements of flips judged the other way
// round.
func (b *belief) kind(i int32, flips []int32) link.Kind {
	s := &b.said[i]
	wrong := s.wrong != slices.Contains(flips, i)
	switch {
	case wrong && b.rate == 0:
		return link.Unknown
	case s.same != wrong:
		return link.MustLink
	}
	return link.CannotLink
}

// relation returns what is held of two rows.
func (b *belief) relation(x, y int) link.Kind {
	if x == y {
		return link.MustLink
	}
	u, ok := b.node[x]
	v, also := b.node[y]
	if !ok || !also {
		return link.Unknown
	}
	return b.known().relation(u, v)
}

// known returns what the statements entail.
func (b *belief) known() *view {
	if b.view == nil {
		b.view = b.see(nil)
	}
	return b.view
}

// see works out what the statements entail, those of flips judged the other way round.
func (b *belief) see(flips []int32) *view {
	w := newView(len(b.rows), len(b.said))
	for i := range b.said {
		w.take(b.said[i].a, b.said[i].b, b.kind(int32(i), flips))
	}
	return w
}

// mark begins to watch what becomes known of rows that stand for super-instances.
func (b *belief) mark(rows []int) {
	w := b.known()
	w.unmark()
	b.stands = make(map[int]bool, len(rows))
	for _, row := range rows {
		b.stands[row] = true
		if v, ok := b.node[row]; ok {
			w.mark(v)
		}
	}
}

// broken reports whether rows are known to be different, some of them, given as nodes.
func (b *belief) broken(nodes []int32) bool {
	if len(nodes) < 2 {
		return false
	}
	return b.known().parted(nodes)
}

// mistakes returns the links that are taken for mistakes, by pair, as they were given.
func (b *belief) mistakes() map[[2]int]bool {
	out := make(map[[2]int]bool)
	for _, s := range b.said {
		if s.wrong {
			out[link.Link{A: b.rows[s.a], B: b.rows[s.b]}.Pair()] = true
		}
	}
	return out
}
