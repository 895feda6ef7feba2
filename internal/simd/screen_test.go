package simd

import (
	"math"
	"slices"
	"testing"
)

// hardCentroids returns three centroids and a row for which the roundings of the first two float32
// scores all go the wrong way: every term of ½‖c‖², and every step of the score that starts from
// it, loses nearly half a unit for the one and gains as much for the other. The float64 scores of
// the first two differ by a little that grows with step.
func hardCentroids(d, step int) (centroids, row []float64) {
	const u = 0x1p-24
	centroids, row = make([]float64, 3*d), make([]float64, d)
	for j := 1; j < d; j++ {
		centroids[j], centroids[d+j] = float64(float32(math.Sqrt(0.96*u))),
			float64(float32(math.Sqrt(1.04*u)))
		centroids[2*d+j], row[j] = -math.Sqrt(u), -0.5*math.Sqrt(u)
	}
	row[0], centroids[0], centroids[d], centroids[2*d] = 0.003, 1.02+float64(step)*u/2, 1.02, -1.02
	return centroids, row
}

func TestScreenOutdoesItsRounding(t *testing.T) {
	for _, d := range []int{16, 64, 300} {
		for step := range 2 * d {
			centroids, row := hardCentroids(d, step)
			zero := make([]float64, d)
			for _, at := range levels() {
				c := newCentroids(at, centroids, d)
				want, best, got := make([]int32, 1), make([]float64, 1), make([]int32, 1)
				c.Nearest(new(Workspace[float64]), row, zero, want, best, nil)
				c.Labels(new(Workspace[float64]), row, zero, got, nil)
				if !slices.Equal(got, want) {
					t.Fatalf("%v d=%d step %d: label %v, nearest %v", at, d, step, got, want)
				}
				tiles := newTiles(at, 1, zero)
				if tiles == nil {
					continue
				}
				tiles.Fill(row, 0, 1)
				tiles.Against(c, zero).Labels(new(Workspace[float64]), row, 0, nil, got, nil)
				if !slices.Equal(got, want) {
					t.Fatalf("%v d=%d step %d: label from tiles %v, nearest %v", at, d, step, got,
						want)
				}
			}
		}
	}
}

// TestNoBoundsForVeryLongRows has more coordinates than float32 can count roundings of.
func TestNoBoundsForVeryLongRows(t *testing.T) {
	for _, d := range []int{1 << 23, 1 << 30} {
		e := newScoreError[float32](d, 1)
		if safe := e.at(1); safe <= math.MaxFloat64 {
			t.Errorf("%d coordinates: error %g", d, safe)
		}
		if gap := e.gap(-5, 100, 1); gap != 0 {
			t.Errorf("%d coordinates: gap %g", d, gap)
		}
	}
	if err := newScoreError[float64](1<<30, 1).at(1); !(err < 1e-5) {
		t.Errorf("float64: error %g", err)
	}
}
