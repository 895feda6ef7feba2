package method

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/parallel"
)

// DefaultExemplars is how many rows a model keeps to place new ones by the nearest, when nobody says: 1000.
const DefaultExemplars = 1000

// Exemplars place new objects in the cluster of the nearest of the objects kept. This is ours: it carries partitions over to
// new rows that are not made by means.
type Exemplars struct {
	Kept
	ClusterOf []int   `json:"cluster_of"`      // of each object kept, from 1
	Reach     float64 `json:"reach,omitempty"` // objects farther from all are noise; 0: none are
}

// exemplars gives a model of rows that stand for their clusters, at most Evidential.ModelRows of them ([DefaultExemplars]),
// of each cluster in proportion to its size, drawn by the seed. Only rows of among (nil: all) that are in a cluster are
// taken. Rows farther than reach (0: however far) from all of them are noise; where not all rows can be kept, reach grows by
// as much as the farthest is from those that are. It is nil where no row is in a cluster.
func exemplars(ctx context.Context, p Problem, out *Outcome, among []int, reach float64, s Settings) (*Model, error) {
	src, objects, err := compared(p)
	if err != nil {
		return nil, err
	}
	most := cmp.Or(s.Evidential.ModelRows, DefaultExemplars)
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
	total := 0
	for _, m := range members {
		total += len(m)
	}
	if total == 0 {
		return nil, nil
	}
	rng := rand.New(rand.NewPCG(s.Seed, 0x6578656d706c6172))
	e := &Exemplars{Reach: reach}
	e.Fitted = len(out.Labels)
	var dropped []int
	for _, m := range members {
		take := len(m)
		if total > most {
			take = min(len(m), max(1, int(math.Round(float64(most)*float64(len(m))/float64(total)))))
		}
		if take == len(m) {
			for _, row := range m {
				e.Which = append(e.Which, int32(row))
			}
			continue
		}
		slices.Sort(m)
		at := 0
		for _, i := range draw.Rising(rng, 0, len(m), take) {
			dropped = append(dropped, m[at:i]...)
			e.Which = append(e.Which, int32(m[i]))
			at = int(i) + 1
		}
		dropped = append(dropped, m[at:]...)
	}
	slices.Sort(e.Which)
	for _, row := range e.Which {
		e.ClusterOf = append(e.ClusterOf, out.Labels[row])
	}
	if reach > 0 && len(dropped) > 0 {
		_, far, err := nearestKept(ctx, fromSource{src, dropped, e.Which}, len(dropped), len(e.Which), s.Threads)
		if err != nil {
			return nil, err
		}
		e.Reach += float64(slices.Max(far))
	}
	if !objects.None() {
		e.Objects = objects.Subset(e.Which)
	}
	return &Model{Exemplars: e}, nil
}

// without gives the model as it is when rows, which rise, stand for nothing; nil where none is left that does.
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

// fromSource is the dissimilarities from some objects of a source to others.
type fromSource struct {
	src  dissim.Source
	from []int
	to   []int32
}

func (f fromSource) Row(dst []float32, i int, js []int32) {
	if js == nil {
		js = f.to
	}
	f.src.Row(dst, f.from[i], js)
}

// nearestKept gives for each of n objects the nearest of count others, the first on a tie, and how far it is.
func nearestKept(ctx context.Context, from dissim.Rows, n, count, threads int) (at []int32, far []float32, err error) {
	at, far = make([]int32, n), make([]float32, n)
	err = parallel.Blocks(ctx, n, 256, threads, func(_, lo, hi int) {
		row := make([]float32, count)
		for i := lo; i < hi; i++ {
			from.Row(row, i, nil)
			for j, v := range row {
				if j == 0 || v < far[i] {
					at[i], far[i] = int32(j), v
				}
			}
		}
	})
	return at, far, err
}

// place gives the cluster of each of n objects by their dissimilarities to those kept, 0 for noise.
func (e *Exemplars) place(ctx context.Context, from dissim.Rows, n, threads int) ([]int, error) {
	at, far, err := nearestKept(ctx, from, n, len(e.ClusterOf), threads)
	if err != nil {
		return nil, err
	}
	labels := make([]int, n)
	for i, j := range at {
		if e.Reach == 0 || float64(far[i]) <= e.Reach*(1+1e-6) { // dissimilarities are float32
			labels[i] = e.ClusterOf[j]
		}
	}
	return labels, nil
}

// check trusts nothing in a file.
func (e *Exemplars) check(enc dataset.Encoding) error {
	if len(e.ClusterOf) == 0 {
		return fmt.Errorf("the model places by no objects")
	}
	for _, c := range e.ClusterOf {
		if c < 1 {
			return fmt.Errorf("an object of the model is of cluster %d", c)
		}
	}
	if !(e.Reach >= 0) || math.IsInf(e.Reach, 0) {
		return fmt.Errorf("the model reaches %g far", e.Reach)
	}
	return e.Kept.check(len(e.ClusterOf), enc)
}

// PredictColumns gives the cluster of each new object by its dissimilarities: d has a row for each, and a column for each
// fitted object or for each that the model keeps.
func (m *Model) PredictColumns(ctx context.Context, d dataset.Matrix, threads int) ([]int, error) {
	from, err := m.Exemplars.columns(d)
	if err != nil {
		return nil, err
	}
	return m.Exemplars.place(ctx, from, d.Rows, threads)
}
