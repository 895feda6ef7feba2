package mds

import (
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// The distances of points in the plane are those of their classical scaling, through few landmarks,
// too, on any number of threads.
func TestClassicalRecoversThePlane(t *testing.T) {
	src := random(300, 2, 1)
	var first []float64
	for _, threads := range []int{1, 2, 7} {
		for _, landmarks := range []int{20, 0, 300} {
			x, err := Classical(t.Context(), src, Config{Landmarks: landmarks, Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			row := make([]float32, src.Len())
			for i := range src {
				src.Row(row, i, nil)
				for j, d := range row {
					got := math.Hypot(x.At(i, 0)-x.At(j, 0), x.At(i, 1)-x.At(j, 1))
					if math.Abs(got-float64(d)) > 1e-3 {
						t.Fatalf("%d landmarks: %d and %d are %g apart, want %g", landmarks, i, j,
							got, d)
					}
				}
			}
			if first == nil {
				first = x.F64
			}
			if landmarks == 20 && !slices.Equal(x.F64, first) {
				t.Errorf("other points on %d threads", threads)
			}
		}
	}
}

func TestTurn(t *testing.T) {
	x := dataset.Matrix{Rows: 4, Cols: 2, F64: []float64{5, 0, 5, 8, 4, 4, 6, 4}}
	Turn(x)
	for i, want := range []float64{4, 0, -4, 0, 0, 1, 0, -1} {
		if math.Abs(math.Abs(x.F64[i])-math.Abs(want)) > 1e-12 {
			t.Fatalf("%v", x.F64)
		}
	}
}
