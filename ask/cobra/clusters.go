package cobra

import (
	"math/bits"

	"github.com/kindred-go/kindred/internal/linalg"
)

// clusters is the state that answers build up: which super-instances are joined, which clusters are
// known to differ, and how many "unknown" answers there are between two of them.
type clusters struct {
	of      []int32   // cluster of each super-instance, named by its lowest member
	members [][]int32 // by cluster name; nil for names no longer in use
	differ  []bitset  // by cluster name: names of clusters known to be different
	unknown map[[2]int32]int
	count   int // clusters
	open    int // pairs of clusters that may still be asked about
}

func newClusters(n int) *clusters {
	c := &clusters{
		of:      make([]int32, n),
		members: make([][]int32, n),
		differ:  make([]bitset, n),
		unknown: make(map[[2]int32]int),
		count:   n,
		open:    n * (n - 1) / 2,
	}
	for i := range c.of {
		c.of[i] = int32(i)
		c.members[i] = []int32{int32(i)}
	}
	return c
}

// joined reports whether two super-instances are in one cluster.
func (c *clusters) joined(a, b int32) bool { return c.of[a] == c.of[b] }

// differs reports whether the clusters of two super-instances are known to be different.
func (c *clusters) differs(a, b int32) bool { return c.differ[c.of[a]].has(int(c.of[b])) }

// doubts counts the "unknown" answers between the clusters of two super-instances.
func (c *clusters) doubts(a, b int32) int {
	if len(c.unknown) == 0 {
		return 0
	}
	return c.unknown[c.key(c.of[a], c.of[b])]
}

// aside reports whether so many "unknown" answers are between two clusters that they are not asked
// about again.
func (c *clusters) aside(a, b int32) bool { return c.doubts(a, b) >= maxUnknowns }

// askable reports whether a question about two super-instances could still teach something.
func (c *clusters) askable(a, b int32) bool {
	return !c.joined(a, b) && !c.differs(a, b) && !c.aside(a, b)
}

// join puts the clusters of a and b together; they must be two, and not known to differ.
func (c *clusters) join(a, b int32) {
	into, from := c.of[a], c.of[b]
	if into > from {
		into, from = from, into
	}
	before := c.openOf(into) + c.openOf(from)
	if !c.aside(into, from) {
		before-- // the pair itself is open on both sides
	}
	for _, m := range c.members[from] {
		c.of[m] = into
	}
	c.members[into] = append(c.members[into], c.members[from]...)
	c.members[from] = nil
	for other := range c.differ[from].each {
		c.differ[other].clear(int(from))
		c.setDiffer(int(into), other)
	}
	c.differ[from] = nil
	c.moveDoubts(from, into)
	c.count--
	c.open += c.openOf(into) - before
}

// moveDoubts adds the "unknown" answers about a cluster to those about the cluster it joined.
func (c *clusters) moveDoubts(from, into int32) {
	if len(c.unknown) == 0 {
		return
	}
	for other := range int32(len(c.members)) {
		n := c.unknown[c.key(from, other)]
		if n == 0 {
			continue
		}
		delete(c.unknown, c.key(from, other))
		if other != into {
			c.unknown[c.key(into, other)] += n
		}
	}
}

// separate records that the clusters of a and b differ.
func (c *clusters) separate(a, b int32) {
	if c.askable(a, b) {
		c.open--
	}
	c.setDiffer(int(c.of[a]), int(c.of[b]))
}

// doubt records an "unknown" between the clusters of a and b.
func (c *clusters) doubt(a, b int32) {
	was := c.askable(a, b)
	c.unknown[c.key(c.of[a], c.of[b])]++
	if was && !c.askable(a, b) {
		c.open--
	}
}

// openOf counts the clusters that may still be asked about together with the cluster named x.
func (c *clusters) openOf(x int32) int {
	n := c.count - 1 - c.differ[x].len()
	if len(c.unknown) == 0 {
		return n
	}
	for other, m := range c.members {
		if m != nil && int32(other) != x && !c.differ[x].has(other) && c.aside(x, int32(other)) {
			n--
		}
	}
	return n
}

// undecided counts the pairs of clusters that are neither joined nor known to differ.
func (c *clusters) undecided() int {
	n := c.count * (c.count - 1)
	for name, m := range c.members {
		if m != nil {
			n -= c.differ[name].len()
		}
	}
	return n / 2
}

func (c *clusters) setDiffer(x, y int) {
	for _, z := range []int{x, y} {
		if c.differ[z] == nil {
			c.differ[z] = make(bitset, (len(c.of)+63)/64)
		}
	}
	c.differ[x].set(y)
	c.differ[y].set(x)
}

// different estimates the number of groups found so far: clusters that are all known to differ from
// one another, collected greedily from the one with most cannot-links.
func (c *clusters) different() int {
	names := linalg.Where(c.members, func(m []int32) bool { return m != nil })
	size := make([]int, len(c.of))
	for _, x := range names {
		size[x] = c.differ[x].len()
	}
	var group []int
	for len(names) > 0 {
		best := names[0]
		for _, x := range names {
			if size[x] > size[best] {
				best = x
			}
		}
		group = append(group, best)
		var rest []int
		for _, x := range names {
			if c.differ[best].has(x) {
				rest = append(rest, x)
			}
		}
		names = rest
	}
	return len(group)
}

func (c *clusters) key(a, b int32) [2]int32 {
	return [2]int32{min(a, b), max(a, b)}
}

// bitset is a set of small numbers; nil is empty.
type bitset []uint64

func (s bitset) has(i int) bool { return s != nil && s[i/64]>>(i%64)&1 != 0 }
func (s bitset) set(i int)      { s[i/64] |= 1 << (i % 64) }
func (s bitset) clear(i int)    { s[i/64] &^= 1 << (i % 64) }

func (s bitset) len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// each yields the members in ascending order.
func (s bitset) each(yield func(int) bool) {
	for i, w := range s {
		for w != 0 {
			if !yield(i*64 + bits.TrailingZeros64(w)) {
				return
			}
			w &= w - 1
		}
	}
}
