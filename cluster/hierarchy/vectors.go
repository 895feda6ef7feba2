package hierarchy

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/simd"
)

// vectors is a space of clusters with centres. Its measure is the squared distance of the centres.
type vectors struct {
	linkage Linkage
	d       int
	values  []float64 // centres, by slot: in columns of stride values, or in rows where stride is 0
	stride  int
	ids     []int32 // cluster in each slot
	slot    []int32 // of each cluster that is there
	size    []float64
	x, y    []float64
	buffer  []float64
}

const (
	byColumns  = 48   // columns of a matrix below which the kernel over columns is the faster one
	atATime    = 1024 // clusters that are looked at together
	checkEvery = 1024 // rows between looks at the context
)

// layOut returns the rows of data in the order of their values, and the row at each place.
func layOut(ctx context.Context, data dataset.Matrix) (rows []float64, order []int32, err error) {
	n, d := data.Rows, data.Cols
	row := make([]float64, 0, d)
	largest := 0.0
	for i := range n {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		row = data.AppendRow(row[:0], i)
		for j, v := range row {
			if v-v != 0 {
				return nil, nil, dataset.NotFinite(i, j, v)
			}
			largest = max(largest, math.Abs(v))
		}
	}
	if 8*largest*largest*float64(n)*float64(d) > math.MaxFloat64 {
		return nil, nil, fault.Inputf("scale the columns (--scale minmax or zscore)",
			"the values are so large that squared distances overflow")
	}
	if err := checkRange(data, leastFloat64); err != nil {
		return nil, nil, err
	}
	order = disjoint.Singletons(n)
	compare := func(a, b int32) int {
		return slices.Compare(data.F64[int(a)*d:][:d], data.F64[int(b)*d:][:d])
	}
	if data.Single() {
		compare = func(a, b int32) int {
			return slices.Compare(data.F32[int(a)*d:][:d], data.F32[int(b)*d:][:d])
		}
	}
	slices.SortStableFunc(order, compare)
	rows = make([]float64, 0, n*d)
	for _, i := range order {
		rows = data.AppendRow(rows, int(i))
	}
	return rows, order, nil
}

// The least range of the widest column, such that distances a hundred millionth of it are still
// normal numbers: of distances as float32, of squares as float32, and of squares as float64.
const (
	leastFloat32 = 1e-30
	leastSingle  = 1e-15
	leastFloat64 = 1e-140
)

// checkRange refuses rows that differ, but in no column by as much as least.
func checkRange(data dataset.Matrix, least float64) error {
	low, high := data.AppendRow(nil, 0), data.AppendRow(nil, 0)
	row, widest := make([]float64, 0, data.Cols), 0.0
	for i := range data.Rows {
		row = data.AppendRow(row[:0], i)
		for j, v := range row {
			low[j], high[j] = min(low[j], v), max(high[j], v)
			widest = max(widest, high[j]-low[j])
		}
		if widest >= least {
			return nil
		}
	}
	if widest == 0 {
		return nil
	}
	return fault.Inputf("scale the columns (--scale minmax or zscore)",
		"the values lie so close together that distances vanish")
}

// newVectors lays the rows of data out in the order of their values, and returns the row at each
// place.
func newVectors(ctx context.Context, data dataset.Matrix, l Linkage) (*vectors, []int32, error) {
	n, d := data.Rows, data.Cols
	rows, order, err := layOut(ctx, data)
	if err != nil {
		return nil, nil, err
	}
	v := &vectors{linkage: l, d: d, values: rows, ids: disjoint.Singletons(n),
		slot: disjoint.Singletons(n), size: slices.Repeat([]float64{1}, n),
		x: make([]float64, d), y: make([]float64, d), buffer: make([]float64, atATime)}
	if d < byColumns {
		v.stride, v.values = n, make([]float64, n*d)
		for place := range order {
			v.put(place, rows[place*d:][:d])
		}
	}
	return v, order, nil
}

func (v *vectors) live() []int32 { return v.ids }

// at reads the centre in a slot into dst.
func (v *vectors) at(dst []float64, slot int) {
	if v.stride == 0 {
		copy(dst, v.values[slot*v.d:])
		return
	}
	for j := range dst {
		dst[j] = v.values[j*v.stride+slot]
	}
}

func (v *vectors) put(slot int, x []float64) {
	if v.stride == 0 {
		copy(v.values[slot*v.d:], x)
		return
	}
	for j, value := range x {
		v.values[j*v.stride+slot] = value
	}
}

// squares sets dst to the squared distances of x to the centres in the slots from lo on.
func (v *vectors) squares(dst, x []float64, lo int) {
	if v.stride == 0 {
		simd.SquaredDistances(dst, x, v.values[lo*v.d:])
		return
	}
	simd.SquaredDistancesColumns(dst, x, v.values[lo:], v.stride)
}

func (v *vectors) from(dst []float64, a int32) {
	v.at(v.x, int(v.slot[a]))
	m := len(v.ids)
	v.squares(dst[:m], v.x, 0)
}

func (v *vectors) nearest(a, prefer int32) (b int32, far float64) {
	v.at(v.x, int(v.slot[a]))
	self := int(v.slot[a])
	b, far = -1, math.Inf(1)
	preferred := math.Inf(1)
	for lo := 0; lo < len(v.ids); lo += atATime {
		ids := v.ids[lo:min(len(v.ids), lo+atATime)]
		squares := v.buffer[:len(ids)]
		v.squares(squares, v.x, lo)
		if self >= lo && self < lo+len(ids) {
			squares[self-lo] = math.Inf(1)
		}
		for t, d := range squares {
			if id := ids[t]; d < far || d == far && id < b {
				b, far = id, d
			}
			if ids[t] == prefer {
				preferred = d
			}
		}
	}
	if preferred == far {
		b = prefer
	}
	return b, far
}

func (v *vectors) join(_ context.Context, a, b int32, _ float64) (int32, error) {
	a, b = min(a, b), max(a, b)
	p, q := int(v.slot[a]), int(v.slot[b])
	v.at(v.x, p)
	v.at(v.y, q)
	wa, wb := v.size[p], v.size[q]
	v.size[p] = wa + wb
	if v.linkage == Median {
		wa, wb = 1, 1
	}
	for j := range v.x {
		v.x[j] = (float64(wa*v.x[j]) + float64(wb*v.y[j])) / (wa + wb)
	}
	v.put(p, v.x)
	v.remove(q)
	return a, nil
}

// remove takes the cluster in a slot away; the last one comes in its place.
func (v *vectors) remove(q int) {
	last := len(v.ids) - 1
	if q != last {
		v.at(v.y, last)
		v.put(q, v.y)
		v.ids[q], v.size[q] = v.ids[last], v.size[last]
		v.slot[v.ids[q]] = int32(q)
	}
	v.ids = v.ids[:last]
}

func (v *vectors) height(far float64) float64 { return math.Sqrt(far) }
