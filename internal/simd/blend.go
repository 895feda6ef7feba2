package simd

import "math"

// Raise sets each value of dst to that of x where this is greater. No value is below 0, nor NaN; x
// has as many as dst.
//
//	for i, v := range x {
//		dst[i] = max(dst[i], v)
//	}
func Raise(dst, x []float32) { raise(active, dst, x) }

func raise(at level, dst, x []float32) {
	x = x[:len(dst)]
	for at != portable && len(x) >= rowStep {
		steps := min(len(x), callWork) / rowStep
		raiseVectors(dst, x, steps)
		dst, x = dst[steps*rowStep:], x[steps*rowStep:]
	}
	for i, v := range x {
		dst[i] = max(dst[i], v)
	}
}

// Blend sets each value of dst to the mean of it and that of x, by weights p and q that add up to
// 1, but not below both of them. No value is below 0, nor NaN; x has as many as dst.
//
//	for i, v := range x {
//		a, b := float64(dst[i]), float64(v)
//		mean := max(float64(p*a)+float64(q*b), min(a, b))
//		dst[i] = float32(min(mean, math.MaxFloat32))
//	}
func Blend(dst, x []float32, p, q float64) { blend(active, dst, x, p, q) }

func blend(at level, dst, x []float32, p, q float64) {
	x = x[:len(dst)]
	for at != portable && len(x) >= blendStep {
		steps := min(len(x), callWork/4) / blendStep
		blendVectors(dst, x, steps, p, q)
		dst, x = dst[steps*blendStep:], x[steps*blendStep:]
	}
	for i, v := range x {
		dst[i] = Blended(dst[i], v, p, q)
	}
}

// blendStep is the number of values that the kernel of Blend takes at once.
const blendStep = 8

// Blended returns what [Blend] makes of two values.
func Blended(x, y float32, p, q float64) float32 {
	a, b := float64(x), float64(y)
	mean := float64(p*a) + float64(q*b)
	if least := min(a, b); mean < least {
		mean = least
	}
	if mean > math.MaxFloat32 {
		mean = math.MaxFloat32
	}
	return float32(mean)
}
