package simd

import "math"

// Centroids is a set of k centroids made ready for [Centroids.Nearest]. It is read-only once made,
// so goroutines may share it.
type Centroids[T Float] struct {
	k, d   int
	at     level
	half   []T // ½‖c‖² of each
	groups []T // centroids in groups: each group holds its coordinates one after the other
	error  scoreError
	screen *screen // for Labels; nil if there is none
}

// NewCentroids lays out the k = len(rows)/d centroids of rows (row-major, d ≥ 1 values each), which
// it copies.
func NewCentroids[T Float](rows []T, d int) *Centroids[T] { return newCentroids(active, rows, d) }

func newCentroids[T Float](at level, rows []T, d int) *Centroids[T] {
	k := len(rows) / d
	c := &Centroids[T]{k: k, d: d, at: at, half: make([]T, k), groups: make([]T, 0, k*d)}
	for i := range k {
		c.half[i] = halfSquaredNorm(rows[i*d : (i+1)*d])
	}
	for first := 0; first < k; {
		size := at.group(k - first)
		for j := range d {
			for i := first; i < first+size; i++ {
				c.groups = append(c.groups, rows[i*d+j])
			}
		}
		first += size
	}
	reach := T(0)
	for _, h := range c.half {
		reach = max(reach, h)
	}
	c.error = newScoreError[T](d, float64(reach))
	if !isSingle[T]() {
		c.screen = newScreen(any(c).(*Centroids[float64]), any(rows).([]float64))
	}
	return c
}

// halfSquaredNorm returns ½‖x‖², in one chain:
//
//	s := 0
//	for _, v := range x {
//		s = fma(v, v, s)
//	}
//	return s / 2
func halfSquaredNorm[T Float](x []T) T {
	var s T
	for _, v := range x {
		s = fma(v, v, s)
	}
	return s / 2
}

// Workspace is scratch memory for [Centroids.Nearest] and [Centroids.Labels], grown as needed. The
// zero value is ready; goroutines need one each.
type Workspace[T Float] struct {
	tile   []T
	best   [maxTile]T
	second [maxTile]T
	index  [maxTile]int32

	// For Labels.
	scored []T
	narrow *Workspace[float32]
	row    []T
	rows   []T
	scores []float64
}

// reset readies a tile of width rows for its first centroid.
func (w *Workspace[T]) reset(width int) {
	inf := T(math.Inf(1))
	best, second := w.best[:width], w.second[:width]
	for i := range best {
		best[i] = inf
	}
	copy(second, best)
	clear(w.index[:width])
}

// maxTile is the greatest number of rows in a tile: three vectors of 16 float32.
const maxTile = 48

// Nearest finds the nearest centroid of each row of rows, a row-major matrix of len(label) rows. It
// sets label[i] to the centroid with the lowest score and best[i] to that score, and, unless second
// is nil, second[i] to the lowest score among the other centroids (+Inf when there is only one).
// The lowest index wins among equal scores.
//
// The score of x at c is ½‖c‖² − (x−shift)·c, which is ½‖x−shift−c‖² less a term that is the same
// for all c. The centroids are given relative to shift too; a shift near the data keeps the digits
// that the score would lose far from the origin. Neither may be so large that a score overflows.
//
//	for i := range label {
//		label[i], best[i], second[i] = 0, Inf, Inf
//		for c := range k {
//			s := half[c]
//			for j := range d {
//				s = fma(-(rows[i*d+j] - shift[j]), centroid[c*d+j], s)
//			}
//			other := s
//			if s < best[i] {
//				other, best[i], label[i] = best[i], s, c
//			}
//			if other < second[i] {
//				second[i] = other
//			}
//		}
//	}
func (c *Centroids[T]) Nearest(w *Workspace[T], rows, shift []T, label []int32, best, second []T) {
	n, d := len(label), c.d
	rows, shift, best = rows[:n*d], shift[:d], best[:n]
	if second != nil {
		second = second[:n]
	}
	width := c.at.tile(isSingle[T]())
	if len(w.tile) < width*d {
		w.tile = make([]T, width*d)
	}
	for lo := 0; lo < n; lo += width {
		m := min(width, n-lo)
		packTile(c.at, w.tile, rows[lo*d:(lo+m)*d], shift, width)
		w.reset(width)
		c.scan(w, w.tile, width, second != nil)
		copy(best[lo:lo+m], w.best[:])
		copy(label[lo:lo+m], w.index[:])
		if second != nil {
			copy(second[lo:lo+m], w.second[:])
		}
	}
}

// scan takes a tile, width columns of d coordinates, past all centroids.
func (c *Centroids[T]) scan(w *Workspace[T], tile []T, width int, second bool) {
	if c.at == portable {
		c.scanPortable(w, tile, width)
		return
	}
	// A whole number of the largest groups a call.
	chunk := max(1, callWork/(c.d*width*c.at.group(c.k))) * c.at.group(c.k)
	for first := 0; first < c.k; first += chunk {
		m := min(chunk, c.k-first)
		scanTile(c.at, w, tile, c.groups[first*c.d:(first+m)*c.d], c.half[first:first+m], c.d,
			first, second)
	}
}

func (c *Centroids[T]) scanPortable(w *Workspace[T], tile []T, width int) {
	d := c.d
	var x [4]T
	for i := range width {
		best, second, index := w.best[i], w.second[i], w.index[i]
		for first := 0; first < c.k; {
			size := portable.group(c.k - first)
			group := c.groups[first*d : (first+size)*d]
			copy(x[:], c.half[first:first+size])
			if size == 4 { // four chains at once keep the multiplier busy
				fourChains(&x, tile[i:], width, group)
			} else {
				for j := range d {
					x[0] = fma(-tile[j*width+i], group[j], x[0])
				}
			}
			for q, s := range x[:size] {
				other := s
				if s < best {
					other, best, index = best, s, int32(first+q)
				}
				if other < second {
					second = other
				}
			}
			first += size
		}
		w.best[i], w.second[i], w.index[i] = best, second, index
	}
}

// fourChains takes a point, whose coordinates lie width apart, past a group of four centroids.
func fourChains[T Float](score *[4]T, point []T, width int, group []T) {
	s0, s1, s2, s3 := score[0], score[1], score[2], score[3]
	// math.FMA itself is one instruction, fma is a call
	if double, ok := any(point).([]float64); ok {
		a0, a1, a2, a3 := float64(s0), float64(s1), float64(s2), float64(s3)
		group := any(group).([]float64)
		for at := 0; len(group) >= 4; at += width {
			v := -double[at]
			a0, a1 = math.FMA(v, group[0], a0), math.FMA(v, group[1], a1)
			a2, a3 = math.FMA(v, group[2], a2), math.FMA(v, group[3], a3)
			group = group[4:]
		}
		*score = [4]T{T(a0), T(a1), T(a2), T(a3)}
		return
	}
	for at := 0; len(group) >= 4; at += width {
		v := -point[at]
		s0, s1, s2, s3 = fma(v, group[0], s0), fma(v, group[1], s1), fma(v, group[2], s2),
			fma(v, group[3], s3)
		group = group[4:]
	}
	*score = [4]T{s0, s1, s2, s3}
}

// tile returns the number of rows that a level handles at once.
func (l level) tile(single bool) int {
	switch {
	case l == portable:
		return 4
	case single:
		return 3 * vectorLanes[float32](l)
	default:
		return 3 * vectorLanes[float64](l)
	}
}

// group returns the number of centroids in the next group when left remain.
func (l level) group(left int) int {
	switch {
	case l == avx512 && left >= 8:
		return 8
	case left >= 4:
		return 4
	case l != portable && left >= 2:
		return 2
	default:
		return 1
	}
}

// packTile sets tile[j*width+i] to rows[i*d+j] - shift[j]. Columns past the last row repeat it.
func packTile[T Float](at level, tile, rows, shift []T, width int) {
	d := len(shift)
	n := len(rows) / d
	from := 0
	if at != portable && n == width {
		from = packVectors(tile, rows, shift, width)
	}
	for i := range width {
		row := rows[min(i, n-1)*d:][:d]
		for j := from; j < d; j++ {
			tile[j*width+i] = row[j] - shift[j]
		}
	}
}
