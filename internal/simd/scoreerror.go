package simd

import "math"

// scoreError bounds the error of scores: least + slope·‖x‖, x being the row less the shift.
//
// With u the unit roundoff, a score computed from operands rounded to the same type is within
// m·u/(1−m·u)·(½‖c‖² + ‖x‖·‖c‖) of the true one if each of its terms meets at most m roundings
// (Higham 2002, lemma 3.1). A term of ½‖c‖² meets most, 2d + 2: that of c, for either factor, d in
// the sum of squares, and d more as the start of the score. A product x·c meets d + 3: the
// difference from the shift, that of x and of c, and d in the score. m = 2d + 6 leaves some for the
// norms measured in the same type. Underflow adds at most the least number of the type to each
// rounding, times the other operand, and hides norms below the root of that.
type scoreError struct {
	least, slope float64
	relative     float64 // of ‖x‖²
}

// newScoreError takes the greatest ½‖c‖².
func newScoreError[T Float](d int, half float64) scoreError {
	u, tiny := 0x1p-53, math.SmallestNonzeroFloat64
	if isSingle[T]() {
		u, tiny = 0x1p-24, 0x1p-148
	}
	m := float64(2*d + 6)
	gamma := math.Inf(1) // no bound
	if m*u < 1 {
		gamma = m * u / (1 - m*u)
	}
	norm := math.Sqrt(2 * half)
	// 1.01 covers the rounding of these lines and of those that use them.
	slope := 1.01 * (gamma*norm + m*tiny)
	return scoreError{
		least:    1.01*(gamma*half+m*tiny*(1+norm)) + slope*math.Sqrt(m*tiny),
		slope:    slope,
		relative: 1.01 * (2*gamma + 2*u),
	}
}

// at bounds the error of the scores of rows of at most the given norm.
func (e scoreError) at(norm float64) float64 { return e.least + e.slope*norm }

// gap returns a lower bound, unless 0, on the difference of two distances, from the scores of both
// and ‖x‖².
func (e scoreError) gap(best, second, square float64) float32 {
	if math.IsInf(second, 1) {
		return float32(math.Inf(1))
	}
	off := 2*e.at(math.Sqrt(square)) + e.relative*square
	near := math.Sqrt(max(0, 2*best+square+off))
	far := math.Sqrt(max(0, 2*second+square-off))
	return LowerGap(far - near - 0x1p-22*(far+near)) // less the rounding of these lines
}

// LowerGap returns a float32 that is no more than the gap g: 0, which bounds nothing, where float32
// would lose digits or g is below 0; its greatest number where it would overflow. +Inf, the gap of
// rows with a single centroid, stays.
func LowerGap(g float64) float32 {
	switch {
	case !(g >= 0x1p-126):
		return 0
	case g > math.MaxFloat32 && !math.IsInf(g, 1):
		return math.MaxFloat32
	}
	return float32(g * (1 - 0x1p-22))
}

// SafeGap returns the gap between distances above which the order of two scores is right, for rows
// no further than norm from the shift: a difference g of distances is one of at least g²/2 between
// true scores.
func (c *Centroids[T]) SafeGap(norm float64) float64 { return 2.01 * math.Sqrt(c.error.at(norm)) }
