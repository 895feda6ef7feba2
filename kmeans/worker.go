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
	label  [chunkRows]int32
	gap    [chunkRows]float32
}

// chunk labels rows lo to hi.
func (w *worker[T]) chunk(lo, hi int) {
	s, e := w.state, w.state.e
	n := hi - lo
	index := w.index[:]
	if w.bounded {
		n = s.bounds.pending(s.labels[lo:hi], s.bounds.gap[lo:hi], index)
		w.part.skipped += hi - lo - n
		if n == 0 {
			return
		}
	}
	if !w.bounded || !w.worth(n, hi-lo) {
		n = hi - lo
		for i := range n {
			index[i] = int32(i)
		}
	}
	label, gap := w.label[:n], w.gap[:n]
	if !w.keep {
		gap = nil
	}
	all := n == hi-lo
	switch {
	case w.tiled != nil && all:
		w.tiled.Labels(&w.spaced, e.wide, lo, nil, label, gap)
	case w.tiled != nil:
		w.tiled.Labels(&w.spaced, e.wide, lo, index[:n], label, gap)
	case all:
		w.frame.centroids.Labels(&w.space, e.rows[lo*e.d:hi*e.d], w.frame.shift, label, gap)
	default:
		w.rows = w.rows[:0]
		for _, i := range index[:n] {
			w.rows = append(w.rows, e.row(lo+int(i))...)
		}
		w.frame.centroids.Labels(&w.space, w.rows, w.frame.shift, label, gap)
	}
	w.part.distances += int64(e.k) * int64(n)
	for q, g := range gap {
		s.bounds.gap[lo+int(index[q])] = g
	}
	w.move(lo, label)
}

// worth tells whether picking out n of the rows of a chunk costs less than doing all.
func (w *worker[T]) worth(n, of int) bool { return w.state.how == Hamerly || worth(w.state.e.k, n, of) }

// move takes rows lo+w.index to the clusters their new labels say.
func (w *worker[T]) move(lo int, label []int32) {
	s, e, p := w.state, w.state.e, w.part
	if s.labels[lo] < 0 { // the first assignment
		copy(s.labels[lo:], label)
		for _, l := range label {
			p.counts[l]++
		}
		p.changed += len(label)
		simd.Accumulate(p.sums, e.rows[lo*e.d:(lo+len(label))*e.d], e.origin, label)
		return
	}
	moved := 0
	var from, to [chunkRows]int32
	for q, l := range label {
		at := w.index[q]
		was := s.labels[lo+int(at)]
		if was == l {
			continue
		}
		s.labels[lo+int(at)] = l
		p.counts[was]--
		p.counts[l]++
		w.index[moved], from[moved], to[moved] = at, was, l
		moved++
	}
	p.changed += moved
	simd.Move(p.sums, e.rows[lo*e.d:], e.origin, w.index[:moved], from[:], to[:])
}
