package competitive

import "math"

// rates returns learning rates. The schedule's clock is the number of rows learnt.
type rates struct {
	Rate
	falling float64 // of Power, at present
}

// pace is the number of rows for which Power keeps a rate, as it costs more than learning a row.
const pace = 64

// tick brings Power to where rows have been learnt.
func (r *rates) tick(rows int64) {
	if r.Schedule == Power && rows%pace == 0 {
		r.falling = max(r.Least, float64(r.Start*power(1+float64(rows)/r.HalfWay, -r.Exponent)))
	}
}

// learn returns the learning rate of a prototype that has won so often, its start counted.
func (r *rates) learn(wins float64) float64 {
	switch r.Schedule {
	case Harmonic:
		return max(r.Least, 1/(1+wins))
	case Power:
		return r.falling
	}
	return r.Start
}

// unlearn returns the unlearning rate beside a learning rate, as they fall in proportion.
func (r *rates) unlearn(learn float64) float64 {
	if r.Unlearn <= 0 {
		return 0
	}
	return r.Unlearn * min(1, learn/r.Start)
}

// power returns x^e for x > 0 and |e·ln x| < 700, to about 15 digits. Every product is fused or
// rounded by itself, unlike those of package math, so that all processors agree.
func power(x, e float64) float64 { return exponential(float64(e * logarithm(x))) }

// logarithm is ln x, by the series of 2·artanh((m−1)/(m+1)) for the fraction m of x, in [½, 1).
func logarithm(x float64) float64 {
	m, exp := math.Frexp(x)
	s := (m - 1) / (m + 1)
	square, sum := float64(s*s), 0.0
	for i := 41; i >= 1; i -= 2 { // (1/3)⁴¹ is nothing beside 1
		sum = math.FMA(sum, square, 1/float64(i))
	}
	return math.FMA(float64(exp), math.Ln2, float64(2*s)*sum)
}

// exponential is e^y, by its series for what is left of y beside a multiple of ln 2.
func exponential(y float64) float64 {
	whole := math.Round(y / math.Ln2)
	rest, sum := math.FMA(-whole, math.Ln2, y), 1.0
	for i := 18; i >= 1; i-- {
		sum = math.FMA(sum, rest/float64(i), 1)
	}
	return math.Ldexp(sum, int(whole))
}
