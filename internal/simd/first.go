package simd

// FirstWithin returns the first place at which a value of x is at most that of reach, and len(x)
// where there is none. Reach has as many values as x, which may be infinite.
func FirstWithin(x, reach []float32) int { return firstWithin(active, x, reach) }

// FirstAtMost returns the first place at which a value of x is at most limit, and len(x) where
// there is none.
func FirstAtMost(x []float32, limit float32) int { return firstAtMost(active, x, limit) }

// rowStep is the number of values that the kernels of FirstWithin, FirstAtMost and Raise take at
// once.
const rowStep = 32

func firstWithin(at level, x, reach []float32) int {
	reach = reach[:len(x)]
	i := 0
	for at != portable && len(x)-i >= rowStep {
		steps := min(len(x)-i, callWork) / rowStep
		left := firstWithinVectors(x[i:], reach[i:], steps)
		i += (steps - left) * rowStep
		if left > 0 {
			break
		}
	}
	for ; i < len(x); i++ {
		if x[i] <= reach[i] {
			break
		}
	}
	return i
}

func firstAtMost(at level, x []float32, limit float32) int {
	i := 0
	for at != portable && len(x)-i >= rowStep {
		steps := min(len(x)-i, callWork) / rowStep
		left := firstAtMostVectors(x[i:], steps, limit)
		i += (steps - left) * rowStep
		if left > 0 {
			break
		}
	}
	for ; i < len(x); i++ {
		if x[i] <= limit {
			break
		}
	}
	return i
}
