package nearest

import (
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	trees       = 6     // random trees that the first neighbours come from
	mostRounds  = 12    // of looking among neighbours of neighbours
	enough      = 0.002 // share of neighbours that the last round may replace
	pivotSample = 101   // objects whose median halves a node
)

// leafSize is the most objects that a leaf of a random tree holds.
func leafSize(k int) int { return max(48, 2*k) }

// approximate finds first neighbours in the leaves of random trees, and better ones among the
// neighbours of neighbours (after W. Dong, C. Moses and K. Li, WWW 2011, and J. Tang et al., WWW
// 2016). Each list is changed by its own object alone, from the lists of the round before, so that
// the result does not depend on threads.
func (s *searcher) approximate() error {
	var leaves [trees][]int32 // objects in the order of leaves
	var ends [trees][]int     // where leaves end
	err := parallel.Blocks(s.ctx, trees, 1, s.threads, func(b, _, _ int) {
		t := randomTree{s: s, rng: rand.New(rand.NewPCG(s.seed, uint64(b))),
			order: disjoint.Singletons(s.n)}
		t.split(0, s.n, 0)
		leaves[b], ends[b] = t.order, t.ends
	})
	if err != nil {
		return err
	}
	for b := range trees {
		if err := s.join(leaves[b], ends[b]); err != nil {
			return err
		}
		leaves[b] = nil
		s.progress(0.3 * float64(b+1) / trees)
	}
	if err := s.refine(); err != nil {
		return err
	}
	return parallel.Blocks(s.ctx, s.n, 4096, s.threads, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.list(i).sort()
		}
	})
}

// randomTree halves objects by which of two random ones they are nearer to. For vectors that is a
// random hyperplane.
type randomTree struct {
	s     *searcher
	rng   *rand.Rand
	order []int32
	ends  []int
	a, b  []float32
	spare []int32
}

func (t *randomTree) split(lo, hi, depth int) {
	m := hi - lo
	if m <= leafSize(t.s.k) || t.s.ctx.Err() != nil {
		t.ends = append(t.ends, hi)
		return
	}
	objects := t.order[lo:hi]
	p, q := int(objects[t.rng.IntN(m)]), int(objects[t.rng.IntN(m)])
	t.a, t.b = slices.Grow(t.a[:0], m)[:m], slices.Grow(t.b[:0], m)[:m]
	t.s.src.Row(t.a, p, objects)
	t.s.src.Row(t.b, q, objects)
	// Of squares, as the differences of squared distances are those along a line.
	side := t.a
	for i, v := range t.a {
		w := t.b[i]
		side[i] = float32(v-w) * (v + w)
	}
	var sample [pivotSample]float32
	for i := range sample {
		sample[i] = side[t.rng.IntN(m)]
	}
	slices.Sort(sample[:])
	median := sample[pivotSample/2]
	t.spare = t.spare[:0]
	left := 0
	for i, j := range objects {
		if side[i] < median || side[i] == median && t.rng.Uint64()&1 == 0 {
			objects[left] = j
			left++
		} else {
			t.spare = append(t.spare, j)
		}
	}
	copy(objects[left:], t.spare)
	if left < m/16 || left > m-m/16 { // lopsided: any halves
		t.rng.Shuffle(m, func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
		left = m / 2
	}
	t.split(lo, lo+left, depth+1)
	t.split(lo+left, hi, depth+1)
}

// join compares all objects of each leaf.
func (s *searcher) join(order []int32, ends []int) error {
	return parallel.Blocks(s.ctx, len(ends), 8, s.threads, func(_, from, to int) {
		var d []float32
		for e := from; e < to; e++ {
			lo := 0
			if e > 0 {
				lo = ends[e-1]
			}
			js := order[lo:ends[e]]
			d = slices.Grow(d[:0], len(js))[:len(js)]
			for _, i := range js {
				s.src.Row(d, int(i), js)
				l := s.list(int(i))
				for t, v := range d {
					if j := js[t]; v <= l.worst() && j != i && !l.contains(j) {
						l.add(j, v)
					}
				}
			}
		}
	})
}

// refine looks among neighbours of neighbours, and of objects that have an object as their
// neighbour, until few are replaced.
func (s *searcher) refine() error {
	n, k := s.n, s.k
	old := &searcher{n: n, k: k,
		out: &Neighbours{K: k, Index: make([]int32, n*k), Dist: make([]float32, n*k)}}
	// neighbours that the last round brought
	fresh, next := slices.Repeat([]bool{true}, n*k), make([]bool, n*k)
	counts := make([]int, parallel.Count(n, 256))
	for round := range mostRounds {
		copy(old.out.Index, s.out.Index)
		copy(old.out.Dist, s.out.Dist)
		back, start := old.reverse(fresh)
		err := parallel.Blocks(s.ctx, n, 256, s.threads, func(b, lo, hi int) {
			x := explorer{s: s, old: old, fresh: fresh, seen: newMarked(2 * k * (k + 1))}
			counts[b] = 0
			for i := lo; i < hi; i++ {
				counts[b] += x.explore(i, back[start[i]:start[i+1]], next[i*k:(i+1)*k])
			}
		})
		if err != nil {
			return err
		}
		fresh, next = next, fresh
		replaced := 0
		for _, c := range counts {
			replaced += c
		}
		s.progress(0.3 + 0.7*float64(round+1)/mostRounds)
		if float64(replaced) <= enough*float64(n)*float64(k) {
			break
		}
	}
	return nil
}

// way is an object by which others are reached.
type way struct {
	object int32
	fresh  bool
}

// reverse returns for each object up to k others that have it as a neighbour, the first of them by
// number: those of i are back[start[i]:start[i+1]].
func (s *searcher) reverse(fresh []bool) (back []way, start []int) {
	start = make([]int, s.n+1)
	for _, j := range s.out.Index {
		if j >= 0 && start[j+1] < s.k {
			start[j+1]++
		}
	}
	for i := range s.n {
		start[i+1] += start[i]
	}
	back = make([]way, start[s.n])
	filled := slices.Clone(start[:s.n])
	for at, j := range s.out.Index {
		if j >= 0 && filled[j] < start[j+1] {
			back[filled[j]] = way{int32(at / s.k), fresh[at]}
			filled[j]++
		}
	}
	return back, start
}

// explorer looks around one object at a time.
type explorer struct {
	s, old *searcher
	fresh  []bool
	seen   *marked
	js     []int32
	d      []float32
}

// explore improves the list of object i, marks the neighbours that are new, and counts them.
func (x *explorer) explore(i int, back []way, mark []bool) int {
	k := x.s.k
	x.seen.clear()
	x.js = x.js[:0]
	x.seen.add(int32(i))
	mine := x.old.list(i)
	for _, j := range mine.index {
		x.seen.add(j)
	}
	look := func(w way) {
		for t, j := range x.old.list(int(w.object)).index {
			if j < 0 || !w.fresh && !x.fresh[int(w.object)*k+t] {
				continue
			}
			if x.seen.add(j) {
				x.js = append(x.js, j)
			}
		}
	}
	for t, j := range mine.index {
		if j >= 0 {
			look(way{j, x.fresh[i*k+t]})
		}
	}
	for _, w := range back {
		if x.seen.add(w.object) {
			x.js = append(x.js, w.object)
		}
		look(w)
	}
	x.d = slices.Grow(x.d[:0], len(x.js))[:len(x.js)]
	x.s.src.Row(x.d, i, x.js)
	l := x.s.list(i)
	for t, v := range x.d {
		if v <= l.worst() {
			l.add(x.js[t], v)
		}
	}
	added := 0
	for t, j := range l.index {
		mark[t] = !mine.contains(j)
		if mark[t] {
			added++
		}
	}
	return added
}

// marked is a set of numbers that is cleared often: a hash table whose places count only if they
// are of this round.
type marked struct {
	key   []int32
	round []uint32
	now   uint32
}

// newMarked allocates the set for some numbers.
func newMarked(most int) *marked {
	size := 64
	for size < 2*most+64 {
		size *= 2
	}
	return &marked{key: make([]int32, size), round: make([]uint32, size), now: 1}
}

func (m *marked) clear() { m.now++ }

// add reports whether v was not in the set.
func (m *marked) add(v int32) bool {
	mask := uint32(len(m.key) - 1)
	for at := uint32(v) * 0x9e3779b1 >> 7 & mask; ; at = (at + 1) & mask {
		if m.round[at] != m.now {
			m.round[at], m.key[at] = m.now, v
			return true
		}
		if m.key[at] == v {
			return false
		}
	}
}
