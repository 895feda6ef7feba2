package simd

import "math"

// screen finds labels of float64 rows with float32 arithmetic, twice as fast, where its error cannot
// change them, and in float64 elsewhere: the labels are always those of [Centroids.Nearest].
//
// With u the unit roundoff and m = d + 3, a score computed from operands rounded to the same type is
// within E = m·u/(1−m·u)·(½‖c‖² + ‖x‖·‖c‖) of the true one (Higham 2002, lemma 3.1: each of the
// terms meets at most m roundings). If the two best float32 scores lie further apart than the errors of
// both in both types, the float64 scores are in the same order.
type screen struct {
	narrow  *Centroids[float32]
	columns []float64 // the centroids, coordinate j of centroid c at j·stride + c
	half    []float64 // as long as stride
	stride  int
	zeros   []float32 // d of them

	least   float64 // the gap needed is least + slope·‖x‖
	slope   float64
	largest float64 // ‖x‖² at which float32 may overflow
}

// newScreen gives nil where screening is of no use: without assembly, with a single centroid, or where
// float32 would overflow.
func newScreen(c *Centroids[float64], rows []float64) *screen {
	if c.at == portable || c.k < 2 || c.d > 1<<20 {
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
	single := make([]float32, len(rows))
	for i, v := range rows {
		single[i] = float32(v)
	}
	s.narrow = newCentroids(c.at, single, c.d)
	for i, h := range c.half {
		s.narrow.half[i] = float32(h)
	}
	s.half = make([]float64, s.stride)
	copy(s.half, c.half)
	s.columns = make([]float64, s.stride*c.d)
	for i := range c.k {
		for j := range c.d {
			s.columns[j*s.stride+i] = rows[i*c.d+j]
		}
	}
	// Both scores err in both types; 1.01 covers the rounding of these lines, of ‖x‖ and of the gap, and
	// the float64 unit roundoff. Underflow adds at most 2⁻¹⁴⁹ to each rounding, times the other operand.
	const u, tiny = 0x1p-24, 0x1p-148
	m := float64(c.d + 3)
	gamma := m * u / (1 - m*u)
	norm := math.Sqrt(2 * reach)
	s.least = 1.01 * 2 * (gamma*reach + m*tiny*(1+norm))
	s.slope = 1.01 * 2 * (gamma*norm + m*tiny)
	s.largest = 0x1p100
	return s
}

// Labels sets label[i] to the centroid nearest to row i of rows: what [Centroids.Nearest] would set
// it to, at about twice the speed for float64.
func (c *Centroids[T]) Labels(w *Workspace[T], rows, shift []T, label []int32) {
	if s := c.screen; s != nil {
		if w.narrow == nil {
			w.narrow = new(Workspace[float32])
		}
		if len(w.row) < c.d || len(w.scores) < s.stride {
			w.row, w.scores = make([]float64, c.d), make([]float64, s.stride)
		}
		// Only float64 has a screen.
		s.labels(w.narrow, any(rows).([]float64), any(shift).([]float64), w.row[:c.d], w.scores, label)
		return
	}
	c.Nearest(w, rows, shift, label, w.spare(len(label)), nil)
}

func (w *Workspace[T]) spare(n int) []T {
	if len(w.scored) < n {
		w.scored = make([]T, n)
	}
	return w.scored[:n]
}

func (s *screen) labels(w *Workspace[float32], rows, shift, row, scores []float64, label []int32) {
	at, d, k := s.narrow.at, s.narrow.d, s.narrow.k
	width := at.tile(true)
	if len(w.tile) < width*d {
		w.tile = make([]float32, width*d)
	}
	var norm [maxTile]float32
	n := len(label)
	for lo := 0; lo < n; lo += width {
		m := min(width, n-lo)
		packNarrow(w.tile, rows[lo*d:(lo+m)*d], shift, width)
		squaredDistancesColumns(at, norm[:width], s.zeros, w.tile, width)
		w.reset(width)
		s.narrow.scan(w, width, true)
		for i := range m {
			square := float64(norm[i])
			gap := float64(w.second[i]) - float64(w.best[i]) - s.least
			if gap > 0 && float64(gap*gap) > s.slope*s.slope*square && square < s.largest {
				label[lo+i] = w.index[i]
				continue
			}
			for j, v := range rows[(lo+i)*d : (lo+i+1)*d] {
				row[j] = v - shift[j]
			}
			label[lo+i] = s.exact(row, scores, k)
		}
	}
}

// exact computes the float64 scores of one row, less the shift, and gives the lowest.
func (s *screen) exact(row, scores []float64, k int) int32 {
	width := vectorLanes[float64](s.narrow.at)
	chunk := max(1, callWork/len(row)/width) * width
	for lo := 0; lo < s.stride; lo += chunk {
		hi := min(s.stride, lo+chunk)
		scoreColumns(s.narrow.at, scores[lo:hi], row, s.columns[lo:], s.half[lo:], s.stride)
	}
	best, label := math.Inf(1), 0
	for c, v := range scores[:k] {
		if v < best {
			best, label = v, c
		}
	}
	return int32(label)
}

// packNarrow is packTile for rows to be rounded to float32.
func packNarrow(tile []float32, rows, shift []float64, width int) {
	d := len(shift)
	n := len(rows) / d
	from := 0
	if n == width {
		from = narrowVectors(tile, rows, shift, width)
	}
	for i := range width {
		row := rows[min(i, n-1)*d:][:d]
		for j := from; j < d; j++ {
			tile[j*width+i] = float32(row[j] - shift[j])
		}
	}
}
