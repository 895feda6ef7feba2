package simd

// SquaredDistance returns the squared Euclidean distance of two vectors of equal length:
//
//	var lane [16]T // 8 of them for float64
//	for j := range x {
//		t := x[j] - y[j]
//		l := j % len(lane)
//		lane[l] = fma(t, t, lane[l])
//	}
//	for w := len(lane) / 2; w > 0; w /= 2 {
//		for l := range w {
//			lane[l] += lane[l+w]
//		}
//	}
//	return lane[0]
func SquaredDistance[T Float](x, y []T) T {
	var out [1]T
	squaredDistances(active, out[:], x, y[:len(x)])
	return out[0]
}

// SquaredDistances sets dst[i] to the squared distance of x to row i of rows, for each element of
// dst. Rows are as long as x and contiguous:
//
//	for i := range dst {
//		dst[i] = SquaredDistance(x, rows[i*len(x):(i+1)*len(x)])
//	}
func SquaredDistances[T Float](dst, x, rows []T) { squaredDistances(active, dst, x, rows) }

func squaredDistances[T Float](at level, dst, x, rows []T) {
	n, d := len(dst), len(x)
	if n == 0 {
		return
	}
	if d == 0 {
		clear(dst)
		return
	}
	rows = rows[:n*d]
	if at == portable {
		for i := range dst {
			dst[i] = squaredPortable(x, rows[i*d:(i+1)*d])
		}
		return
	}
	chunk := max(1, callWork/d)
	for lo := 0; lo < n; lo += chunk {
		hi := min(n, lo+chunk)
		squaredRows(at, dst[lo:hi], x, rows[lo*d:hi*d])
	}
}

// SquaredDistancesAt sets dst[i] to the squared distance of x to row at[i] of rows, for each
// element of dst. Rows are as long as x and contiguous:
//
//	for i := range dst {
//		dst[i] = SquaredDistance(x, rows[int(at[i])*len(x):][:len(x)])
//	}
//
// It panics when a row is not there.
func SquaredDistancesAt[T Float](dst, x, rows []T, at []int32) {
	squaredDistancesAt(active, dst, x, rows, at)
}

func squaredDistancesAt[T Float](l level, dst, x, rows []T, at []int32) {
	n, d := len(dst), len(x)
	at = at[:n]
	if n == 0 {
		return
	}
	if d == 0 {
		clear(dst)
		return
	}
	last := uint(0) // as unsigned numbers those below 0 are the greatest
	for _, i := range at {
		last = max(last, uint(i))
	}
	if last >= uint(len(rows)/d) {
		panic("simd: row out of range")
	}
	if l == portable {
		for i, q := range at {
			dst[i] = squaredPortable(x, rows[int(q)*d:][:d])
		}
		return
	}
	chunk := max(1, callWork/d)
	for lo := 0; lo < n; lo += chunk {
		hi := min(n, lo+chunk)
		squaredRowsAt(dst[lo:hi], x, rows, at[lo:hi])
	}
}

func squaredPortable[T Float](x, y []T) T {
	var store [16]T
	lane := store[:]
	if !isSingle[T]() {
		lane = store[:8]
	}
	y = y[:len(x)]
	for j, v := range x {
		t := v - y[j]
		l := j & (len(lane) - 1)
		lane[l] = fma(t, t, lane[l])
	}
	for w := len(lane) / 2; w > 0; w /= 2 {
		for l := range w {
			lane[l] += lane[l+w]
		}
	}
	return lane[0]
}

// SquaredDistancesColumns sets dst[i] to the squared distance of x to column i of cols, for each
// element of dst. Coordinate j of column i is cols[j*stride+i], so stride ≥ len(dst):
//
//	for i := range dst {
//		dst[i] = 0
//		for j := range x {
//			t := x[j] - cols[j*stride+i]
//			dst[i] = fma(t, t, dst[i])
//		}
//	}
func SquaredDistancesColumns[T Float](dst, x, cols []T, stride int) {
	squaredDistancesColumns(active, dst, x, cols, stride)
}

func squaredDistancesColumns[T Float](at level, dst, x, cols []T, stride int) {
	n, d := len(dst), len(x)
	if n == 0 {
		return
	}
	if d == 0 {
		clear(dst)
		return
	}
	_ = cols[(d-1)*stride+n-1]
	width := n + 1
	if at != portable {
		width = vectorLanes[T](at)
	}
	switch {
	case n >= width:
		whole := n - n%width
		chunk := max(1, callWork/d/width) * width
		for lo := 0; lo < whole; lo += chunk {
			squaredColumns(at, dst[lo:min(whole, lo+chunk)], x, cols[lo:], stride)
		}
		if whole < n { // the last vector overlaps the one before, with the same result
			squaredColumns(at, dst[n-width:], x, cols[n-width:], stride)
		}
	case at == avx512:
		squaredDistancesColumns(avx2, dst, x, cols, stride)
	default:
		for i := range dst {
			var s T
			for j, v := range x {
				t := v - cols[j*stride+i]
				s = fma(t, t, s)
			}
			dst[i] = s
		}
	}
}

// callWork bounds the multiply-adds in one call of assembly, which the scheduler cannot interrupt,
// to some tens of microseconds for rows of up to about ten thousand values.
const callWork = 1 << 17

// vectorLanes returns the number of values of T in a vector at a level with assembly.
func vectorLanes[T Float](at level) int {
	n := 4
	if at == avx512 {
		n = 8
	}
	if isSingle[T]() {
		n *= 2
	}
	return n
}
