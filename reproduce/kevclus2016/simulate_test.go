package kevclus2016

import (
	"math"
	"slices"
	"testing"
)

// TestTheLawOfThePoints: of a bivariate t with ν = 5, the covariance is ν/(ν−2) = 5/3 the scale,
// coordinates are uncorrelated but not independent, and the squared distance from the centre
// divided by 2 has Fisher's F(2, 5), whose median is (5/2)(2^(2/5) − 1).
func TestTheLawOfThePoints(t *testing.T) {
	const n = 40_000
	x, truth := simulate(n, 7)
	centres := [4][2]float64{{0, 0}, {0, 5}, {5, 0}, {5, 5}}
	var sums [4][2]float64
	var sizes [4]int
	var squares, products float64
	var halves []float64
	for i, k := range truth {
		a, b := x.At(i, 0)-centres[k][0], x.At(i, 1)-centres[k][1]
		sizes[k]++
		sums[k][0] += a
		sums[k][1] += b
		squares += (a*a + b*b) / 2
		products += a * b
		halves = append(halves, (a*a+b*b)/2)
	}
	for k, size := range sizes {
		if size != n/4 {
			t.Errorf("class %d has %d points", k, size)
		}
		for j, sum := range sums[k] {
			if m := sum / n * 4; math.Abs(m) > .06 {
				t.Errorf("class %d is %.3f off along %d", k, m, j)
			}
		}
	}
	if v := squares / n; math.Abs(v-5.0/3) > .08 {
		t.Errorf("variance %.3f, not 5/3", v)
	}
	if c := products / n; math.Abs(c) > .06 {
		t.Errorf("covariance %.3f", c)
	}
	slices.Sort(halves)
	if got, want := halves[n/2], 2.5*(math.Pow(2, .4)-1); math.Abs(got-want) > .02 {
		t.Errorf("half the squared distance has median %.3f, not %.3f", got, want)
	}
}

func TestTheSamePointsFromTheSameSeed(t *testing.T) {
	a, _ := simulate(50, 1)
	b, _ := simulate(50, 1)
	c, _ := simulate(50, 2)
	if !slices.Equal(a.F64, b.F64) || slices.Equal(a.F64, c.F64) {
		t.Error("points do not go by the seed")
	}
}
