package kmeans

import (
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/simd"
)

// fits reports whether distances up to a few times radius have squares of type T, with room to add
// some up.
func fits[T simd.Float](radius float64) bool { return radius <= maxRadius[T]() }

func maxRadius[T simd.Float]() float64 {
	var zero T
	if _, single := any(zero).(float32); single {
		return math.Sqrt(math.MaxFloat32) / 16
	}
	return math.Sqrt(math.MaxFloat64) / 16
}

// maxReach is how far from a frame's shift centres and rows may lie for scores, sums of two
// products, not to overflow. Data that fit, and centres amid them, lie well within.
func maxReach[T simd.Float]() float64 { return 8 * maxRadius[T]() }

// overflow is the error for such values.
func overflow() error {
	return fault.Inputf("scale the columns, for example to 0..1",
		"the values lie so far apart that their squared distances overflow")
}

// finite names the first value of rows that is not finite.
func finite[T simd.Float](rows []T, d int) error {
	for i, v := range rows {
		if v-v != 0 {
			return dataset.NotFinite(i/d, i%d, float64(v))
		}
	}
	return nil
}
