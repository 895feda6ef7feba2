package dissim

import "github.com/kindred-go/kindred/internal/simd"

// aligned returns the dissimilarities of runs of objects, each object of one run to its opposite in
// the other: memory is then streamed where single rows would be fetched from all over.
type aligned interface {
	// pairs sets dst[t] to d(a+t, b+t).
	pairs(dst []float32, a, b int)
}

// inOrder copies the objects of src in an order, so that runs of them can be compared; nil where
// src cannot.
func inOrder(src Source, order []int32) aligned {
	set, ok := src.(among)
	if !ok {
		return nil
	}
	switch rows := set.Rows.(type) {
	case *squared[float32]:
		return orderSquared(rows, order)
	case *squared[float64]:
		return orderSquared(rows, order)
	}
	return nil
}

func orderSquared[T simd.Float](s *squared[T], order []int32) aligned {
	if s.metric == Tanimoto { // its norms belong to single rows
		return nil
	}
	copied := make([]T, 0, len(order)*s.d)
	for _, i := range order {
		copied = append(copied, s.to[int(i)*s.d:int(i)*s.d+s.d]...)
	}
	return &orderedSquared[T]{squared[T]{from: copied, to: copied, d: s.d, metric: s.metric}}
}

type orderedSquared[T simd.Float] struct{ squared[T] }

func (s *orderedSquared[T]) pairs(dst []float32, a, b int) {
	var squares [squaredPiece]T
	d := s.d
	for lo := 0; lo < len(dst); lo += squaredPiece {
		sq := squares[:min(squaredPiece, len(dst)-lo)]
		x, y := s.to[(a+lo)*d:], s.to[(b+lo)*d:]
		for t := range sq {
			if d >= plainBelow {
				simd.SquaredDistances(sq[t:t+1], x[t*d:t*d+d], y[t*d:])
			} else {
				sq[t] = plainSquared(x[t*d:t*d+d], y[t*d:])
			}
		}
		s.finish(dst[lo:lo+len(sq)], sq, a, nil, b)
	}
}
