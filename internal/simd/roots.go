package simd

import "math"

// Roots sets dst[i] to the square root of squares[i], rounded to float64 and then to float32:
//
//	for i, v := range squares {
//		dst[i] = float32(math.Sqrt(v))
//	}
func Roots(dst []float32, squares []float64) { roots(active, dst, squares) }

func roots(at level, dst []float32, squares []float64) {
	dst = dst[:len(squares)]
	whole := 0
	if at != portable {
		whole = len(squares) - len(squares)%vectorLanes[float64](at)
	}
	const chunk = callWork / 8
	for lo := 0; lo < whole; lo += chunk {
		hi := min(whole, lo+chunk)
		rootsVectors(at, dst[lo:hi], squares[lo:hi])
	}
	for i, v := range squares[whole:] {
		dst[whole+i] = float32(math.Sqrt(v))
	}
}

// RootSum is a sum of square roots, to about twice the digits of a float64: in whatever order they
// are added, it is practically always the same. The zero value is 0.
type RootSum struct{ high, low [8]float64 }

// Add adds the square roots of squares, weighed. Weights are as many:
//
//	for i, v := range squares {
//		l := i % 8
//		root := weights[i] * math.Sqrt(v)
//		sum := high[l] + root
//		part := sum - high[l]
//		low[l] += (high[l] - (sum - part)) + (root - part) // what rounding took off (Knuth)
//		high[l] = sum
//	}
func (s *RootSum) Add(squares, weights []float64) { s.add(active, squares, weights) }

func (s *RootSum) add(at level, squares, weights []float64) {
	weights = weights[:len(squares)]
	whole := 0
	if at != portable {
		whole = len(squares) &^ 7
	}
	const chunk = callWork / 8
	for lo := 0; lo < whole; lo += chunk {
		hi := min(whole, lo+chunk)
		sumRootsVectors(at, s, squares[lo:hi], weights[lo:hi])
	}
	for i, v := range squares[whole:] {
		s.plus(i%8, float64(weights[whole+i]*math.Sqrt(v)))
	}
}

// plus adds a number to a lane.
func (s *RootSum) plus(l int, v float64) {
	high := s.high[l]
	sum := high + v
	part := sum - high
	s.low[l] += (high - (sum - part)) + (v - part)
	s.high[l] = sum
}

// Plus adds another sum times a power of two.
func (s *RootSum) Plus(other *RootSum, power float64) {
	for l := range s.high {
		s.plus(l, float64(power*other.high[l]))
		s.low[l] += float64(power * other.low[l])
	}
}

// Value returns the sum, rounded.
func (s *RootSum) Value() float64 {
	var all RootSum
	for l, v := range s.high {
		all.plus(0, v)
		all.low[0] += s.low[l]
	}
	return all.high[0] + all.low[0]
}
