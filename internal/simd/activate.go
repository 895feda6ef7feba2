package simd

import "math"

// GELU replaces each value x by x·Φ(x), where Φ is the standard normal distribution function, within
// 2e-7·max(1, |x|): the activation of BERT, not its approximation by a hyperbolic tangent.
//
//	for i, v := range x {
//		y := max(min(v, 5.6), -5.6)
//		u := y * y
//		p, q := geluP[0], geluQ[0]
//		for _, c := range geluP[1:] {
//			p = fma(p, u, c)
//		}
//		for _, c := range geluQ[1:] {
//			q = fma(q, u, c)
//		}
//		h := 0.5 * v
//		x[i] = fma(h, y*p/q, h) // y·p/q is erf(y/√2)
//	}
func GELU(x []float32) { gelu(active, x) }

// geluP and geluQ are the coefficients of a rational function of u = y² that is erf(y/√2)/y for
// |y| ≤ 5.6 within 2.2e-8 of it, the highest first, by least squares weighted towards the greatest
// errors. Generated code has them, too.
var (
	geluP = [...]float32{4.45884644761918e-08, 1.2579004760482349e-05, 0.0003378779801,
		0.009354807436, 0.06786070019, 0.7978845238685608}
	geluQ = [...]float32{1.179543573925912e-06, 7.334553083637729e-05, 0.0018855478847,
		0.02867824211716652, 0.2517170906, 1}
)

func gelu(at level, x []float32) {
	inVectors(at, x, func(x []float32) { geluVectors(at, x) }, geluPortable)
}

// inVectors calls vectors for whole vectors of x, the last of them in part, or else portable.
func inVectors(at level, x []float32, vectors, portably func(x []float32)) {
	if at == portable {
		portably(x)
		return
	}
	whole := len(x) - len(x)%vectorLanes[float32](at)
	const chunk = callWork / 16
	for lo := 0; lo < whole; lo += chunk {
		vectors(x[lo:min(whole, lo+chunk)])
	}
	if rest := x[whole:]; len(rest) > 0 {
		var room [16]float32
		last := room[:vectorLanes[float32](at)]
		copy(last, rest)
		vectors(last)
		copy(rest, last)
	}
}

func geluPortable(x []float32) {
	for i, v := range x {
		y := max(min(v, 5.6), -5.6)
		u := float32(y * y)
		p, q := geluP[0], geluQ[0]
		for _, c := range geluP[1:] {
			p = fma32(p, u, c)
		}
		for _, c := range geluQ[1:] {
			q = fma32(q, u, c)
		}
		h := float32(0.5 * v)
		x[i] = fma32(h, float32(float32(y*p)/q), h)
	}
}

// Exp replaces each value x by exp(x − shift), within 2 units in the last place. Below −87 it is
// exp(−87), about 1.6e-38, and above 88 exp(88).
//
//	for i, v := range x {
//		y := min(max(v-shift, -87), 88)
//		n := fma(y, math.Log2E, 0x1.8p23) // k in its last bits, rounded to even
//		k := n - 0x1.8p23
//		t := fma(k, -0x1.7f7d1cp-20, fma(k, -0x1.62e4p-1, y)) // y − k·ln 2, ln 2 in two parts
//		p := float32(1.0/5040)
//		for m := 6; m >= 0; m-- {
//			p = fma(p, t, 1/m!)
//		}
//		x[i] = math.Ldexp(p, int(k))
//	}
func Exp(x []float32, shift float32) { exps(active, x, shift) }

func exps(at level, x []float32, shift float32) {
	inVectors(at, x, func(x []float32) { expVectors(at, x, shift) },
		func(x []float32) { expPortable(x, shift) })
}

func expPortable(x []float32, shift float32) {
	const round = 0x1.8p23
	for i, v := range x {
		y := min(max(v-shift, -87), 88)
		n := fma32(y, math.Log2E, round)
		k := n - round
		t := fma32(k, -0x1.7f7d1cp-20, fma32(k, -0x1.62e4p-1, y))
		p := float32(1.0 / 5040)
		for _, c := range [...]float32{1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1} {
			p = fma32(p, t, c)
		}
		x[i] = float32(p * math.Float32frombits((math.Float32bits(n)+127)<<23))
	}
}
