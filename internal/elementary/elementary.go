// Package elementary has the exponential and the logarithm with the same bits on every processor:
// each product is fused or rounded by itself, unlike in package math, whose assembly and compiled
// code differ between processors.
package elementary

import "math"

// ln 2 in two parts: the first has few digits, so that its product with a whole number is exact.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = 0x1.a39ef35793c76p-33
)

// Exp returns e^x within 2 units in the last place: 0 below −745, +Inf above 709.78; NaN for NaN.
func Exp(x float64) float64 {
	switch {
	case x > 709.78:
		return math.Inf(1)
	case x < -745:
		return 0
	case x != x:
		return x
	}
	const round = 0x1.8p52 // adding it leaves no digits after the point
	whole := math.FMA(x, math.Log2E, round) - round
	r := math.FMA(-whole, ln2Low, math.FMA(-whole, ln2High, x))
	// The series of e^r to r¹³; |r| ≤ ½ ln 2.
	p := 1.0 / 6227020800
	p = math.FMA(p, r, 1.0/479001600)
	p = math.FMA(p, r, 1.0/39916800)
	p = math.FMA(p, r, 1.0/3628800)
	p = math.FMA(p, r, 1.0/362880)
	p = math.FMA(p, r, 1.0/40320)
	p = math.FMA(p, r, 1.0/5040)
	p = math.FMA(p, r, 1.0/720)
	p = math.FMA(p, r, 1.0/120)
	p = math.FMA(p, r, 1.0/24)
	p = math.FMA(p, r, 1.0/6)
	p = math.FMA(p, r, 0.5)
	p = math.FMA(p, r, 1)
	p = math.FMA(p, r, 1)
	if whole >= -1020 && whole <= 1020 {
		return p * math.Float64frombits(uint64(1023+int64(whole))<<52)
	}
	return math.Ldexp(p, int(whole))
}

// Log returns ln x within 2 units in the last place for finite x above 0: −Inf for 0, NaN below 0
// and for NaN, +Inf for +Inf.
func Log(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0 || x != x:
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	// 2·artanh(s), s = f/(2+f), less its first term in f: ln(1+f) = f − (f²/2 − s(f²/2 + R)), as
	// fdlibm has it; |s| ≤ 0.1716.
	f := m - 1
	s := f / (2 + f)
	z := float64(s * s)
	r := 2.0 / 23
	for _, c := range [...]float64{2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11,
		2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3} {
		r = math.FMA(r, z, c)
	}
	r = float64(r * z)
	half := float64(float64(f*f) / 2)
	n := float64(e)
	low := math.FMA(s, half+r, float64(n*ln2Low))
	return math.FMA(n, ln2High, f-(half-low))
}

// Power returns x^e for x > 0.
func Power(x, e float64) float64 { return Exp(float64(e * Log(x))) }
