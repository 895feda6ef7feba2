package dissim

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/parallel"
)

// quantileBlock is the number of values that one count goes over.
const quantileBlock = 1 << 18

// digitBits is the size of the digits by which values are told apart: 2¹¹ counters fit the first cache.
const digitBits = 11

// Quantile gives the q-quantile, q in [0, 1], of a sample of finite numbers ≥ 0: with the values in order
// and h = q(n−1), the value at ⌊h⌋ and, linearly, on to the next (the type 7 of Hyndman and Fan, the
// default of R and NumPy). The sample is neither sorted nor changed, and the answer is exact up to the
// rounding of that interpolation. It is NaN for an empty sample or a q outside [0, 1]. threads ≤ 0 is one
// a processor.
func Quantile(sample []float32, q float64, threads int) float64 {
	if len(sample) == 0 || !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	h := q * float64(len(sample)-1)
	k := int(h)
	low, next := selectOrder(sample, k, threads)
	return float64(low) + float64((h-float64(k))*(float64(next)-float64(low)))
}

// Max gives the largest value of a sample of finite numbers ≥ 0; 0 when it is empty.
func Max(sample []float32, threads int) float32 {
	parts := make([]float32, parallel.Count(len(sample), quantileBlock))
	blocks(len(sample), threads, func(b, lo, hi int) {
		largest := float32(0)
		for _, v := range sample[lo:hi] {
			largest = max(largest, v)
		}
		parts[b] = largest
	})
	largest := float32(0)
	for _, v := range parts {
		largest = max(largest, v)
	}
	return largest
}

// selectOrder gives the values at places k and k+1 (the last place again where that is beyond the
// end) of the sample in order. The bits of numbers ≥ 0 are in the order of the numbers, so the
// value at k is found digit by digit, counting the values that share the digits found so far.
func selectOrder(sample []float32, k, threads int) (at, next float32) {
	shift := 32
	var prefix uint32 // the digits found, the rest 0
	rest := k         // the place among those that share them
	count := 0        // how many values are equal to the one found
	for shift > 0 {
		width := min(digitBits, shift)
		known := ^uint32(0) << (shift - 1) << 1 // in two steps, as shift may be 32
		shift -= width
		counts := countDigits(sample, prefix, known, shift, width, threads)
		digit := 0
		for rest >= counts[digit] {
			rest -= counts[digit]
			digit++
		}
		count = counts[digit]
		prefix |= uint32(digit) << shift
	}
	at = math.Float32frombits(prefix)
	if rest+1 < count || k+1 == len(sample) {
		return at, at
	}
	return at, leastAbove(sample, at, threads)
}

// countDigits counts, for each value whose known bits are those of prefix, the digit at shift.
func countDigits(sample []float32, prefix, known uint32, shift, width, threads int) []int {
	parts := make([][]int32, parallel.Count(len(sample), quantileBlock))
	blocks(len(sample), threads, func(b, lo, hi int) {
		part := make([]int32, 1<<width)
		mask := uint32(len(part) - 1)
		for _, v := range sample[lo:hi] {
			if bits := math.Float32bits(v + 0); bits&known == prefix { // v + 0: −0 counts as 0
				part[bits>>shift&mask]++
			}
		}
		parts[b] = part
	})
	counts := make([]int, 1<<width)
	for _, part := range parts {
		for digit, n := range part {
			counts[digit] += int(n)
		}
	}
	return counts
}

// leastAbove gives the least value above v, which exists.
func leastAbove(sample []float32, v float32, threads int) float32 {
	parts := make([]float32, parallel.Count(len(sample), quantileBlock))
	blocks(len(sample), threads, func(b, lo, hi int) {
		least := float32(math.Inf(1))
		for _, w := range sample[lo:hi] {
			if w > v && w < least {
				least = w
			}
		}
		parts[b] = least
	})
	least := float32(math.Inf(1))
	for _, w := range parts {
		least = min(least, w)
	}
	return least
}

// blocks goes over a sample of n values. A pass reads memory once, so it needs no way to be cancelled.
func blocks(n, threads int, do func(block, lo, hi int)) {
	_ = parallel.Blocks(context.Background(), n, quantileBlock, threads, do)
}
