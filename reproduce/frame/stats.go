package frame

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Figure is a mean over repetitions.
type Figure struct {
	Value  float64 // NaN: there is None, as in the zero Figure
	Spread float64 // standard deviation over the repetitions; NaN: not known
	N      int     // repetitions; 0: not known
}

// None is no figure.
var None = Figure{Value: math.NaN(), Spread: math.NaN()}

// Reported is a mean and a standard deviation of a paper, over so many repetitions.
func Reported(mean, spread float64, n int) Figure {
	return Figure{Value: mean, Spread: spread, N: n}
}

// Printed is a figure of a paper that prints no spread.
func Printed(v float64) Figure { return Figure{Value: v, Spread: math.NaN()} }

// There reports whether there is a figure; the zero Figure is none.
func (f Figure) There() bool { return !math.IsNaN(f.Value) && f != Figure{} }

// Mean sums repetitions up; NaN among them are left out.
func Mean(values []float64) Figure {
	f := Figure{Spread: math.NaN()}
	for _, v := range values {
		if !math.IsNaN(v) {
			f.Value += v
			f.N++
		}
	}
	if f.N == 0 {
		return None
	}
	f.Value /= float64(f.N)
	if f.N < 2 {
		return f
	}
	sum := 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			d := v - f.Value
			sum += float64(d * d)
		}
	}
	f.Spread = math.Sqrt(sum / float64(f.N-1))
	return f
}

// Interval returns half the width of the 95 % confidence interval of the mean, by Student's t; NaN
// of fewer than two repetitions.
func (f Figure) Interval() float64 {
	if f.N < 2 {
		return math.NaN()
	}
	return quantile(f.N-1) * f.Spread / math.Sqrt(float64(f.N))
}

// quantile is the .975 quantile of Student's t.
func quantile(degrees int) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(degrees)}.Quantile(.975)
}

// Round rounds to so many decimals, halves away from zero.
func Round(v float64, digits int) float64 {
	unit := math.Pow10(digits)
	return math.Round(v*unit) / unit
}
