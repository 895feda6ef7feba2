package generate

import (
	"math"
	"math/rand/v2"
)

// stream draws the random numbers of one law. Its bits come from PCG-DXSM and every value is made
// of them by operations that IEEE 754 rounds exactly (+ − × ÷ √, each product rounded by itself),
// so a seed makes the same data on every processor.
type stream struct{ pcg *rand.PCG }

// newStream starts the stream of a seed; number distinguishes the laws.
func newStream(seed, number uint64) stream { return stream{rand.NewPCG(seed, number)} }

// uniform draws from (0, 1), never 0 or 1: the middle of one of 2⁵² equal cells.
func (s stream) uniform() float64 {
	return (float64(s.pcg.Uint64()>>12) + 0.5) * (1.0 / (1 << 52))
}

// below draws a whole number from 0 to n−1.
func (s stream) below(n int) int { return int(rand.New(s.pcg).Uint64N(uint64(n))) }

// normal draws from N(0, 1) by the ratio of uniforms (Kinderman and Monahan 1977) with the bounds
// of J. L. Leva, A fast normal random number generator, ACM TOMS 18 (1992) 449–453. The value is a
// quotient; the logarithm only decides the 1 % of cases between the two ellipses.
func (s stream) normal() float64 {
	for {
		u := s.uniform()
		v := float64(1.7156 * (s.uniform() - 0.5))
		x, y := u-0.449871, math.Abs(v)+0.386595
		q := float64(x*x) + float64(y*(float64(0.19600*y)-float64(0.25472*x)))
		if q < 0.27597 || q <= 0.27846 && float64(v*v) <= float64(-4*float64(u*u))*math.Log(u) {
			return v / u
		}
	}
}

// chiSquare draws from χ² with whole degrees of freedom.
func (s stream) chiSquare(df int) float64 {
	sum := 0.0
	for range df {
		z := s.normal()
		sum += float64(z * z)
	}
	return sum
}

// direction draws a point on the unit circle: a point of the disc, pushed outwards.
func (s stream) direction() (x, y float64) {
	for {
		x, y = float64(2*s.uniform())-1, float64(2*s.uniform())-1
		if r := float64(x*x) + float64(y*y); r <= 1 && r > 0 {
			r = math.Sqrt(r)
			return x / r, y / r
		}
	}
}

// sincos returns sin a and cos a for |a| up to about 6 by their power series. The functions of
// package math may differ between processors in the last place.
func sincos(a float64) (sin, cos float64) {
	term := 1.0
	for i := 0; i < 48; i += 2 {
		if i%4 == 0 {
			cos += term
		} else {
			cos -= term
		}
		term = float64(term*a) / float64(i+1)
		if i%4 == 0 {
			sin += term
		} else {
			sin -= term
		}
		term = float64(term*a) / float64(i+2)
	}
	return sin, cos
}
