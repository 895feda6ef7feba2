package simd

import "math"

// screen finds labels of float64 rows with float32 arithmetic, twice as fast, where its error
// cannot change them, and in float64 elsewhere: the labels are always those of [Centroids.Nearest].
//
// If the two best float32 scores lie further apart than the errors of both in both types, the
// float64 scores are in the same order.
type screen struct {
	narrow  *Centroids[float32]
	columns []float64 // the centroids, coordinate j of centroid c at j·stride + c
	half    []float64 // as long as stride
	stride  int
	zeros   []float32 // d of them
	offset  float64   // from where narrow is taken about to where the float64 scores are
	largest float64   // ‖x‖² at which float32 may overflow
}

// newScreen returns nil where screening is of no use: without assembly, with a single centroid, or
// where float32 would overflow or, for very long rows, the rounding of norms outgrow what
// scoreError allows for it.
func newScreen(c *Centroids[float64], rows []float64) *screen {
	if c.at == portable || c.k < 2 || c.d > 1<<16 {
		return nil
	}
	reach := 0.0 // greatest ½‖c‖²
	for _, h := range c.half {
		reach = max(reach, h)
	}
	if reach > 0x1p100 {
		return nil
	}
	width := vectorLanes[float64](c.at)
	s := &screen{zeros: make([]float32, c.d), stride: (c.k + width - 1) / width * width}
	s.narrow = newNarrow(c, rows)
	s.half = make([]float64, s.stride)
	copy(s.half, c.half)
	s.columns = make([]float64, s.stride*c.d)
	for i := range c.k {
		for j := range c.d {
			s.columns[j*s.stride+i] = rows[i*c.d+j]
		}
	}
	s.largest = 0x1p100
	return s
}

// newNarrow rounds centroids to float32.
func newNarrow(c *Centroids[float64], rows []float64) *Centroids[float32] {
	single := make([]float32, len(rows))
	for i, v := range rows {
		single[i] = float32(v)
	}
	return newCentroids(c.at, single, c.d)
}

// Labels sets label[i] to the centroid nearest to row i of rows: what [Centroids.Nearest] would set
// it to, at about twice the speed for float64.
//
// Unless gap is nil it also sets gap[i] to 0, which bounds nothing, or to a lower bound, good to
// some digits of float32, on how much further row i is from every other centroid than from that
// one: min_c ‖x−shift−c‖ − ‖x−shift−label‖, +Inf when there is no other.
func (c *Centroids[T]) Labels(w *Workspace[T], rows, shift []T, label []int32, gap []float32) {
	n, d := len(label), c.d
	if gap != nil {
		gap = gap[:n]
	}
	if len(w.row) < d {
		w.row = make([]T, d)
	}
	row := w.row[:d]
	if s := c.screen; s != nil {
		if w.narrow == nil {
			w.narrow = new(Workspace[float32])
		}
		if len(w.scores) < s.stride {
			w.scores = make([]float64, s.stride)
		}
		// Only float64 has a screen.
		s.labels(any(c).(*Centroids[float64]), any(w).(*Workspace[float64]), any(rows).([]float64),
			any(shift).([]float64), label, gap)
		return
	}
	if gap == nil {
		if len(w.scored) < n {
			w.scored = make([]T, n)
		}
		c.Nearest(w, rows, shift, label, w.scored[:n], nil)
		return
	}
	// Tile by tile, as the norms are found best where the rows lie side by side.
	width := c.at.tile(isSingle[T]())
	zeros := row
	clear(zeros)
	var best, second, norm [maxTile]T
	for lo := 0; lo < n; lo += width {
		m := min(width, n-lo)
		c.Nearest(w, rows[lo*d:(lo+m)*d], shift, label[lo:lo+m], best[:m], second[:m])
		squaredDistancesColumns(c.at, norm[:width], zeros, w.tile, width)
		for i := range m {
			gap[lo+i] = c.error.gap(float64(best[i]), float64(second[i]), float64(norm[i]))
		}
	}
}

func (s *screen) labels(wide *Centroids[float64], w *Workspace[float64], rows, shift []float64,
	label []int32, gap []float32) {
	at, d := s.narrow.at, s.narrow.d
	width := at.tile(true)
	if len(w.narrow.tile) < width*d {
		w.narrow.tile = make([]float32, width*d)
	}
	tile := w.narrow.tile
	var norm [maxTile]float32
	n := len(label)
	for lo := 0; lo < n; lo += width {
		m := min(width, n-lo)
		some := rows[lo*d : (lo+m)*d]
		packNarrow(at, tile, some, shift, width)
		squaredDistancesColumns(at, norm[:width], s.zeros, tile, width)
		s.scan(w.narrow, tile)
		s.settle(wide, w, norm[:m], some, shift, nil, label[lo:lo+m], part(gap, lo, m))
	}
}

func part[T any](s []T, lo, m int) []T {
	if s == nil {
		return nil
	}
	return s[lo : lo+m]
}

// scan computes the float32 scores of a tile.
func (s *screen) scan(w *Workspace[float32], tile []float32) {
	width := s.narrow.at.tile(true)
	w.reset(width)
	s.narrow.scan(w, tile, width, true)
}

// settle takes the labels of a tile's rows from its float32 scores, which w.narrow holds, or where
// they cannot distinguish from the row itself: row i of the tile is row i of rows, or row index[i].
func (s *screen) settle(wide *Centroids[float64], w *Workspace[float64], norm []float32, rows,
	shift []float64, index, label []int32, gap []float32) {
	// Both scores err in both types.
	least := 2 * (s.narrow.error.least + wide.error.at(s.offset))
	slope := 2 * (s.narrow.error.slope + wide.error.slope)
	slope *= slope
	n := w.narrow
	bests, seconds, winners, label := n.best[:len(norm)], n.second[:len(norm)], n.index[:len(norm)],
		label[:len(norm)]
	var open [maxTile]int32 // rows of the tile that float32 cannot decide
	left := 0
	for i, v := range norm {
		best, second, square := float64(bests[i]), float64(seconds[i]), float64(v)
		apart := second - best - least
		if apart > 0 && float64(apart*apart) > slope*square && square < s.largest {
			label[i] = winners[i]
			if gap != nil {
				gap[i] = s.narrow.error.gap(best, second, square)
			}
			continue
		}
		open[left] = int32(i)
		left++
	}
	if left > 0 {
		s.reopen(wide, w, open[:left], rows, shift, index, label, gap)
	}
}

// reopen settles the open rows of a tile in float64: one by one, or side by side when they are
// enough to fill a vector.
func (s *screen) reopen(wide *Centroids[float64], w *Workspace[float64], open []int32, rows,
	shift []float64, index, label []int32, gap []float32) {
	d := s.narrow.d
	at := func(i int32) []float64 {
		if index != nil {
			i = index[i]
		}
		return rows[int(i)*d:][:d]
	}
	many := len(open) > vectorLanes[float64](s.narrow.at)
	var found [maxTile]int32
	var bests, seconds [maxTile]float64
	if many {
		w.rows = w.rows[:0]
		for _, i := range open {
			w.rows = append(w.rows, at(i)...)
		}
		m := len(open)
		wide.Nearest(w, w.rows, shift, found[:m], bests[:m], seconds[:m])
	}
	for q, i := range open {
		if !many || gap != nil {
			for j, v := range at(i) {
				w.row[j] = v - shift[j]
			}
		}
		if !many {
			found[q], bests[q], seconds[q] = s.exact(w.row[:d], w.scores, s.narrow.k)
		}
		label[i] = found[q]
		if gap != nil {
			gap[i] = wide.error.gap(bests[q], seconds[q], 2*halfSquaredNorm(w.row[:d]))
		}
	}
}

// exact computes the float64 scores of one row, less the shift, and returns the lowest two.
func (s *screen) exact(row, scores []float64, k int) (label int32, best, second float64) {
	width := vectorLanes[float64](s.narrow.at)
	chunk := max(1, callWork/len(row)/width) * width
	for lo := 0; lo < s.stride; lo += chunk {
		hi := min(s.stride, lo+chunk)
		scoreColumns(s.narrow.at, scores[lo:hi], row, s.columns[lo:], s.half[lo:], s.stride)
	}
	best, second = math.Inf(1), math.Inf(1)
	for c, v := range scores[:k] {
		switch {
		case v < best:
			best, second, label = v, best, int32(c)
		case v < second:
			second = v
		}
	}
	return label, best, second
}

// packNarrow is packTile for rows to be rounded to float32.
func packNarrow(at level, tile []float32, rows, shift []float64, width int) {
	d := len(shift)
	n := len(rows) / d
	from := 0
	if at != portable && n == width {
		from = narrowVectors(tile, rows, shift, width)
	}
	for i := range width {
		row := rows[min(i, n-1)*d:][:d]
		for j := from; j < d; j++ {
			tile[j*width+i] = float32(row[j] - shift[j])
		}
	}
}
