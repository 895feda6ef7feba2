package dissim

import (
	"math"
	"sync"

	"github.com/kindred-go/kindred/internal/simd"
)

// squared returns the metrics that follow from squared distances.
type squared[T simd.Float] struct {
	from, to         []T
	d                int
	metric           Metric
	fromNorm, toNorm []float64 // squared norms, for Tanimoto
	scratch          sync.Pool // of *[squaredPiece]T, the squares of one call of Row
}

// squaredPiece is the number of rows that are compared at a time.
const squaredPiece = 128

// plainBelow is the number of coordinates from which on a vector kernel pays for its call.
const plainBelow = 5

func (s *squared[T]) Row(dst []float32, i int, js []int32) {
	work, _ := s.scratch.Get().(*[squaredPiece]T)
	if work == nil {
		work = new([squaredPiece]T)
	}
	defer s.scratch.Put(work)
	x := s.from[i*s.d : (i+1)*s.d]
	for lo := 0; lo < len(dst); lo += squaredPiece {
		hi := min(len(dst), lo+squaredPiece)
		sq := work[:hi-lo]
		var piece []int32
		if js == nil {
			s.run(sq, x, lo)
		} else if piece = js[lo:hi]; consecutive(piece) {
			s.run(sq, x, int(piece[0]))
		} else {
			s.gather(sq, x, piece)
		}
		s.finish(dst[lo:hi], sq, i, piece, lo)
	}
}

// consecutive reports whether js are rows that follow one another.
func consecutive(js []int32) bool {
	for t, j := range js {
		if j != js[0]+int32(t) {
			return false
		}
	}
	return true
}

// run sets sq to the squared distances of x to the rows from first on.
func (s *squared[T]) run(sq, x []T, first int) {
	d := s.d
	rows := s.to[first*d : (first+len(sq))*d]
	if d >= plainBelow {
		simd.SquaredDistances(sq, x, rows)
		return
	}
	if d == 2 { // a loop of two costs more than the two
		a, b := x[0], x[1]
		for t := range sq {
			u, v := a-rows[2*t], b-rows[2*t+1]
			sq[t] = T(u*u) + T(v*v)
		}
		return
	}
	for t := range sq {
		sq[t] = plainSquared(x, rows[t*d:])
	}
}

// gather sets sq to the squared distances of x to rows js.
func (s *squared[T]) gather(sq, x []T, js []int32) {
	d := s.d
	switch {
	case d >= plainBelow:
		simd.SquaredDistancesAt(sq, x, s.to, js)
	case d == 2:
		a, b := x[0], x[1]
		for t, j := range js {
			y := s.to[int(j)*2 : int(j)*2+2]
			u, v := a-y[0], b-y[1]
			sq[t] = T(u*u) + T(v*v)
		}
	default:
		for t, j := range js {
			sq[t] = plainSquared(x, s.to[int(j)*d:])
		}
	}
}

// plainSquared adds squares in order, each rounded.
func plainSquared[T simd.Float](x, y []T) T {
	y = y[:len(x)]
	var s T
	for j, v := range x {
		t := v - y[j]
		s += T(t * t)
	}
	return s
}

// finish turns squared distances of row i to rows js (nil: to those from first on) into the metric.
func (s *squared[T]) finish(dst []float32, sq []T, i int, js []int32, first int) {
	switch s.metric {
	case Euclidean:
		if double, ok := any(sq).([]float64); ok {
			simd.Roots(dst, double)
			return
		}
		for t, v := range sq {
			dst[t] = float32(math.Sqrt(float64(v)))
		}
	case SqEuclidean:
		for t, v := range sq {
			dst[t] = float32(v)
		}
	case Cosine, Correlation:
		for t, v := range sq {
			dst[t] = float32(min(v/2, 2)) // opposite vectors may round to a little more
		}
	case BinaryCorrelation:
		for t, v := range sq {
			dst[t] = float32(min(v/4, 1))
		}
	case Tanimoto: // ½(1 − p/(a+b−p)) = s/(a+b+s), as s = a+b−2p
		for t, v := range sq {
			j := first + t
			if js != nil {
				j = int(js[t])
			}
			dst[t] = 0
			if v > 0 {
				dst[t] = float32(float64(v) / (s.fromNorm[i] + s.toNorm[j] + float64(v)))
			}
		}
	}
}
