package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTilesLabelAsNearest fills tiles about one point and labels by centroids about another, all
// rows and some, among them rows that float32 cannot distinguish.
func TestTilesLabelAsNearest(t *testing.T) {
	for _, scale := range []float64{1, 1e-25, 1e-44, 1e17, 1e30} {
		for _, s := range shapes {
			centroids, rows := noise[float64](s.k*s.d, 1), noise[float64](s.n*s.d, 2)
			shift, origin := noise[float64](s.d, 3), noise[float64](s.d, 4)
			rng := rand.New(rand.NewPCG(6, uint64(s.d)))
			for i := range s.n {
				if i%2 > 0 {
					a, b, off := rng.IntN(s.k), rng.IntN(s.k), math.Ldexp(1, -rng.IntN(60))
					for j := range s.d {
						u, v := centroids[a*s.d+j], centroids[b*s.d+j]
						rows[i*s.d+j] = shift[j] + (u+v)/2 + off*(u-v)
					}
				}
			}
			for _, all := range [][]float64{centroids, rows, shift, origin} {
				for i := range all {
					all[i] *= scale
				}
			}
			for _, at := range levels() {
				tiles := newTiles(at, s.n, origin)
				if tiles == nil {
					continue
				}
				tiles.Fill(rows, 0, s.n)
				c := newCentroids(at, centroids, s.d)
				label, gap := make([]int32, s.n), make([]float32, s.n)
				c.Labels(new(Workspace[float64]), rows, shift, label, gap)
				tiled := tiles.Against(c, shift)
				if tiled == nil {
					if s.k > 1 && scale <= 1 {
						t.Errorf("%v %g %+v: no tiled centroids", at, scale, s)
					}
					continue
				}
				var w Workspace[float64]
				got, gotGap := make([]int32, s.n), make([]float32, s.n)
				tiled.Labels(&w, rows, 0, nil, got, gotGap)
				if !slices.Equal(got, label) {
					t.Errorf("%v %g %+v: labels\n%v, without tiles\n%v", at, scale, s, got, label)
				}
				var index, want []int32
				for i := s.n % 3; i < s.n; i += 1 + i%3 {
					index, want = append(index, int32(i)), append(want, label[i])
				}
				some, someGap := make([]int32, len(index)), make([]float32, len(index))
				tiled.Labels(&w, rows, 0, index, some, someGap)
				if !slices.Equal(some, want) {
					t.Errorf("%v %g %+v: labels of some rows\n%v, without tiles\n%v", at, scale, s,
						some, want)
				}
				for q, i := range index {
					if someGap[q] != gotGap[i] {
						t.Errorf("%v %g %+v: gap of row %d is %g, %g when picked out", at, scale, s,
							i, gotGap[i], someGap[q])
					}
				}
			}
		}
	}
}
