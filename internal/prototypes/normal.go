package prototypes

import (
	"math"
	"math/rand/v2"
)

// Normal draws from N(0, 1) by the ratio of uniforms (Kinderman and Monahan 1977) within the
// quadratic bounds of J. L. Leva (ACM TOMS 18, 1992). The value is a quotient of two uniform
// numbers, rounded alike on every processor; the logarithm only decides the one draw in a hundred
// that falls between the bounds.
func Normal(rng *rand.Rand) float64 {
	for {
		u := (float64(rng.Uint64()>>12) + 0.5) / (1 << 52) // never 0
		w := (float64(rng.Uint64()>>12) + 0.5) / (1 << 52)
		v := float64(1.7156 * (w - 0.5))
		x, y := u-0.449871, math.Abs(v)+0.386595
		q := float64(x*x) + float64(y*(float64(0.19600*y)-float64(0.25472*x)))
		if q < 0.27597 || q <= 0.27846 && float64(v*v) <= float64(-4*float64(u*u))*math.Log(u) {
			return v / u
		}
	}
}
