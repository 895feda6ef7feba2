package survey

import (
	"math"

	"github.com/kindred-go/kindred/data/dataset"
)

// moments are what some values of a column come to. The squared distances from their mean are held
// as a multiple of 4^power, with 2^power near the range of the values, so that they stay within
// float64 whatever the unit of the column. No field is ever infinite where the values are not; all
// can be sent as they are.
type moments struct {
	n        int64
	min, max float64
	mean     float64
	sum      float64 // with what its roundings lost; not finite where it is too large
	lost     float64
	squares  float64 // Σ(x − mean)² / 4^power
	power    int
}

// gather returns the moments of the values present in column j of x; with which, of the rows that
// it names alone.
func gather(x dataset.Matrix, j int, which []bool) (m moments) {
	d := x.Cols
	m.min, m.max = math.Inf(1), math.Inf(-1)
	for i := range x.Rows {
		v := x.F64[i*d+j]
		if v != v || which != nil && !which[i] {
			continue
		}
		m.n++
		m.sum += v
		m.min, m.max = min(m.min, v), max(m.max, v)
	}
	if m.n == 0 {
		return moments{}
	}
	n := float64(m.n)
	if m.mean = m.sum / n; !finite(m.sum) {
		m.mean = 0
		for i := range x.Rows {
			if v := x.F64[i*d+j]; v == v && (which == nil || which[i]) {
				m.mean += float64(v / n)
			}
		}
	}
	m.mean = max(m.min, min(m.mean, m.max))
	m.power = powerOf(m.max/2 - m.min/2)
	inverse := math.Ldexp(1, -m.power)
	for i := range x.Rows {
		if v := x.F64[i*d+j]; v == v && (which == nil || which[i]) {
			u := float64(v*inverse) - float64(m.mean*inverse)
			if m.power < 0 {
				u = float64(v-m.mean) * inverse
			}
			m.squares += float64(u * u)
		}
	}
	return m
}

// powerOf returns the exponent of a power of two near twice v, and of which the inverse is a normal
// number too.
func powerOf(v float64) int {
	_, e := math.Frexp(v)
	return max(-1000, min(e+1, 1000))
}

func finite(v float64) bool { return v-v == 0 }

// merge takes the moments of later values into m (Chan, Golub & LeVeque 1979).
func (m *moments) merge(o moments) {
	if o.n == 0 {
		return
	}
	if m.n == 0 {
		*m = o
		return
	}
	low, high := min(m.min, o.min), max(m.max, o.max)
	power := powerOf(high/2 - low/2)
	a, b := float64(m.n), float64(o.n)
	share := b / (a + b)
	half := o.mean/2 - m.mean/2
	u := math.Ldexp(half, 1-power)
	m.squares = math.Ldexp(m.squares, 2*(m.power-power)) + math.Ldexp(o.squares,
		2*(o.power-power)) + float64(float64(u*u)*float64(a*share))
	step := float64(half * share) // twice, as one of its size may be beyond float64
	m.mean = max(low, min(m.mean+step+step, high))
	m.n, m.min, m.max, m.power = m.n+o.n, low, high, power
	m.add(o.sum)
	m.lost += o.lost
}

// add sums up with compensation (Neumaier 1974).
func (m *moments) add(v float64) {
	t := m.sum + v
	if math.Abs(m.sum) >= math.Abs(v) {
		m.lost += (m.sum - t) + v
	} else {
		m.lost += (v - t) + m.sum
	}
	m.sum = t
}

// figures returns what people want to know.
func (m *moments) figures() Figures {
	if m.n == 0 {
		return Figures{}
	}
	f := Figures{Min: m.min, Max: m.max, Mean: m.mean}
	if sum := m.sum + m.lost; finite(sum) {
		f.Mean = max(m.min, min(sum/float64(m.n), m.max))
	}
	f.Deviation = min(math.Ldexp(math.Sqrt(m.squares/float64(m.n)), m.power), math.MaxFloat64)
	f.Variance = min(math.Ldexp(m.squares/float64(m.n), 2*m.power), math.MaxFloat64)
	return f
}
