package kmeans

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// frame is a set of centres made ready for the kernels: taken relative to a point amid them, so that
// data far from the origin keep their digits. It depends on the centres alone, so that fitting and
// predicting agree to the bit.
type frame[T simd.Float] struct {
	shift     []T
	centroids *simd.Centroids[T]
}

func newFrame[T simd.Float](centers []float64, d int) frame[T] {
	f := frame[T]{shift: amid[T](centers, d)}
	rel := make([]T, len(centers))
	for i, v := range centers {
		rel[i] = T(v - float64(f.shift[i%d]))
	}
	f.centroids = simd.NewCentroids(rel, d)
	return f
}

// safe gives the gap between distances that settles which of two scores is lower, for rows no further
// than radius from middle.
func (f *frame[T]) safe(middle []float64, radius float64) float64 {
	sum := 0.0
	for j, v := range f.shift {
		off := float64(v) - middle[j]
		sum += float64(off * off)
	}
	return f.centroids.SafeGap(1.01 * (math.Sqrt(sum) + radius))
}

// amid gives a point amid the centres with few digits, a multiple in each column of a power of two
// that is no less than the spread: differences from it are then exact for values with few digits, such as
// small integers, and ties between centres stay ties.
func amid[T simd.Float](centers []float64, d int) []T {
	k := len(centers) / d
	out := make([]T, d)
	for j := range out {
		lo, hi, mean := math.Inf(1), math.Inf(-1), 0.0
		for c := range k {
			v := centers[c*d+j]
			lo, hi = math.Min(lo, v), math.Max(hi, v)
			mean += v / float64(k)
		}
		if lo == hi {
			out[j] = T(lo)
			continue
		}
		_, exp := math.Frexp(hi - lo)
		unit := math.Ldexp(1, exp)
		out[j] = T(math.Round(mean/unit) * unit)
	}
	return out
}

// predict labels the rows of m, whose values are rows, by the nearest of the centres.
func predict[T simd.Float](ctx context.Context, rows []T, m, centers dataset.Matrix, threads int) ([]int32, error) {
	n, d := m.Rows, m.Cols
	for i, v := range centers.F64 {
		if math.IsNaN(v) || math.Abs(v) > maxRadius[float64]() {
			return nil, &fault.Input{Row: i/d + 1, Problem: "the centres hold a value that is not finite or too large"}
		}
	}
	f := newFrame[T](centers.F64, d)
	label := make([]int32, n)
	block := blockRows(n, d, centers.Rows)
	bad := make([]bool, parallel.Count(n, block))
	err := parallel.Blocks(ctx, n, block, threads, func(b, lo, hi int) {
		var w simd.Workspace[T]
		for ; lo < hi && ctx.Err() == nil; lo += chunkRows {
			to := min(hi, lo+chunkRows)
			chunk := rows[lo*d : to*d]
			bad[b] = bad[b] || !within(chunk, T(maxRadius[T]()))
			f.centroids.Labels(&w, chunk, f.shift, label[lo:to], nil)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, b := range bad {
		if b {
			if err := finite(rows, d); err != nil {
				return nil, err
			}
			return nil, overflow()
		}
	}
	return label, nil
}

// within tells whether all values lie between −most and most.
func within[T simd.Float](values []T, most T) bool {
	for _, v := range values {
		if !(v <= most && v >= -most) {
			return false
		}
	}
	return true
}
