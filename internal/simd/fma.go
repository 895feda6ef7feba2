package simd

import (
	"math"
	"unsafe"
)

// isSingle reports whether T is float32; the compiler knows the answer.
func isSingle[T Float]() bool {
	var z T
	return unsafe.Sizeof(z) == 4
}

// fma returns x·y + z rounded once to T.
func fma[T Float](x, y, z T) T {
	if isSingle[T]() {
		return T(fma32(float32(x), float32(y), float32(z)))
	}
	return T(math.FMA(float64(x), float64(y), float64(z)))
}

// fma32 returns x·y + z rounded once to float32.
//
// The product of two float32 is exact in float64 (48 bits). The sum is not, and rounding it to
// float64 and then to float32 errs where the first rounding lands on the midpoint of two float32.
// Rounding the first time to odd instead leaves the mark of what was lost in the last bit, and the
// second rounding is then right (Boldo and Melquiond 2008, theorem 3: 53 ≥ 24 + 2 bits).
//
// Compilers that fuse p + c and the like change nothing here or in toOdd: p is exact.
func fma32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	if midpoint(s) {
		s = toOdd(p, c, s)
	}
	return float32(s)
}

// midpoint reports whether s is the midpoint of two float32: it has 25 bits, the last of them 1, or,
// where float32 is subnormal, fewer. Some that are subnormal and no midpoint are reported, too.
func midpoint(s float64) bool {
	b := math.Float64bits(s)
	return b<<36 == 0 && (b<<35 != 0 || b<<1-1 < 897<<53-1)
}

// toOdd returns s = p + c, rounded and even, or, where it is not exact, its odd neighbour on the
// side of the exact sum.
func toOdd(p, c, s float64) float64 {
	// What the sum lost, exactly (Knuth's two-sum).
	t := s - p
	lost := (p - (s - t)) + (c - t)
	bits := math.Float64bits(s)
	switch {
	case lost == 0:
		return s
	case (lost > 0) == (s > 0):
		return math.Float64frombits(bits + 1)
	default:
		return math.Float64frombits(bits - 1)
	}
}
