//go:build amd64 && !purego

package simd

import (
	"math"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// active is the implementation in use.
var active = detect()

func detect() level {
	switch {
	case !cpu.X86.HasAVX2 || !cpu.X86.HasFMA:
		return portable
	case !cpu.X86.HasAVX512F:
		return avx2
	default:
		return avx512
	}
}

// The pointers below are to the first element of slices whose lengths the caller has checked; each
// function picks the kernel for T.

func p64[T Float](s []T) *float64 { return (*float64)(unsafe.Pointer(unsafe.SliceData(s))) }
func p32[T Float](s []T) *float32 { return (*float32)(unsafe.Pointer(unsafe.SliceData(s))) }

func squaredRows[T Float](at level, dst, x, rows []T) {
	if isSingle[T]() {
		squaredRowsF32AVX2(p32(dst), p32(x), p32(rows), len(dst), len(x))
	} else {
		squaredRowsF64AVX2(p64(dst), p64(x), p64(rows), len(dst), len(x))
	}
}

func squaredRowsAt[T Float](dst, x, rows []T, at []int32) {
	if isSingle[T]() {
		squaredRowsAtF32AVX2(p32(dst), p32(x), p32(rows), &at[0], len(dst), len(x))
	} else {
		squaredRowsAtF64AVX2(p64(dst), p64(x), p64(rows), &at[0], len(dst), len(x))
	}
}

func squaredColumns[T Float](at level, dst, x, cols []T, stride int) {
	n, d := len(dst), len(x)
	switch single := isSingle[T](); {
	case single && at == avx512:
		squaredColumnsF32AVX512(p32(dst), p32(x), p32(cols), n, d, stride)
	case single:
		squaredColumnsF32AVX2(p32(dst), p32(x), p32(cols), n, d, stride)
	case at == avx512:
		squaredColumnsF64AVX512(p64(dst), p64(x), p64(cols), n, d, stride)
	default:
		squaredColumnsF64AVX2(p64(dst), p64(x), p64(cols), n, d, stride)
	}
}

// packVectors packs width rows as far as whole vectors go, and returns the first coordinate left.
func packVectors[T Float](tile, rows, shift []T, width int) int {
	d := len(shift)
	if isSingle[T]() {
		if d >= 8 {
			packF32AVX2(p32(tile), p32(rows), p32(shift), d, width)
		}
		return d &^ 7
	}
	if d >= 4 {
		packF64AVX2(p64(tile), p64(rows), p64(shift), d, width)
	}
	return d &^ 3
}

// narrowVectors is packVectors for float64 rows and a float32 tile.
func narrowVectors(tile []float32, rows, shift []float64, width int) int {
	d := len(shift)
	if d >= 8 {
		packNarrowAVX2(&tile[0], &rows[0], &shift[0], d, width)
	}
	return d &^ 7
}

// scoreColumns sets dst[i] to half[i] − x·(column i), a whole number of vectors of them.
func scoreColumns(at level, dst, x, cols, half []float64, stride int) {
	if at == avx512 {
		scoreColumnsF64AVX512(&dst[0], &x[0], &cols[0], &half[0], len(dst), len(x), stride)
	} else {
		scoreColumnsF64AVX2(&dst[0], &x[0], &cols[0], &half[0], len(dst), len(x), stride)
	}
}

func accumulateRows[T Float](sums []float64, rows, shift []T, label []int32) {
	if isSingle[T]() {
		accumulateF32AVX2(&sums[0], p32(rows), p32(shift), &label[0], len(label), len(shift))
	} else {
		accumulateF64AVX2(&sums[0], p64(rows), p64(shift), &label[0], len(label), len(shift))
	}
}

func moveRows[T Float](sums []float64, rows, shift []T, index, from, to []int32) {
	if isSingle[T]() {
		moveF32AVX2(&sums[0], p32(rows), p32(shift), &index[0], &from[0], &to[0], len(index),
			len(shift))
	} else {
		moveF64AVX2(&sums[0], p64(rows), p64(shift), &index[0], &from[0], &to[0], len(index),
			len(shift))
	}
}

func scanTile[T Float](at level, w *Workspace[T], tile, groups, half []T, d, first int,
	second bool) {
	k := len(half)
	best, next, index := w.best[:], w.second[:], &w.index[0]
	if isSingle[T]() {
		switch {
		case at == avx512 && second:
			nearestTwoF32AVX512(p32(tile), p32(groups), p32(half), d, k, first, p32(best),
				p32(next), index)
		case at == avx512:
			nearestF32AVX512(p32(tile), p32(groups), p32(half), d, k, first, p32(best), index)
		case second:
			nearestTwoF32AVX2(p32(tile), p32(groups), p32(half), d, k, first, p32(best), p32(next),
				index)
		default:
			nearestF32AVX2(p32(tile), p32(groups), p32(half), d, k, first, p32(best), index)
		}
		return
	}
	switch {
	case at == avx512 && second:
		nearestTwoF64AVX512(p64(tile), p64(groups), p64(half), d, k, first, p64(best), p64(next),
			index)
	case at == avx512:
		nearestF64AVX512(p64(tile), p64(groups), p64(half), d, k, first, p64(best), index)
	case second:
		nearestTwoF64AVX2(p64(tile), p64(groups), p64(half), d, k, first, p64(best), p64(next),
			index)
	default:
		nearestF64AVX2(p64(tile), p64(groups), p64(half), d, k, first, p64(best), index)
	}
}

func momentsFew[T Float](acc []float64, cols []T, stride, f int, at []int32, d []float32,
	dAt []int) {
	if isSingle[T]() {
		momentsFewF32AVX512(&acc[0], p32(cols), stride, f, &at[0], &d[0], &dAt[0], len(at))
	} else {
		momentsFewF64AVX512(&acc[0], p64(cols), stride, f, &at[0], &d[0], &dAt[0], len(at))
	}
}

func momentsCorner[T Float](l level, s square, sum, weighted, total []float64, cols []T, stride int,
	at []int32, d []float32, dAt []int) {
	switch single := isSingle[T](); {
	case single && l == avx512:
		momentsCornerF32AVX512(&s.acc[0], s.step, &sum[0], &weighted[0], &total[0],
			p32(cols), stride, &at[0], &d[0], &dAt[0], len(at), s.size, &s.columns[0], s.term)
	case single:
		momentsCornerF32AVX2(&s.acc[0], s.step, &sum[0], &weighted[0], &total[0],
			p32(cols), stride, &at[0], &d[0], &dAt[0], len(at), s.size, &s.columns[0], s.term)
	case l == avx512:
		momentsCornerF64AVX512(&s.acc[0], s.step, &sum[0], &weighted[0], &total[0],
			p64(cols), stride, &at[0], &d[0], &dAt[0], len(at), s.size, &s.columns[0], s.term)
	default:
		momentsCornerF64AVX2(&s.acc[0], s.step, &sum[0], &weighted[0], &total[0],
			p64(cols), stride, &at[0], &d[0], &dAt[0], len(at), s.size, &s.columns[0], s.term)
	}
}

func momentsSquare(l level, s square, columns []float64, n int) {
	if l == avx512 {
		momentsSquareAVX512(&s.acc[0], s.step, &s.columns[0], &columns[0], s.term, n, s.size)
	} else {
		momentsSquareAVX2(&s.acc[0], s.step, &s.columns[0], &columns[0], s.term, n, s.size)
	}
}

// addProducts adds to the lanes of some rows, as many as a tile has, and c columns, for n values of
// each.
func addProducts(l level, lanes []productLanes, rows *[4]*float32, cols []float64, stride, c,
	n int) {
	if l == avx512 {
		productsAVX512(&lanes[0][0], rows[0], rows[1], rows[2], rows[3], &cols[0], stride, c, n)
	} else {
		productsAVX2(&lanes[0][0], rows[0], rows[1], &cols[0], stride, c, n)
	}
}

// saturateVectors is for a whole number of vectors.
func saturateVectors(l level, dst, d []float32, gamma float64) {
	if l == avx512 {
		saturateAVX512(&dst[0], &d[0], gamma, len(d))
	} else {
		saturateAVX2(&dst[0], &d[0], gamma, len(d))
	}
}

// rootsVectors is for a whole number of vectors, sumRootsVectors for a multiple of 8 values.
func rootsVectors(l level, dst []float32, squares []float64) {
	if l == avx512 {
		rootsAVX512(&dst[0], &squares[0], len(squares))
	} else {
		rootsAVX2(&dst[0], &squares[0], len(squares))
	}
}

func sumRootsVectors(l level, sum *RootSum, squares, weights []float64) {
	if l == avx512 {
		sumRootsAVX512(&sum.high[0], &sum.low[0], &squares[0], &weights[0], len(squares))
	} else {
		sumRootsAVX2(&sum.high[0], &sum.low[0], &squares[0], &weights[0], len(squares))
	}
}

// paddedDistances computes those to whole groups of rows, as many as a vector has lanes.
func paddedDistances(l level, dst, x, rows []float64) {
	if l == avx512 {
		paddedDistancesAVX512(&dst[0], &x[0], &rows[0], len(dst)/8, len(x))
	} else {
		paddedDistancesAVX2(&dst[0], &x[0], &rows[0], len(dst)/4, len(x))
	}
}

func paddedToward(l level, row, x []float64, rate float64) {
	if l == avx512 {
		paddedTowardAVX512(&row[0], &x[0], len(x), rate)
	} else {
		paddedTowardAVX2(&row[0], &x[0], len(x), rate)
	}
}

// The next four are of AVX2 at both levels.
func firstWithinVectors(x, reach []float32, steps int) (left int) {
	return firstWithinAVX2(&x[0], &reach[0], steps)
}

func firstAtMostVectors(x []float32, steps int, limit float32) (left int) {
	return firstAtMostAVX2(&x[0], steps, limit)
}

func raiseVectors(dst, x []float32, steps int) { raiseAVX2(&dst[0], &x[0], steps) }

func blendVectors(dst, x []float32, steps int, p, q float64) {
	blendAVX2(&dst[0], &x[0], steps, p, q, math.MaxFloat32)
}

func withinVectors(x []float64, steps int, limit float64) bool {
	return withinAVX2(&x[0], steps, limit)
}

// nearVectors takes a tile past groups.
func nearVectors(l level, low []float32, mask []uint64, tile, half, boundX, groups, halves,
	bound []float32, d int) {
	if l == avx512 {
		nearAVX512(&low[0], &mask[0], &tile[0], &half[0], &boundX[0], &groups[0], &halves[0],
			&bound[0], d, len(halves))
	} else {
		nearAVX2(&low[0], &mask[0], &tile[0], &half[0], &boundX[0], &groups[0], &halves[0],
			&bound[0], d, len(halves))
	}
}

// multiplyVectors takes m rows past one tile of columns.
func multiplyVectors(l level, out, rows, tile, start []float32, m, k, to, stride int) {
	if l == avx512 {
		multiplyAVX512(&out[0], &rows[0], &tile[0], &start[0], m, k, to, stride)
	} else {
		multiplyAVX2(&out[0], &rows[0], &tile[0], &start[0], m, k, to, stride)
	}
}

// geluVectors and expVectors are for a whole number of vectors.
func geluVectors(l level, x []float32) {
	if l == avx512 {
		geluAVX512(&x[0], len(x))
	} else {
		geluAVX2(&x[0], len(x))
	}
}

func expVectors(l level, x []float32, shift float32) {
	if l == avx512 {
		expsAVX512(&x[0], len(x), shift)
	} else {
		expsAVX2(&x[0], len(x), shift)
	}
}
