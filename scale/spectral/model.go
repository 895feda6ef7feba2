package spectral

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/shard"
)

// Model finds the cluster of any row. It travels to workers as JSON. All matrices are row-major.
type Model struct {
	Columns   int       // d, of the rows
	Landmarks []float64 // p×d
	Nearest   int       // r, the landmarks that a row is a mixture of
	Bandwidth float64   // σ, in units of distance

	Dimensions int // e, of the layout
	// p×e: the layout of a mixture is its product with this, brought to length 1
	Map      []float64
	Clusters int       // k
	Centers  []float64 // k×e, in the layout
}

func (m *Model) landmarks() int { return len(m.Landmarks) / m.Columns }

// check reports whether the model is whole, as one read from a file may not be.
func (m *Model) check() error {
	bad := fault.Inputf("make it again", "the model is not whole")
	if m.Columns < 1 || len(m.Landmarks) == 0 || len(m.Landmarks)%m.Columns != 0 || m.Nearest < 1 ||
		m.Nearest > m.landmarks() {
		return bad
	}
	if m.Clusters < 1 || m.Dimensions < 1 || len(m.Map) != m.landmarks()*m.Dimensions ||
		len(m.Centers) != m.Clusters*m.Dimensions {
		return bad
	}
	return nil
}

// bySize numbers clusters by size, the largest first, ties as they were.
func (m *Model) bySize(sizes []int64) {
	centers, e := make([]float64, len(m.Centers)), m.Dimensions
	for c, rank := range kmeans.Ranks(sizes) {
		copy(centers[(rank-1)*e:], m.Centers[c*e:(c+1)*e])
	}
	m.Centers = centers
	slices.SortStableFunc(sizes, func(a, b int64) int { return cmp.Compare(b, a) })
}

// meanDistance returns the mean distance of rows from their nearest landmarks, 1 where all are 0.
func (m *Model) meanDistance(x dataset.Matrix) float64 {
	w := m.prepare().workspace()
	sum := 0.0
	for i := range x.Rows {
		w.find(x.F64[i*x.Cols : (i+1)*x.Cols])
		for _, d := range w.least {
			sum += math.Sqrt(d)
		}
	}
	if sum == 0 {
		return 1
	}
	return sum / float64(x.Rows*m.Nearest)
}

// layout is a model made ready for rows. It does not change, so that goroutines may share it.
type layout struct {
	*Model
	columns []float64 // d×p: the landmarks by column
	centers []float64 // e×k: the centres by column
}

func (m *Model) prepare() *layout {
	return &layout{Model: m, columns: transposed(m.Landmarks, m.Columns),
		centers: transposed(m.Centers, m.Dimensions)}
}

// transposed returns a row-major matrix of so many columns by column.
func transposed(rows []float64, cols int) []float64 {
	out := make([]float64, len(rows))
	linalg.Transpose(out, rows, cols)
	return out
}

// workspace lays out one row after the other.
type workspace struct {
	*layout
	distance []float64 // from each landmark, squared
	at       []int32   // the nearest landmarks, nearest first, ties by number
	least    []float64 // their squared distances
	weight   []float64 // and weights, which sum to 1
	place    []float64 // the row in the layout
	center   []float64 // squared distances from centres
}

func (l *layout) workspace() *workspace {
	return &workspace{layout: l, distance: make([]float64, l.landmarks()),
		at: make([]int32, l.Nearest), least: make([]float64, l.Nearest),
		weight: make([]float64, l.Nearest), place: make([]float64, l.Dimensions),
		center: make([]float64, l.Clusters)}
}

// find finds a row's nearest landmarks.
func (w *workspace) find(x []float64) {
	simd.SquaredDistancesColumns(w.distance, x, w.columns, len(w.distance))
	r := len(w.at)
	for i := range w.least {
		w.least[i] = math.Inf(1)
	}
	worst := w.least[r-1]
	for i, d := range w.distance {
		if d >= worst {
			continue
		}
		t := r - 1
		for ; t > 0 && d < w.least[t-1]; t-- {
			w.least[t], w.at[t] = w.least[t-1], w.at[t-1]
		}
		w.least[t], w.at[t] = d, int32(i)
		worst = w.least[r-1]
	}
}

// mix finds a row's nearest landmarks and their weights: exp(−d²/2σ²), brought to the sum 1. What
// the nearest would have is taken out before, so that rows far out have weights, too.
func (w *workspace) mix(x []float64) {
	w.find(x)
	sum := 0.0
	for t, d := range w.least {
		switch {
		case d == w.least[0]:
			w.weight[t] = 1
		case math.IsInf(d, 1):
			w.weight[t] = 0
		default:
			w.weight[t] = math.Exp((w.least[0] - d) / (2 * float64(w.Bandwidth*w.Bandwidth)))
		}
		sum += w.weight[t]
	}
	for t := range w.weight {
		w.weight[t] /= sum
	}
}

// far reports whether the row last found lies beyond the reach of float64: then its neighbours and
// weights are those of no row.
func (w *workspace) far() bool { return !(w.least[0] <= math.MaxFloat64) }

// tooFar refuses a row of a block that is so.
func tooFar(split shard.Split, b *shard.Block, i int) error {
	return &fault.Input{File: split.File,
		Problem: fmt.Sprintf(
			"row %d of the table lies too far from all landmarks to be compared in 64-bit numbers",
			split.First+b.Number(i)+1),
		Fix: "bring the columns to one scale (--scale minmax), or leave the row out"}
}

// layOut returns the place of a row in the layout, which the next call overwrites.
func (w *workspace) layOut(x []float64) []float64 {
	w.mix(x)
	e := w.Dimensions
	clear(w.place)
	for t, i := range w.at {
		for j, v := range w.Map[int(i)*e : (int(i)+1)*e] {
			w.place[j] += float64(w.weight[t] * v)
		}
	}
	sum := 0.0
	for _, v := range w.place {
		sum += float64(v * v)
	}
	if sum > 0 {
		sum = math.Sqrt(sum)
		for j := range w.place {
			w.place[j] /= sum
		}
	}
	return w.place
}

// nearest returns the centre nearest to a place in the layout, the lowest among equals, and its
// squared distance.
func (w *workspace) nearest(place []float64) (int32, float64) {
	simd.SquaredDistancesColumns(w.center, place, w.centers, len(w.center))
	best := 0
	for c, d := range w.center {
		if d < w.center[best] {
			best = c
		}
	}
	return int32(best), w.center[best]
}
