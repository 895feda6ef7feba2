package kmeans

import "github.com/kindred-go/kindred/internal/simd"

// worker labels one block.
type worker[T simd.Float] struct {
	state   *state[T]
	frame   *frame[T]
	tiled   *simd.TiledCentroids // nil: use the frame
	part    *part
	bounded bool // bounds.gap holds, and may let rows be skipped
	keep    bool // set bounds.gap

	space  simd.Workspace[T]
	spaced simd.Workspace[float64] // for tiled
	rows   []T                     // of a chunk, those that cannot be skipped
	index  [chunkRows]int32        // where they are
	moves  moves
	label  [chunkRows]int32
	gap    [chunkRows]float32
}

// chunk labels rows lo to hi.
func (w *worker[T]) chunk(lo, hi int) {
	s, e := w.state, w.state.e
	n := hi - lo
	var index []int32 // of the rows to do; nil: all
	if w.bounded {
		n = s.bounds.pending(s.labels[lo:hi], s.bounds.gap[lo:hi], w.index[:])
		w.part.skipped += hi - lo - n
		if n == 0 {
			return
		}
	}
	if n < hi-lo && w.worth(n, hi-lo) {
		index = w.index[:n]
	} else {
		n = hi - lo
	}
	label, gap := w.label[:n], w.gap[:n]
	if !w.keep {
		gap = nil
	}
	switch {
	case w.tiled != nil:
		w.tiled.Labels(&w.spaced, e.wide, lo, index, label, gap)
	case index == nil:
		w.frame.centroids.Labels(&w.space, e.rows[lo*e.d:hi*e.d], w.frame.shift, label, gap)
	default:
		w.rows = w.rows[:0]
		for _, i := range index {
			w.rows = append(w.rows, e.row(lo+int(i))...)
		}
		w.frame.centroids.Labels(&w.space, w.rows, w.frame.shift, label, gap)
	}
	w.part.distances += int64(e.k) * int64(n)
	if index == nil && gap != nil {
		copy(s.bounds.gap[lo:hi], gap)
	}
	for q, i := range index {
		s.bounds.gap[lo+int(i)] = gap[q]
	}
	if s.labels[lo] < 0 { // the first assignment
		copy(s.labels[lo:], label)
		for _, l := range label {
			w.part.counts[l]++
		}
		w.part.changed += len(label)
		simd.Accumulate(w.part.sums, e.rows[lo*e.d:hi*e.d], e.origin, label)
		return
	}
	if index == nil {
		for q, was := range s.labels[lo:hi] {
			if l := label[q]; l != was {
				w.move(lo+q, was, l)
			}
		}
	}
	for q, i := range index {
		at := lo + int(i)
		if l, was := label[q], s.labels[at]; l != was {
			w.move(at, was, l)
		}
	}
}

// worth reports whether picking out n of the rows of a chunk costs less than doing all.
func (w *worker[T]) worth(n, of int) bool {
	return w.state.how == Hamerly || worth(w.state.e.k, n, of)
}

// moves are rows that go from one cluster to another, kept until there are enough of them for their
// way from memory to be covered.
type moves struct {
	first           int // row that index counts from
	index, from, to []int32
}

// flushMoves is the number of moves that are kept.
const flushMoves = 512

// move takes a row from cluster was to cluster l.
func (w *worker[T]) move(row int, was, l int32) {
	w.state.labels[row] = l
	w.part.counts[was]--
	w.part.counts[l]++
	w.part.changed++
	m := &w.moves
	m.index, m.from, m.to = append(m.index, int32(row-m.first)), append(m.from, was),
		append(m.to, l)
	if len(m.index) == flushMoves {
		w.flush()
	}
}

// flush brings the sums up to date.
func (w *worker[T]) flush() {
	m, e := &w.moves, w.state.e
	simd.Move(w.part.sums, e.rows[m.first*e.d:], e.origin, m.index, m.from, m.to)
	m.index, m.from, m.to = m.index[:0], m.from[:0], m.to[:0]
}
