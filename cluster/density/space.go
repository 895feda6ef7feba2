package density

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// space holds objects so that near ones are found. Objects are numbered by their positions, which
// follow from their values where these are known; rows are what the caller numbers. How far objects
// are apart is expressed by a key that rises with the distance: its square for vectors.
type space interface {
	size() int

	// columns returns the columns of the vectors that the objects are; 0 where they are none.
	columns() int

	// rows returns the row of each position.
	rows() []int32

	// key returns the key of a distance, and radius the distance of a key.
	key(distance float64) float64
	radius(key float64) float64

	// between returns the key of two objects.
	between(i, j int32) float64

	// count returns how many objects lie within key of each object that is asked about (nil: all),
	// itself counted, or at least most where there are so many.
	count(ctx context.Context, key float64, most int32, asked []bool) ([]int32, error)

	// core returns the key of the distance to the k-th nearest object, itself being the first, of
	// each object that is asked about (nil: all); +Inf where there are fewer objects.
	core(ctx context.Context, k int, asked []bool) ([]float64, error)

	// join puts those of the objects marked that lie within key of each other into one group.
	join(ctx context.Context, key float64, marked []bool, groups *groups) error

	// nearest returns for each object that is asked about the nearest one of among within key (-1:
	// there is none), the first position on a tie, and how far it is.
	nearest(ctx context.Context, asked, among []bool, key float64) (to []int32, far []float64,
		err error)

	// bridge brings b.to and b.low up to date.
	bridge(ctx context.Context, b *bridges) error

	// span returns the edges of a minimum spanning tree of all objects under reachability, of which
	// these are the core distances, and among equally reachable ones under distance.
	span(ctx context.Context, core []float64) ([]edge, error)

	// leaves returns the position at which each cell of the space begins, and the number of
	// objects; nil without an index.
	leaves() []int32
}

// edge joins two positions at a key of reachability. Their own key, gap, orders edges of one
// reachability.
type edge struct {
	a, b    int32
	at, gap float64
}

// compare orders edges by reachability, by distance and by positions.
func (e edge) compare(f edge) int {
	return cmp.Or(cmp.Compare(e.at, f.at), cmp.Compare(e.gap, f.gap),
		cmp.Compare(min(e.a, e.b), min(f.a, f.b)), cmp.Compare(max(e.a, e.b), max(f.a, f.b)))
}

// bridges is the search for the shortest way from each group of objects to another.
type bridges struct {
	among []bool                // objects that take part; nil: all
	core  []float64             // of reachability; nil: distances alone count
	group []int32               // of each object
	apart func(a, b int32) bool // reports which groups must not be joined; nil: none
	limit float64               // key beyond which there is no bridge

	low []float64 // no bridge of the object is shorter; kept from one search to the next
	to  []int32   // where the shortest bridge found leads; -1: none is known
	gap []float64 // key of the distance that it spans
}

func newBridges(n int, group []int32, limit float64) *bridges {
	return &bridges{group: group, limit: limit, low: make([]float64, n),
		gap: make([]float64, n), to: slices.Repeat([]int32{-1}, n)}
}

// takes reports whether an object takes part.
func (b *bridges) takes(i int32) bool { return b.among == nil || b.among[i] }

// open reports whether two groups may be joined.
func (b *bridges) open(g, h int32) bool { return g != h && (b.apart == nil || !b.apart(g, h)) }

// holds reports whether the bridge known of an object is still its shortest one: groups only grow,
// so others only go.
func (b *bridges) holds(i int32) bool {
	return b.to[i] >= 0 && b.open(b.group[i], b.group[b.to[i]])
}

// shortest returns the shortest bridge of each group that has one, the shortest of them first, by
// positions on a tie.
func (b *bridges) shortest() []edge {
	best := make([]int32, len(b.to)) // by group, an object counted from 1
	for i := range b.to {
		if i := int32(i); b.holds(i) {
			at := &best[b.group[i]]
			if *at == 0 || b.low[i] < b.low[*at-1] ||
				b.low[i] == b.low[*at-1] && b.gap[i] < b.gap[*at-1] {
				*at = i + 1
			}
		}
	}
	var found []edge
	for _, at := range best {
		if at > 0 {
			found = append(found, edge{at - 1, b.to[at-1], b.low[at-1], b.gap[at-1]})
		}
	}
	slices.SortFunc(found, func(x, y edge) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.gap, y.gap), cmp.Compare(x.a, y.a))
	})
	return found
}

// unreached is the key of what is out of reach.
var unreached = math.Inf(1)

// squareKey returns the greatest square whose root, rounded, is not above a distance: so the root
// of 3 squared is 3.
func squareKey(distance float64) float64 {
	square := float64(distance * distance)
	for math.Sqrt(square) > distance {
		square = math.Nextafter(square, 0)
	}
	for {
		next := math.Nextafter(square, unreached)
		if next == unreached || math.Sqrt(next) > distance {
			return square
		}
		square = next
	}
}
