package density

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/internal/parallel"
)

// wide is the space of objects that are rows of a matrix of many columns, where the boxes of a tree
// rule out next to nothing: it looks at all pairs but those that bounds of their distances rule
// out. Positions and keys are those of the space that it does the work of.
type wide struct {
	space
	n      int
	order  []int32 // row of each position
	at     []int32 // position of each row
	sweep  *nearest.Sweep
	meters []*rowMeter // one a goroutine of the sweep

	scale dissim.Embedding // of keys; the zero value: they are squared distances
}

// A wide space takes less time than a tree from wideColumns columns and wideRows rows on, up to
// wideMost rows a column: of 100 000 rows of 16 columns, the tenth neighbour in 2 s rather than 18.
const (
	wideColumns = 12
	wideRows    = 512
	wideMost    = 10_000
)

// widen returns t, or a wide space where that takes less time.
func widen(t *tree, m dataset.Matrix, threads int) space {
	if m.Cols < wideColumns || m.Rows < wideRows || m.Rows/m.Cols > wideMost {
		return t
	}
	// Rows in the order of the tree make blocks of rows near each other.
	rows := make([]int, m.Rows)
	for at, row := range t.rows() {
		rows[at] = int(row)
	}
	return sweeping(t, dissim.Embedding{Vectors: m.Subset(rows)}, nil, disjoint.Singletons(m.Rows),
		threads)
}

// widenScan returns s, or a wide space where its dissimilarities follow from the distances of
// vectors and that takes less time. Keys are what they are in s, bit for bit.
func widenScan(s *scan) space {
	e, ok := dissim.Embed(s.src)
	if m := e.Vectors; !ok || m.Cols < wideColumns || m.Rows < wideRows {
		return s
	}
	return sweeping(s, e, s.src, s.order, s.threads)
}

// sweeping returns a wide space of the objects of s, which are rows of e.Vectors in an order, and
// are compared by src (nil: by their squared distances); s itself where there is no sweep.
func sweeping(s space, e dissim.Embedding, src dissim.Source, order []int32, threads int) space {
	w := &wide{space: s, n: s.size(), order: order, at: make([]int32, s.size()),
		sweep: nearest.NewSweep(e.Vectors, threads)}
	if w.sweep == nil {
		return s
	}
	if src != nil {
		w.scale = e
	}
	for i, row := range w.order {
		w.at[row] = int32(i)
	}
	for range parallel.Threads(threads) {
		w.meters = append(w.meters, &rowMeter{values: e.Vectors, src: src})
	}
	return w
}

// square returns a squared distance that no two rows within key of each other are beyond.
func (w *wide) square(key float64) float64 {
	if w.scale.Vectors.Rows == 0 {
		return key
	}
	return w.scale.Square(float32(key))
}

// bounds returns keys that two rows between these squared distances of each other lie between.
func (w *wide) bounds(low, high float64) (least, most float64) {
	if w.scale.Vectors.Rows == 0 {
		return low, high
	}
	return w.scale.Bounds(low, high)
}

// pairs is one sweep over pairs of rows.
type pairs struct {
	*wide
	sweep *nearest.Sweep
	reach []float32 // of each row
}

// begin makes a sweep in which rows reach as far as the key of their position; keys below 0 reach
// nothing.
func (w *wide) begin(key func(position int32) float64) *pairs {
	p := &pairs{wide: w, sweep: w.sweep, reach: make([]float32, w.n)}
	for row, at := range w.at {
		if p.reach[row] = -math.MaxFloat32; key(at) >= 0 {
			p.reach[row] = nearest.Half(w.square(key(at)))
		}
	}
	return p
}

// shorten makes a position reach no farther than key.
func (p *pairs) shorten(position int32, key float64) {
	p.reach[p.order[position]] = nearest.Half(p.square(key))
}

// settle makes a position reach nothing any more.
func (p *pairs) settle(position int32) { p.reach[p.order[position]] = -math.MaxFloat32 }

// each calls do for pairs of positions that may be within reach of one another, once each, with
// bounds of their key; m.key returns the key itself. What belongs to the two positions is left alone
// by others meanwhile.
func (p *pairs) each(ctx context.Context,
	do func(a, b int32, low, high float64, m *rowMeter)) error {
	return p.sweep.Near(ctx, p.reach, nil, func(worker, j int, within []int32, low []float32) {
		meter := p.meters[worker]
		meter.hold(j)
		slack := p.sweep.Slack(int32(j))
		for t, i := range within {
			if low[t] > max(p.reach[i], p.reach[j]) { // one has become shorter
				continue
			}
			// Halves and sums of float32, rounded
			high := 2 * (1 + 0x1p-20) * (float64(low[t]) + float64(slack) +
				float64(p.sweep.Slack(i)) + 0x1p-120)
			meter.other = int(i)
			least, most := p.bounds(2*float64(low[t]), high)
			do(p.at[j], p.at[i], least, most, meter)
		}
	})
}

// rowMeter finds the keys of pairs of rows.
type rowMeter struct {
	values     dataset.Matrix
	src        dissim.Source // compares them; nil: their squared distance does
	row, other int
	x, y       []float64 // of row, or empty; scratch
	to         [1]int32  // scratch of src
	far        [1]float32
}

// hold sets the row that others are compared with.
func (r *rowMeter) hold(row int) { r.row, r.x = row, r.x[:0] }

// key returns the key of the two rows: their squared distance as [nearest.Tree.Keys] has it, one
// chain over the columns, or their dissimilarity.
func (r *rowMeter) key() float64 {
	if r.src != nil {
		r.to[0] = int32(r.other)
		r.src.Row(r.far[:], r.row, r.to[:])
		return float64(r.far[0])
	}
	d := r.values.Cols
	if len(r.x) == 0 {
		r.x = r.values.AppendRow(r.x, r.row)
	}
	y := r.y
	if r.values.Single() {
		y = r.values.AppendRow(y[:0], r.other)
		r.y = y
	} else {
		y = r.values.F64[r.other*d : (r.other+1)*d]
	}
	s := 0.0
	for c, v := range r.x {
		t := v - y[c]
		s = math.FMA(t, t, s)
	}
	return s
}

// reachAll returns the key of every position that is asked about (nil: all).
func reachAll(asked []bool, key float64) func(int32) float64 {
	return func(at int32) float64 {
		if asked != nil && !asked[at] {
			return -1
		}
		return key
	}
}

// count implements [space].
func (w *wide) count(ctx context.Context, key float64, most int32, asked []bool) ([]int32, error) {
	counts := make([]int32, w.n)
	p := w.begin(reachAll(asked, key))
	for i := range counts {
		if asked == nil || asked[i] {
			counts[i] = 1
		}
	}
	open := func(i int32) bool { return (asked == nil || asked[i]) && counts[i] < most }
	err := p.each(ctx, func(a, b int32, low, high float64, m *rowMeter) {
		if !open(a) && !open(b) || low > key || high > key && m.key() > key {
			return
		}
		for _, at := range [2]int32{a, b} {
			if open(at) {
				if counts[at]++; counts[at] >= most {
					p.shorten(at, 0)
				}
			}
		}
	})
	return counts, err
}

// core implements [space].
func (w *wide) core(ctx context.Context, k int, asked []bool, inner []float64) ([]float64,
	error) {
	if k > w.n {
		return slices.Repeat([]float64{unreached}, w.n), nil
	}
	// Keys of the nearest of each position, see insert.
	best := slices.Repeat([]float64{unreached}, w.n*k)
	p := w.begin(reachAll(asked, unreached))
	for i := range w.n {
		insert(best[i*k:(i+1)*k], 0) // itself
	}
	err := p.each(ctx, func(a, b int32, low, high float64, m *rowMeter) {
		key, known := 0.0, false
		for _, at := range [2]int32{a, b} {
			mine := best[int(at)*k:][:k]
			if asked != nil && !asked[at] || low > mine[0] || mine[0] == 0 {
				continue
			}
			if !known {
				key, known = m.key(), true
			}
			if key < mine[0] {
				insert(mine, key)
				p.shorten(at, mine[0])
			}
			if mine[0] == 0 { // so many rows are equal
				p.settle(at)
			}
		}
	})
	far := make([]float64, w.n)
	for i := range far {
		if asked == nil || asked[i] {
			far[i] = best[i*k]
			if inner != nil {
				inner[i] = second(best[i*k:][:k])
			}
		}
	}
	return far, err
}

// join implements [space].
func (w *wide) join(ctx context.Context, key float64, marked []bool, groups *groups) error {
	p := w.begin(reachAll(marked, key))
	p.sweep = w.sweep.Across(func(lo, hi int) (int32, bool) {
		group := int32(-1)
		for _, at := range w.at[lo:hi] {
			if !marked[at] {
				continue
			}
			g := groups.find(at)
			if group >= 0 && g != group {
				return 0, false
			}
			group = g
		}
		return group, true
	})
	return p.each(ctx, func(a, b int32, low, high float64, m *rowMeter) {
		if !marked[a] || !marked[b] || low > key || groups.find(a) == groups.find(b) {
			return
		}
		if high <= key || m.key() <= key {
			groups.join(a, b)
		}
	})
}

// nearest implements [space].
func (w *wide) nearest(ctx context.Context, asked, among []bool, key float64) (to []int32,
	far []float64, err error) {
	to, far = slices.Repeat([]int32{-1}, w.n), slices.Repeat([]float64{key}, w.n)
	for i := range to {
		if asked[i] && among[i] && key >= 0 { // itself
			to[i], far[i] = int32(i), 0
		}
	}
	p := w.begin(func(at int32) float64 { return reachAll(asked, far[at])(at) })
	err = p.each(ctx, func(a, b int32, low, high float64, m *rowMeter) {
		key, known := 0.0, false
		for _, x := range [2][2]int32{{a, b}, {b, a}} {
			i, other := x[0], x[1]
			if !asked[i] || !among[other] || low > far[i] {
				continue
			}
			if !known {
				key, known = m.key(), true
			}
			if key < far[i] || key == far[i] && (to[i] < 0 || other < to[i]) {
				to[i], far[i] = other, key
				p.shorten(i, key)
			}
		}
	})
	return to, far, err
}

// bridge implements [space].
func (w *wide) bridge(ctx context.Context, b *bridges) error {
	s := &crossing{bridges: b}
	s.begin()
	// What each position looks within: the limit at first, then the shortest bridge of its group.
	far := make([]float64, w.n)
	for i := range far {
		far[i] = -1
		if i := int32(i); b.takes(i) && !b.holds(i) {
			if reach := s.reachOf(i); max(s.floor(i), b.low[i]) <= reach {
				far[i], b.to[i] = reach, -1
			}
		}
	}
	p := w.begin(func(at int32) float64 { return far[at] })
	err := p.each(ctx, func(i, j int32, low, high float64, m *rowMeter) {
		if far[i] < 0 && far[j] < 0 || !b.takes(i) || !b.takes(j) ||
			!b.open(b.group[i], b.group[j]) {
			return
		}
		low = max(low, s.floor(i), s.floor(j))
		gap, key, known := 0.0, 0.0, false
		for _, x := range [2][2]int32{{i, j}, {j, i}} {
			at, other := x[0], x[1]
			if far[at] < 0 {
				continue
			}
			if reach := s.reachOf(at); reach < far[at] {
				far[at], b.to[at] = reach, -1
				p.shorten(at, reach)
			}
			if low > far[at] || far[at] == 0 && b.gap[at] == 0 && b.to[at] >= 0 &&
				b.to[at] <= other { // an equal row before it
				continue
			}
			if !known {
				gap, known = m.key(), true
				key = max(gap, s.floor(i), s.floor(j))
			}
			if key < far[at] || key == far[at] && (b.to[at] < 0 || gap < b.gap[at] ||
				gap == b.gap[at] && other < b.to[at]) {
				far[at], b.to[at], b.gap[at] = key, other, gap
				s.shorten(b.group[at], key)
				p.shorten(at, key)
			}
		}
	})
	for i, key := range far {
		if key < 0 {
			continue
		}
		if b.low[i] = key; b.to[i] < 0 && key == b.limit {
			b.low[i] = unreached
		}
	}
	return err
}

// span implements [space].
func (w *wide) span(ctx context.Context, core []float64) ([]edge, error) {
	return span(ctx, w, core)
}
