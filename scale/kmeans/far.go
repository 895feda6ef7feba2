package kmeans

import (
	"cmp"
	"container/heap"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// An empty cluster takes the row furthest from the nearest centre; the next one the row then
// furthest, that centre counted. The rows furthest out, a few more than there are empty clusters,
// nearly always show which these are: no row left out is further than the least far of them was.
// Where they do not, they are sought again with the centres that have been moved.

// reach returns how many of the rows furthest out are kept.
func reach(s *state) int { return len(s.Empty) + 64 }

// farRow is a row away from its centre.
type farRow struct {
	squared float64
	split   int
	number  int64 // in the split
	values  []float64
}

// compare orders rows by distance, the furthest first, equals by their place in the table.
func (r farRow) compare(o farRow) int {
	return cmp.Or(cmp.Compare(o.squared, r.squared), cmp.Compare(r.split, o.split),
		cmp.Compare(r.number, o.number))
}

// farRows keeps the first few rows.
type farRows struct {
	most int
	more bool // rows were left out
	rows farHeap
}

// add takes a row, whose values it copies. Rows on their centre are of no use.
func (f *farRows) add(r farRow) {
	if r.squared == 0 {
		return
	}
	if len(f.rows) == f.most {
		f.more = true
		if r.compare(f.rows[0]) >= 0 {
			return
		}
		heap.Pop(&f.rows)
	}
	r.values = slices.Clone(r.values)
	heap.Push(&f.rows, r)
}

// farHeap has the last row on top.
type farHeap []farRow

func (h farHeap) Len() int           { return len(h) }
func (h farHeap) Less(i, j int) bool { return h[j].compare(h[i]) < 0 }
func (h farHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *farHeap) Push(r any)        { *h = append(*h, r.(farRow)) }
func (h *farHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

// encode writes whether rows were left out, and the rows in order.
func (f *farRows) encode() []byte {
	out := []byte{0}
	if f.more {
		out[0] = 1
	}
	slices.SortFunc(f.rows, farRow.compare)
	for _, r := range f.rows {
		out = fold.AppendNumbers(out, r.squared, int64(r.split), r.number, r.values)
	}
	return out
}

// decode adds what encode wrote of rows of d values.
func (f *farRows) decode(data []byte, d int) error {
	size := 8 * (3 + d)
	if len(data) == 0 || (len(data)-1)%size != 0 {
		return fmt.Errorf("lloyd: %d bytes are no rows of %d values", len(data), d)
	}
	f.more = f.more || data[0] == 1
	for data = data[1:]; len(data) > 0; data = data[size:] {
		r, split := farRow{values: make([]float64, d)}, int64(0)
		if err := fold.Numbers(data[:size], &r.squared, &split, &r.number, r.values); err != nil {
			return err
		}
		r.split = int(split)
		f.add(r)
	}
	return nil
}

// seeker finds the rows of a split that are furthest from their centre and from the rows that
// centres were moved to.
type seeker struct {
	w     *work
	split shard.Split
	pass  *kmeans.Pass
	moved []float64
	far   farRows
}

func newSeeker(w *work, r *round, split shard.Split) *seeker {
	return &seeker{w: w, split: split, pass: r.frame.Pass(nil, true), moved: r.state.Moved,
		far: farRows{most: reach(&r.state)}}
}

// Block implements [fold.Kernel].
func (k *seeker) Block(b *shard.Block) error {
	if err := k.w.take(k.pass, b, k.split); err != nil {
		return err
	}
	d := k.w.Cols
	for i, v := range k.pass.Squared {
		row := b.X.F64[i*d : (i+1)*d]
		for at := 0; at < len(k.moved) && v > 0; at += d {
			v = math.Min(v, k.w.squared(row, k.moved[at:at+d]))
		}
		k.far.add(farRow{squared: v, split: b.Split, number: b.Number(i), values: row})
	}
	return nil
}

// End implements [fold.Kernel].
func (k *seeker) End(emit func(key int64, data []byte)) error {
	emit(0, k.far.encode())
	return nil
}

// squared returns a squared distance as kmeans.Fit computes it.
func (w *work) squared(x, y []float64) float64 {
	if !w.Single {
		return simd.SquaredDistance(x, y)
	}
	narrow := func(v []float64) []float32 {
		out := make([]float32, len(v))
		for i, u := range v {
			out[i] = float32(u)
		}
		return out
	}
	return float64(simd.SquaredDistance(narrow(x), narrow(y)))
}

func mergeFar(parts []fold.Part, d, most int) ([]byte, error) {
	all := farRows{most: most}
	err := fold.Each(parts, func(data []byte) error { return all.decode(data, d) })
	return all.encode(), err
}

// repair moves the centres of empty clusters, in order, to the rows furthest out.
func (w *work) repair(s *state, merged []fold.Merged) (done bool, err error) {
	d := w.Cols
	far := farRows{most: reach(s)}
	if err := fold.Each(merged,
		func(data []byte) error { return far.decode(data, d) }); err != nil {
		return false, err
	}
	var last farRow // no row that was left out comes before it
	if len(far.rows) > 0 {
		last = slices.MaxFunc(far.rows, farRow.compare)
	}
	for len(s.Moved) < len(s.Empty)*d && len(far.rows) > 0 {
		best := slices.MinFunc(far.rows, farRow.compare)
		if far.more && last.compare(best) < 0 {
			return false, nil // one that was left out may be further by now
		}
		if best.squared == 0 {
			break
		}
		c := s.Empty[len(s.Moved)/d]
		copy(s.Centers[c*d:(c+1)*d], best.values)
		s.Moved = append(s.Moved, best.values...)
		s.Repaired++
		for i := range far.rows {
			r := &far.rows[i]
			r.squared = math.Min(r.squared, w.squared(r.values, best.values))
		}
	}
	if len(s.Moved) == 0 {
		return w.settle(s), nil
	}
	s.Phase = s.Back
	return false, nil
}
