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
	N        int64
	Min, Max float64
	Mean     float64
	Sum      float64 // with what its roundings lost; not finite where it is too large
	Lost     float64
	Squares  float64 // Σ(x − mean)² / 4^power
	Power    int64
}

// gather returns the moments of the values present in column j of x; with which, of the rows that
// it names alone.
func gather(x dataset.Matrix, j int, which []bool) (m moments) {
	d := x.Cols
	m.Min, m.Max = math.Inf(1), math.Inf(-1)
	for i := range x.Rows {
		v := x.F64[i*d+j]
		if v != v || which != nil && !which[i] {
			continue
		}
		m.N++
		m.Sum += v
		m.Min, m.Max = min(m.Min, v), max(m.Max, v)
	}
	if m.N == 0 {
		return moments{}
	}
	n := float64(m.N)
	if m.Mean = m.Sum / n; !finite(m.Sum) {
		m.Mean = 0
		for i := range x.Rows {
			if v := x.F64[i*d+j]; v == v && (which == nil || which[i]) {
				m.Mean += float64(v / n)
			}
		}
	}
	m.Mean = max(m.Min, min(m.Mean, m.Max))
	m.Power = powerOf(m.Max/2 - m.Min/2)
	inverse := ldexp(1, -m.Power)
	for i := range x.Rows {
		if v := x.F64[i*d+j]; v == v && (which == nil || which[i]) {
			u := float64(v*inverse) - float64(m.Mean*inverse)
			if m.Power < 0 {
				u = float64(v-m.Mean) * inverse
			}
			m.Squares += float64(u * u)
		}
	}
	return m
}

// powerOf returns the exponent of a power of two near twice v, and of which the inverse is a normal
// number too.
func powerOf(v float64) int64 {
	_, e := math.Frexp(v)
	return int64(max(-1000, min(e+1, 1000)))
}

func ldexp(v float64, power int64) float64 { return math.Ldexp(v, int(power)) }

func finite(v float64) bool { return v-v == 0 }

// merge takes the moments of later values into m (Chan, Golub & LeVeque 1979).
func (m *moments) merge(o moments) {
	if o.N == 0 {
		return
	}
	if m.N == 0 {
		*m = o
		return
	}
	low, high := min(m.Min, o.Min), max(m.Max, o.Max)
	power := powerOf(high/2 - low/2)
	a, b := float64(m.N), float64(o.N)
	share := b / (a + b)
	half := o.Mean/2 - m.Mean/2
	u := ldexp(half, 1-power)
	m.Squares = ldexp(m.Squares, 2*(m.Power-power)) + ldexp(o.Squares,
		2*(o.Power-power)) + float64(float64(u*u)*float64(a*share))
	step := float64(half * share) // twice, as one of its size may be beyond float64
	m.Mean = max(low, min(m.Mean+step+step, high))
	m.N, m.Min, m.Max, m.Power = m.N+o.N, low, high, power
	m.add(o.Sum)
	m.Lost += o.Lost
}

// add sums up with compensation (Neumaier 1974).
func (m *moments) add(v float64) {
	t := m.Sum + v
	if math.Abs(m.Sum) >= math.Abs(v) {
		m.Lost += (m.Sum - t) + v
	} else {
		m.Lost += (v - t) + m.Sum
	}
	m.Sum = t
}

// figures returns what people want to know.
func (m *moments) figures() Figures {
	if m.N == 0 {
		return Figures{}
	}
	f := Figures{Min: m.Min, Max: m.Max, Mean: m.Mean}
	if sum := m.Sum + m.Lost; finite(sum) {
		f.Mean = max(m.Min, min(sum/float64(m.N), m.Max))
	}
	f.Deviation = min(ldexp(math.Sqrt(m.Squares/float64(m.N)), m.Power), math.MaxFloat64)
	f.Variance = min(ldexp(m.Squares/float64(m.N), 2*m.Power), math.MaxFloat64)
	return f
}
