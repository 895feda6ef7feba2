package kmeans

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// frame is a set of centres made ready for the kernels: taken relative to a point amid them, so
// that data far from the origin keep their digits. It depends on the centres alone, so that fitting
// and predicting agree to the bit.
type frame[T simd.Float] struct {
	shift     []T
	centroids *simd.Centroids[T]
	near      T // rows of smaller values are within maxReach of shift
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

// safe returns the gap between distances that settles which of two scores is lower, for rows no
// further than radius from middle.
func (f *frame[T]) safe(middle []float64, radius float64) float64 {
	return f.centroids.SafeGap(1.01 * (f.distance(middle) + radius))
}

// amid returns a point amid the centres with few digits, a multiple in each column of a power of
// two that is no less than the spread: differences from it are then exact for values with few
// digits, such as small integers, and ties between centres stay ties.
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

// amidSpread returns a point amid data of that mean and that variance, a mean over the columns.
func amidSpread[T simd.Float](mean []float64, variance float64) []T {
	edge := math.Sqrt(variance)
	box := make([]float64, 0, 2*len(mean))
	for _, side := range []float64{-edge, edge} {
		for _, m := range mean {
			box = append(box, m+side)
		}
	}
	return amid[T](box, len(mean))
}

// predict labels the rows of m, whose values are rows, by the nearest of the centres.
func predict[T simd.Float](ctx context.Context, rows []T, m, centers dataset.Matrix,
	threads int) ([]int32, error) {
	n, d := m.Rows, m.Cols
	f, err := predictFrame[T](centers.F64, d)
	if err != nil {
		return nil, err
	}
	label := make([]int32, n)
	block := blockRows(n, d, centers.Rows)
	bad := make([]bool, parallel.Count(n, block))
	err = parallel.Blocks(ctx, n, block, threads, func(b, lo, hi int) {
		var w simd.Workspace[T]
		for ; lo < hi && ctx.Err() == nil; lo += chunkRows {
			to := min(hi, lo+chunkRows)
			chunk := rows[lo*d : to*d]
			bad[b] = bad[b] || !f.reaches(chunk)
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

// predictFrame is newFrame for rows that may lie anywhere: near reports where their scores do not
// overflow.
func predictFrame[T simd.Float](centers []float64, d int) (frame[T], error) {
	f := newFrame[T](centers, d)
	for i := range len(centers) / d {
		if !(f.distance(centers[i*d:(i+1)*d]) <= maxReach[T]()) {
			return f, fault.Inputf("give the rows and centres on the same scale",
				"centre %d holds a value that is not finite, or lies so far from the others that "+
					"squared distances overflow", i+1)
		}
	}
	f.near = T((maxReach[T]() - f.distance(make([]float64, d))) / math.Sqrt(float64(d)))
	return f, nil
}

// distance returns that of x from the shift.
func (f *frame[T]) distance(x []float64) float64 {
	sum := 0.0
	for j, v := range x {
		off := v - float64(f.shift[j])
		sum += float64(off * off)
	}
	return math.Sqrt(sum)
}

// reaches reports whether all rows lie near enough to the shift for their scores not to overflow.
func (f *frame[T]) reaches(rows []T) bool {
	if within(rows, f.near) {
		return true
	}
	row := make([]float64, len(f.shift))
	for ; len(rows) > 0; rows = rows[len(row):] {
		for j := range row {
			row[j] = float64(rows[j])
		}
		if !(f.distance(row) <= maxReach[T]()) {
			return false
		}
	}
	return true
}

// within reports whether all values lie between −most and most.
func within[T simd.Float](values []T, most T) bool {
	for _, v := range values {
		if !(v <= most && v >= -most) {
			return false
		}
	}
	return true
}
