package simd

import "math"

// Saturate sets dst[i] to 1 − exp(−gamma·d[i]²), within 0.501 units in the last place of float32: 0
// for d[i] = 0, all the digits of a small value for a small d[i], and 1 for a large one. Gamma is
// finite and not below 0, and no value is NaN. Dst may be d, and otherwise lies apart from it.
//
//	for i, v := range d {
//		y := max(float64(v)*float64(v)*-gamma, -40) // exp(-40) is nothing beside 1
//		n := fma(y, math.Log2E, 0x1.8p52)           // k in its last bits, rounded to even
//		k := n - 0x1.8p52
//		t := fma(k, -math.Ln2, y)        // y − k·ln 2, no more than half of ln 2
//		p := 1.0/3628800                 // (exp(t) − 1)/t to degree 9
//		for m := 9; m > 0; m-- {
//			p = fma(p, t, 1/m!)
//		}
//		s := math.Ldexp(1, int(k))
//		dst[i] = float32(fma(-s, p*t, 1-s))
//	}
func Saturate(dst, d []float32, gamma float64) { saturate(active, dst, d, gamma) }

func saturate(at level, dst, d []float32, gamma float64) {
	dst = dst[:len(d)]
	whole := 0
	if at != portable {
		whole = len(d) - len(d)%vectorLanes[float64](at)
	}
	const chunk = callWork / 16
	for lo := 0; lo < whole; lo += chunk {
		hi := min(whole, lo+chunk)
		saturateVectors(at, dst[lo:hi], d[lo:hi], gamma)
	}
	saturatePortable(dst[whole:], d[whole:], gamma)
}

// saturateLeast bounds the exponent; saturateRound, added and taken away, rounds to a whole number.
const (
	saturateLeast = -40
	saturateRound = 0x1.8p52
)

func saturatePortable(dst, d []float32, gamma float64) {
	for i, v := range d {
		y := max(float64(v)*float64(v)*-gamma, saturateLeast)
		n := math.FMA(y, math.Log2E, saturateRound)
		t := math.FMA(n-saturateRound, -math.Ln2, y)
		p := 1.0 / 3628800
		for _, c := range [...]float64{1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
			1.0 / 24, 1.0 / 6, 1.0 / 2, 1} {
			p = math.FMA(p, t, c)
		}
		s := math.Float64frombits((math.Float64bits(n) + 1023) << 52)
		dst[i] = float32(math.FMA(-s, p*t, 1-s))
	}
}
