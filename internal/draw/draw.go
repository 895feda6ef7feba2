// Package draw draws numbers at random without replacement, and spreads the bits of numbers.
package draw

import (
	"math/rand/v2"
	"slices"
)

// Rising draws count different numbers from lo to hi, ascending, by selection sampling (Knuth,
// volume 2, algorithm S): it takes time in proportion to the range, and no memory but the result.
func Rising(rng *rand.Rand, lo, hi, count int) []int32 {
	out := make([]int32, 0, count)
	for v := lo; v <= hi && len(out) < count; v++ {
		if rng.IntN(hi+1-v) < count-len(out) {
			out = append(out, int32(v))
		}
	}
	return out
}

// Few draws count different numbers from 0 to below n, ascending, by Floyd's algorithm: time and
// memory are in proportion to count, however large n is.
func Few[T int | int64](rng *rand.Rand, n, count T) []T {
	taken := make(map[T]bool, count)
	out := make([]T, 0, count)
	for top := n - count; top < n; top++ {
		v := T(rng.Int64N(int64(top) + 1))
		if taken[v] {
			v = top
		}
		taken[v] = true
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

// Mix spreads the bits of a number (the finaliser of SplitMix64: Steele, Lea and Flood 2014).
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
