package method

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/parallel"
)

// DefaultExemplars is how many rows a model keeps to place new ones by the nearest, by
// default: 1000.
const DefaultExemplars = 1000

// Exemplars place new objects in the cluster of the nearest of the objects kept. This is ours: it
// carries partitions over to new rows that are not made by means.
type Exemplars struct {
	Kept
	ClusterOf []int `json:"cluster_of"` // of each object kept, from 1
	// of each cluster: objects farther from all that are kept of it are not in it; nil: however far
	// they are
	Reach []float64 `json:"reach,omitempty"`
}

// PlaceByExemplars returns a model of rows that stand for their clusters, at most so many of them
// (0: [DefaultExemplars]) but one of each cluster at least, drawn by the seed: one of each, and
// the rest by the sizes. Only rows of among (nil: all) that are in a cluster are taken. Rows
// farther than reach (0: however far) from all that are kept of a cluster are not in it, and noise
// where they are in none; where not all rows of a cluster are kept, its reach grows by as much as
// the farthest is from those that are. It is nil where no row is in a cluster.
func PlaceByExemplars(ctx context.Context, p Problem, out *Outcome, among []int, reach float64,
	rows int, seed uint64) (*Model, error) {
	src, objects, err := p.Compared()
	if err != nil {
		return nil, err
	}
	members := make([][]int, out.Clusters+1)
	add := func(row int) {
		if c := out.Labels[row]; c > 0 {
			members[c] = append(members[c], row)
		}
	}
	if among == nil {
		for row := range out.Labels {
			add(row)
		}
	} else {
		for _, row := range among {
			add(row)
		}
	}
	total, clusters := 0, 0
	for _, m := range members {
		if total += len(m); len(m) > 0 {
			clusters++
		}
	}
	if total == 0 {
		return nil, nil
	}
	most := cmp.Or(rows, DefaultExemplars)
	rng := rand.New(rand.NewPCG(seed, 0x6578656d706c6172))
	e := &Exemplars{}
	e.Fitted = len(out.Labels)
	for _, m := range members[1:] {
		slices.Sort(m)
		take := len(m)
		if total > most && take > 1 {
			take = 1 + max(0, most-clusters)*(take-1)/(total-clusters)
		}
		var kept []int32
		var dropped []int
		at := 0
		for _, i := range draw.Rising(rng, 0, len(m)-1, take) {
			dropped = append(dropped, m[at:i]...)
			kept = append(kept, int32(m[i]))
			at = int(i) + 1
		}
		dropped = append(dropped, m[at:]...)
		e.Which = append(e.Which, kept...)
		if reach > 0 {
			// In the order of the data near rows may lie together, and most pieces of them far from
			// most others.
			rng.Shuffle(len(kept), func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })
			far, err := farthest(ctx, src, dropped, kept, p.Threads)
			if err != nil {
				return nil, err
			}
			e.Reach = append(e.Reach, reach+float64(far))
		}
	}
	slices.Sort(e.Which)
	for _, row := range e.Which {
		e.ClusterOf = append(e.ClusterOf, out.Labels[row])
	}
	if !objects.None() {
		e.Objects = objects.Subset(e.Which)
	}
	return &Model{Exemplars: e}, nil
}

// farthest returns how far the farthest of some objects is from the nearest of others; 0 where
// there are none.
func farthest(ctx context.Context, src dissim.Source, from []int, others []int32,
	threads int) (float32, error) {
	const piece = 32
	var most atomic.Uint32 // as bits, which rise with dissimilarities
	err := parallel.Blocks(ctx, len(from), 256, threads, func(_, lo, hi int) {
		var far [piece]float32
		for _, i := range from[lo:hi] {
			// An object that is as near to one of the others as the farthest so far need not be
			// compared with the rest.
			bound, least := most.Load(), float32(math.Inf(1))
			for at := 0; at < len(others) && math.Float32bits(least) > bound; at += piece {
				js := others[at:min(at+piece, len(others))]
				src.Row(far[:len(js)], i, js)
				least = min(least, slices.Min(far[:len(js)]))
			}
			for bits := math.Float32bits(least); bits > bound &&
				!most.CompareAndSwap(bound, bits); {
				bound = most.Load()
			}
		}
	})
	return math.Float32frombits(most.Load()), err
}

// without returns the model as it is when rows, which rise, stand for nothing; nil where none is
// left that does.
func (m *Model) without(rows []int) *Model {
	if m == nil || m.Exemplars == nil || len(rows) == 0 {
		return m
	}
	e := &Exemplars{Reach: m.Exemplars.Reach}
	e.Fitted = m.Exemplars.Fitted
	var left []int32 // among those kept
	for i, row := range m.Exemplars.Which {
		if _, out := slices.BinarySearch(rows, int(row)); !out {
			left = append(left, int32(i))
			e.Which = append(e.Which, row)
			e.ClusterOf = append(e.ClusterOf, m.Exemplars.ClusterOf[i])
		}
	}
	if left == nil {
		return nil
	}
	if o := &m.Exemplars.Objects; !o.None() {
		e.Objects = o.Subset(left)
	}
	return &Model{Exemplars: e}
}

// Place returns the cluster of each of n objects by their dissimilarities to those kept, 0 for
// noise: that of the nearest whose cluster reaches as far, the first on a tie.
func (e *Exemplars) Place(ctx context.Context, from dissim.Rows, n, threads int) ([]int, error) {
	limit := slices.Repeat([]float32{float32(math.Inf(1))}, len(e.ClusterOf))
	if e.Reach != nil {
		for j, c := range e.ClusterOf {
			limit[j] = float32(e.Reach[c-1] * (1 + 1e-6)) // dissimilarities are float32
		}
	}
	labels := make([]int, n)
	err := parallel.Blocks(ctx, n, 256, threads, func(_, lo, hi int) {
		far := make([]float32, len(limit))
		for i := lo; i < hi; i++ {
			from.Row(far, i, nil)
			nearest := float32(math.Inf(1))
			for j, v := range far {
				if v < nearest && v <= limit[j] {
					labels[i], nearest = e.ClusterOf[j], v
				}
			}
		}
	})
	return labels, err
}

// Check returns an error unless the objects, read from a file, can place others.
func (e *Exemplars) Check(enc dataset.Encoding) error {
	if len(e.ClusterOf) == 0 {
		return fmt.Errorf("the model places by no objects")
	}
	for _, c := range e.ClusterOf {
		if c < 1 {
			return fmt.Errorf("an object of the model is of cluster %d", c)
		}
		if e.Reach != nil && c > len(e.Reach) {
			return fmt.Errorf("the model does not say how far cluster %d reaches", c)
		}
	}
	for _, r := range e.Reach {
		if !(r >= 0) || math.IsInf(r, 0) {
			return fmt.Errorf("a cluster of the model reaches %g far", r)
		}
	}
	return e.Kept.Check(len(e.ClusterOf), enc)
}
