package dissim

import (
	"math"
	"math/bits"

	"github.com/kindred-go/kindred/internal/simd"
)

type manhattan[T simd.Float] struct {
	from, to []T
	d        int
}

func (m manhattan[T]) Row(dst []float32, i int, js []int32) {
	x := m.from[i*m.d : (i+1)*m.d]
	for t := range dst {
		y := m.to[other(js, t)*m.d:][:len(x)]
		even, odd := 0.0, 0.0 // two chains, as each addition waits for the one before
		j := 1
		for ; j < len(x); j += 2 {
			even += math.Abs(float64(x[j-1]) - float64(y[j-1]))
			odd += math.Abs(float64(x[j]) - float64(y[j]))
		}
		if j == len(x) {
			even += math.Abs(float64(x[j-1]) - float64(y[j-1]))
		}
		dst[t] = float32(even + odd)
	}
}

// other returns the object that position t of a row is about.
func other(js []int32, t int) int {
	if js == nil {
		return t
	}
	return int(js[t])
}

type hamming[T simd.Float] struct {
	from, to []T
	d        int
}

func (h hamming[T]) Row(dst []float32, i int, js []int32) {
	x := h.from[i*h.d : (i+1)*h.d]
	for t := range dst {
		y := h.to[other(js, t)*h.d:][:len(x)]
		n := 0
		for j, v := range x {
			if v != y[j] {
				n++
			}
		}
		dst[t] = float32(float64(n) / float64(len(x)))
	}
}

// jaccard holds a bit a coordinate, words of 64 of them a row.
type jaccard struct {
	from, to []uint64
	words    int
}

func (s jaccard) Row(dst []float32, i int, js []int32) {
	x := s.from[i*s.words : (i+1)*s.words]
	for t := range dst {
		y := s.to[other(js, t)*s.words:][:len(x)]
		either, differ := 0, 0
		for w, v := range x {
			either += bits.OnesCount64(v | y[w])
			differ += bits.OnesCount64(v ^ y[w])
		}
		dst[t] = 0
		if either > 0 {
			dst[t] = float32(float64(differ) / float64(either))
		}
	}
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
