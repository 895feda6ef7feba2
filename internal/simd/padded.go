package simd

import (
	"math"
	"unsafe"
)

// Padded holds k rows of d float64 that many vectors are compared with and that move. Each row
// begins at a whole vector and is padded with zeros, so that it is loaded and stored in whole
// vectors. Distances may run on several goroutines at a time; Toward and writing to a Row may not
// run beside anything else.
type Padded struct {
	k, d, width     int
	capacity, chunk int // rows allocated, and rows that one call of assembly takes
	at              level
	rows            []float64 // capacity rows of width values
}

// groupRows is the number of rows that the kernels take side by side at most; there is memory for a
// whole number of groups.
const groupRows = 8

// NewPadded makes k ≥ 1 rows of d ≥ 1 zeros.
func NewPadded(k, d int) *Padded { return newPadded(active, k, d) }

func newPadded(at level, k, d int) *Padded {
	const vector = 8
	p := &Padded{k: k, d: d, width: (d + vector - 1) / vector * vector,
		capacity: (k + groupRows - 1) / groupRows * groupRows, at: at}
	p.chunk = max(1, callWork/p.width/groupRows) * groupRows
	all := make([]float64, p.capacity*p.width+vector-1)
	skip := int(-uintptr(unsafe.Pointer(&all[0]))/8) % vector
	p.rows = all[skip : skip+p.capacity*p.width]
	return p
}

// Len returns the length that Distances needs: k rounded up to a multiple of 8.
func (p *Padded) Len() int { return p.capacity }

// Row returns the d values of row i, to read and to write.
func (p *Padded) Row(i int) []float64 {
	return p.rows[i*p.width:][:p.d:p.d]
}

// Distances sets dst[i] to the squared distance of x to row i, with the bits of [SquaredDistance].
// Dst has the length Len; what it holds beyond the rows has no meaning.
//
//	for i := range k {
//		dst[i] = SquaredDistance(x, p.Row(i))
//	}
func (p *Padded) Distances(dst, x []float64) {
	x = x[:p.d]
	dst = dst[:p.capacity]
	if p.at == portable {
		for i := range p.k {
			dst[i] = squaredPortable(x, p.Row(i))
		}
		return
	}
	for lo := 0; lo < len(dst); lo += p.chunk {
		paddedDistances(p.at, dst[lo:min(len(dst), lo+p.chunk)], x, p.rows[lo*p.width:])
	}
}

// Toward moves row i towards x, or away from it where rate is negative.
//
//	row := p.Row(i)
//	for j, v := range row {
//		row[j] = fma(rate, x[j]-v, v)
//	}
func (p *Padded) Toward(i int, x []float64, rate float64) {
	x = x[:p.d]
	if p.at == portable {
		row := p.Row(i)
		for j, v := range row {
			row[j] = math.FMA(rate, x[j]-v, v)
		}
		return
	}
	paddedToward(p.at, p.rows[i*p.width:(i+1)*p.width], x, rate)
}

// Within reports whether no value of x is greater than limit or less than -limit. NaN is not within
// any limit.
//
//	for _, v := range x {
//		if !(math.Abs(v) <= limit) {
//			return false
//		}
//	}
//	return true
func Within(x []float64, limit float64) bool { return within(active, x, limit) }

func within(at level, x []float64, limit float64) bool {
	if at != portable {
		for len(x) >= withinStep {
			steps := min(len(x), callWork) / withinStep
			if !withinVectors(x, steps, limit) {
				return false
			}
			x = x[steps*withinStep:]
		}
	}
	for _, v := range x {
		if !(math.Abs(v) <= limit) {
			return false
		}
	}
	return true
}

// withinStep is the number of values that the kernel of Within takes at once.
const withinStep = 16
