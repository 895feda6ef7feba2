package cobras

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/link"
)

// statement is a link that a play goes by.
type statement struct {
	a, b  int32 // nodes
	same  bool  // a must-link, else a cannot-link
	wrong bool  // it is taken for a mistake
	told  bool  // nobody was asked: it is carried over to the super-instances of its rows
	cost  float64
}

// belief is what a play holds of rows that links are about: nodes are rows, edges statements. A
// statement that is wrong means nothing where answers do not err, and else the opposite.
type belief struct {
	rate    float64       // how probable a mistake is; 0: there are none
	node    map[int]int32 // of a row
	rows    []int         // of a node
	said    []statement
	at      map[uint64]int32 // statement about a pair of nodes; −1: it is not known
	edges   [][]int32        // statements at each node
	clashes bool             // statements contradict each other
	view    *view            // what they entail; nil: not worked out
	changes int              // counts statements that were judged anew
}

func newBelief(rate float64) *belief {
	return &belief{rate: rate, node: make(map[int]int32), at: make(map[uint64]int32)}
}

// of returns the node of a row.
func (b *belief) of(row int) int32 {
	v, ok := b.node[row]
	if !ok {
		v = int32(len(b.rows))
		b.node[row] = v
		b.rows = append(b.rows, row)
		b.edges = append(b.edges, nil)
		b.view = nil
	}
	return v
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
		}
		return
	}
	s := statement{a: u, b: v, same: l.Kind == link.MustLink, told: told, cost: b.cost(l)}
	held := b.relation(l.A, l.B)
	if b.rate == 0 {
		s.wrong = held != link.Unknown && held != l.Kind
	}
	if again && i >= 0 {
		if b.rate == 0 || b.said[i].same == s.same {
			return // the first one counts, as it does in the closure of all links
		}
		b.said[i] = s
	} else {
		b.at[key] = int32(len(b.said))
		b.edges[u] = append(b.edges[u], int32(len(b.said)))
		b.edges[v] = append(b.edges[v], int32(len(b.said)))
		b.said = append(b.said, s)
	}
	b.view = nil
	b.clashes = b.clashes || b.rate > 0 && held != link.Unknown && held != l.Kind
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
	if b.view == nil {
		b.view = b.see(nil)
	}
	return b.view.relation(u, v)
}

// view is what statements entail.
type view struct {
	group []int32  // of each node
	apart []uint64 // pairs of groups that differ, a bit each
	words int      // of a group's row of bits
}

// see works out what the statements entail, those of flips judged the other way round.
func (b *belief) see(flips []int32) *view {
	group := b.joined(flips)
	number := make([]int32, len(group)) // of a root, from 1
	count := int32(0)
	for v := range group {
		root := group.Root(int32(v))
		if number[root] == 0 {
			count++
			number[root] = count
		}
	}
	w := &view{group: make([]int32, len(group)), words: int(count+63) / 64}
	for v := range group {
		w.group[v] = number[group.Root(int32(v))] - 1
	}
	w.apart = make([]uint64, int(count)*w.words)
	for i := range b.said {
		if b.kind(int32(i), flips) == link.CannotLink {
			x, y := w.group[b.said[i].a], w.group[b.said[i].b]
			w.apart[int(x)*w.words+int(y)/64] |= 1 << (y % 64)
			w.apart[int(y)*w.words+int(x)/64] |= 1 << (x % 64)
		}
	}
	return w
}

func (w *view) relation(u, v int32) link.Kind {
	x, y := w.group[u], w.group[v]
	switch {
	case x == y:
		return link.MustLink
	case w.apart[int(x)*w.words+int(y)/64]>>(y%64)&1 != 0:
		return link.CannotLink
	}
	return link.Unknown
}

// joined returns the sets of the nodes that must-links join.
func (b *belief) joined(flips []int32) disjoint.Sets {
	group := disjoint.Singletons(len(b.rows))
	for i := range b.said {
		if b.kind(int32(i), flips) == link.MustLink {
			x, y := group.Root(b.said[i].a), group.Root(b.said[i].b)
			group[max(x, y)] = min(x, y)
		}
	}
	return group
}

// broken reports whether rows are known to be different, some of them.
func (b *belief) broken(rows []int) bool {
	if len(rows) < 2 {
		return false
	}
	if b.view == nil {
		b.view = b.see(nil)
	}
	here := make(map[int32]bool, len(rows))
	for _, row := range rows {
		if v, ok := b.node[row]; ok {
			here[b.view.group[v]] = true
		}
	}
	for i, s := range b.said {
		x, y := b.view.group[s.a], b.view.group[s.b]
		if x != y && here[x] && here[y] && b.kind(int32(i), nil) == link.CannotLink {
			return true
		}
	}
	return false
}

// unasked returns the links that nobody was asked for, as they are believed.
func (b *belief) unasked() []link.Link {
	var links []link.Link
	for i, s := range b.said {
		if s.told {
			links = append(links,
				link.Link{A: b.rows[s.a], B: b.rows[s.b], Kind: b.kind(int32(i), nil)})
		}
	}
	return links
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
