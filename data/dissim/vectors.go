package dissim

import (
	"cmp"
	"math"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/simd"
)

// Vectors returns the dissimilarities among the rows of x, computed when they are requested. x is
// not copied and must not change. Cosine, correlation, tanimoto, binary-correlation and jaccard
// keep a few numbers or a rescaled copy of every row.
//
// Sums are formed in the type of x. It fails with a [*fault.Input] when a value is not finite, when
// dissimilarities could exceed float32, when rows under binary-correlation hold other values than 0
// and 1, and when m is not of vectors.
func Vectors(x dataset.Matrix, m Metric) (Source, error) {
	rows, err := Cross(x, x, m)
	return sourceOf(rows, x.Rows, err)
}

// Cross returns the dissimilarities from each row of from to the rows of to, in the type of to and
// bit for bit what [Vectors] returns for the same two rows. It fails as Vectors does, and when the
// two differ in the number of columns.
func Cross(from, to dataset.Matrix, m Metric) (Rows, error) {
	if !m.OfVectors() {
		return nil, &fault.Input{Problem: "the metric " + string(m) +
			" does not compare rows of numbers",
			Fix: "take one that does, such as euclidean"}
	}
	if from.Cols != to.Cols {
		return nil, &fault.Input{Problem: "the new rows have " + strconv.Itoa(from.Cols) +
			" columns and the old ones " + strconv.Itoa(to.Cols),
			Fix: "give the same columns"}
	}
	if to.Cols == 0 {
		return nil, &fault.Input{Problem: "there are no columns to compare rows by",
			Fix: "give at least one feature"}
	}
	if to.Single() {
		return newVectors(singles(from), to.F32, to.Cols, m)
	}
	return newVectors(doubles(from), to.F64, to.Cols, m)
}

// among makes a Source of the dissimilarities from a set of objects to itself.
type among struct {
	Rows
	n int
}

func (a among) Len() int { return a.n }

// sourceOf returns the Source of the dissimilarities among n objects, unless there is an error.
func sourceOf(rows Rows, n int, err error) (Source, error) {
	if err != nil {
		return nil, err
	}
	return among{rows, n}, nil
}

func singles(x dataset.Matrix) []float32 {
	if x.Single() {
		return x.F32
	}
	out := make([]float32, len(x.F64))
	for i, v := range x.F64 {
		out[i] = float32(v)
	}
	return out
}

func doubles(x dataset.Matrix) []float64 {
	if !x.Single() {
		return x.F64
	}
	out := make([]float64, len(x.F32))
	for i, v := range x.F32 {
		out[i] = float64(v)
	}
	return out
}

// newVectors prepares the rows as the metric needs them.
func newVectors[T simd.Float](from, to []T, d int, m Metric) (Rows, error) {
	if err := checkReach(from, to, d, m); err != nil {
		return nil, err
	}
	switch m {
	case Manhattan:
		return flat[T]{from, to, d, manhattan[T]}, nil
	case Hamming:
		return flat[T]{from, to, d, hamming[T]}, nil
	case Jaccard:
		a, b := both(from, to, func(rows []T) []uint64 { return presence(rows, d) })
		return flat[uint64]{a, b, (d + 63) / 64, jaccard}, nil
	case Tanimoto:
		a, b := both(from, to, func(rows []T) []float64 { return squaredNorms(rows, d) })
		return &squared[T]{from: from, to: to, d: d, metric: m, fromNorm: a, toNorm: b}, nil
	case Cosine, Correlation, BinaryCorrelation:
		var err error
		a, b := both(from, to, func(rows []T) []T {
			unit, wrong := unitRows(rows, d, m)
			err = cmp.Or(err, wrong)
			return unit
		})
		if err != nil {
			return nil, err
		}
		return &squared[T]{from: a, to: b, d: d + 1, metric: m}, nil
	}
	return &squared[T]{from: from, to: to, d: d, metric: m}, nil
}

// both returns what is made of either set, once where they are the same.
func both[T, U any](from, to []T, do func([]T) []U) (a, b []U) {
	if a = do(from); same(from, to) {
		return a, a
	}
	return a, do(to)
}

// same reports whether two sets are one, which is not empty.
func same[T any](from, to []T) bool {
	return len(from) > 0 && len(from) == len(to) && &from[0] == &to[0]
}

// checkReach refuses values that are not finite, and ones so far apart that sums would overflow.
func checkReach[T simd.Float](from, to []T, d int, m Metric) error {
	low, high := make([]T, d), make([]T, d)
	first := true
	for _, rows := range [][]T{from, to} {
		for at := 0; at < len(rows); at += d {
			row := rows[at : at+d]
			if first {
				copy(low, row)
				copy(high, row)
				first = false
			}
			for j, v := range row {
				if v-v != 0 {
					return &fault.Input{Row: at/d + 1, Column: strconv.Itoa(j + 1),
						Problem: "the value is not a finite number",
						Fix:     "fix it or leave the row out"}
				}
				low[j], high[j] = min(low[j], v), max(high[j], v)
			}
		}
		if same(from, to) {
			break
		}
	}
	limit := math.MaxFloat32 // of the results and, for float32 rows, of the sums
	sum := 0.0
	for j := range d {
		reach := float64(high[j]) - float64(low[j])
		switch m {
		case Manhattan:
			sum += reach
		case Euclidean, SqEuclidean:
			sum += float64(reach * reach)
		case Tanimoto: // norms
			reach = max(math.Abs(float64(low[j])), math.Abs(float64(high[j])))
			sum += float64(reach*reach) * 8
		}
	}
	var zero T
	if _, single := any(zero).(float32); !single {
		switch m {
		case Euclidean:
			sum = math.Sqrt(sum)
		case Tanimoto:
			limit = math.MaxFloat64 / 2
		}
	}
	if !(sum < limit) {
		return &fault.Input{Problem: "the rows lie so far apart that dissimilarities do not fit " +
			"32-bit numbers",
			Fix: "scale the columns (--scale minmax or zscore)"}
	}
	return nil
}

func squaredNorms[T simd.Float](rows []T, d int) []float64 {
	out := make([]float64, len(rows)/d)
	for i := range out {
		s := 0.0
		for _, v := range rows[i*d : (i+1)*d] {
			s += float64(float64(v) * float64(v))
		}
		out[i] = s
	}
	return out
}

// unitRows returns every row, centred unless for Cosine, at length 1, so that 1 − cos = ½‖u−v‖².
// One coordinate more makes rows without a direction orthogonal to all others.
func unitRows[T simd.Float](rows []T, d int, m Metric) ([]T, error) {
	n := len(rows) / d
	out := make([]T, n*(d+1))
	for i := range n {
		row, unit := rows[i*d:(i+1)*d], out[i*(d+1):(i+1)*(d+1)]
		if m == BinaryCorrelation {
			for j, v := range row {
				if v != 0 && v != 1 {
					return nil, &fault.Input{Row: i + 1, Column: strconv.Itoa(j + 1),
						Problem: "binary-correlation needs values of 0 and 1",
						Fix: "take --metric correlation or tanimoto, or make the column 0 " +
							"and 1"}
				}
			}
		}
		largest, mean, constant := 0.0, 0.0, true
		for _, v := range row {
			largest = max(largest, math.Abs(float64(v)))
			constant = constant && v == row[0]
		}
		if largest == 0 || constant && m != Cosine {
			unit[d] = 1
			if m == BinaryCorrelation && row[0] == 1 {
				unit[d] = -1
			}
			continue
		}
		if m != Cosine {
			for _, v := range row {
				mean += float64(v) / largest
			}
			mean /= float64(d)
		}
		norm := 0.0
		for _, v := range row {
			u := float64(v)/largest - mean
			norm += float64(u * u)
		}
		norm = math.Sqrt(norm)
		for j, v := range row {
			unit[j] = T((float64(v)/largest - mean) / norm)
		}
	}
	return out, nil
}
