package dissim

import (
	"math"
	"math/bits"

	"github.com/kindred-go/kindred/internal/simd"
)

// flat compares rows of d values each, which lie one after the other, one pair at a time.
type flat[T any] struct {
	from, to []T
	d        int
	distance func(x, y []T) float64 // of rows of one length
}

func (f flat[T]) Row(dst []float32, i int, js []int32) {
	x := f.from[i*f.d : (i+1)*f.d]
	for t := range dst {
		dst[t] = float32(f.distance(x, f.to[other(js, t)*f.d:][:len(x)]))
	}
}

// other returns the object that position t of a row is about.
func other(js []int32, t int) int {
	if js == nil {
		return t
	}
	return int(js[t])
}

func manhattan[T simd.Float](x, y []T) float64 {
	y = y[:len(x)]
	even, odd := 0.0, 0.0 // two chains, as each addition waits for the one before
	j := 1
	for ; j < len(x); j += 2 {
		even += math.Abs(float64(x[j-1]) - float64(y[j-1]))
		odd += math.Abs(float64(x[j]) - float64(y[j]))
	}
	if j == len(x) {
		even += math.Abs(float64(x[j-1]) - float64(y[j-1]))
	}
	return even + odd
}

func hamming[T simd.Float](x, y []T) float64 {
	n := 0
	for j, v := range x {
		if v != y[j] {
			n++
		}
	}
	return float64(n) / float64(len(x))
}

// jaccard compares rows of a bit a coordinate.
func jaccard(x, y []uint64) float64 {
	either, differ := 0, 0
	for w, v := range x {
		either += bits.OnesCount64(v | y[w])
		differ += bits.OnesCount64(v ^ y[w])
	}
	if either == 0 {
		return 0
	}
	return float64(differ) / float64(either)
}

// presence returns a bit a coordinate: whether it is not 0.
func presence[T simd.Float](rows []T, d int) []uint64 {
	n, words := len(rows)/d, (d+63)/64
	out := make([]uint64, n*words)
	for i := range n {
		for j, v := range rows[i*d : (i+1)*d] {
			if v != 0 {
				out[i*words+j/64] |= 1 << (j % 64)
			}
		}
	}
	return out
}
