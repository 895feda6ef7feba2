package simd

import (
	"fmt"
	"math"
	"testing"
)

// filled makes padded rows of noise, and returns the rows as they would lie without padding.
func filled(at level, k, d int) (*Padded, []float64) {
	rows := noise[float64](k*d, 2)
	p := newPadded(at, k, d)
	for i := range k {
		copy(p.Row(i), rows[i*d:(i+1)*d])
	}
	return p, rows
}

// TestPaddedLevelsAgree holds every level against the loops of the documentation, for every rest of
// a vector and of a group.
func TestPaddedLevelsAgree(t *testing.T) {
	for d := 1; d <= 41; d++ {
		for k := 1; k <= 20; k++ {
			x := noise[float64](d, 1)
			for _, at := range levels() {
				p, rows := filled(at, k, d)
				what := fmt.Sprintf("%v: %d×%d", at, k, d)
				want, got := make([]float64, k), make([]float64, p.Len())
				for i := range want {
					want[i] = docSquaredDistance(x, rows[i*d:(i+1)*d])
				}
				p.Distances(got, x)
				sameBits(t, what+", distances", got[:k], want)
				for i, rate := range []float64{0.05, -0.002, 1, 0} {
					row := rows[i%k*d:][:d]
					for j, v := range row {
						row[j] = math.FMA(rate, x[j]-v, v)
					}
					p.Toward(i%k, x, rate)
				}
				for i := range k {
					sameBits(t, what+", moved", p.Row(i), rows[i*d:(i+1)*d])
				}
				for i, v := range p.rows {
					if (i%p.width >= d || i/p.width >= k) && math.Float64bits(v) != 0 {
						t.Fatalf("%s: the padding holds %g", what, v)
					}
				}
			}
		}
	}
}

func TestPaddedByHand(t *testing.T) {
	for _, at := range levels() {
		p := newPadded(at, 2, 3)
		copy(p.Row(1), []float64{0, 10, -4})
		p.Toward(1, []float64{8, 10, 0}, 0.25)
		sameBits(t, at.String(), p.Row(1), []float64{2, 10, -3})
		p.Toward(1, []float64{4, 0, -3}, -0.5)
		sameBits(t, at.String(), p.Row(1), []float64{1, 15, -3})
		dst := make([]float64, p.Len())
		p.Distances(dst, []float64{1, 12, 1})
		sameBits(t, at.String(), dst[:2], []float64{146, 25})
	}
}

// TestPaddedInManyCalls is about more work than one call of assembly takes.
func TestPaddedInManyCalls(t *testing.T) {
	const k, d = 70, 4100
	x := noise[float64](d, 1)
	var want []float64
	for _, at := range levels() {
		p, _ := filled(at, k, d)
		got := make([]float64, p.Len())
		p.Distances(got, x)
		if want == nil {
			want = got
		}
		sameBits(t, at.String(), got[:k], want[:k])
	}
}

// TestWithin puts each kind of value that lies outside at every position.
func TestWithin(t *testing.T) {
	const limit = 4
	for n := range 50 {
		x := make([]float64, n)
		for i := range x {
			x[i] = limit * float64(1-i%3) // the limits themselves are within
		}
		for _, at := range levels() {
			if !within(at, x, limit) {
				t.Fatalf("%v: %d values within are said to be outside", at, n)
			}
			for i := range x {
				kept := x[i]
				for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1),
					math.Nextafter(limit, 5), -limit - 1} {
					if x[i] = v; within(at, x, limit) {
						t.Fatalf("%v: %g at %d of %d is said to be within", at, v, i, n)
					}
				}
				x[i] = kept
			}
		}
	}
}

func BenchmarkPadded(b *testing.B) {
	const k = 8
	for _, d := range []int{2, 16, 34, 128} {
		for _, at := range levels() {
			p, _ := filled(at, k, d)
			x, dst := noise[float64](d, 1), make([]float64, p.Len())
			b.Run(fmt.Sprintf("distances/d=%d/%v", d, at), func(b *testing.B) {
				for b.Loop() {
					p.Distances(dst, x)
				}
			})
			b.Run(fmt.Sprintf("both/d=%d/%v", d, at), func(b *testing.B) {
				for b.Loop() {
					p.Distances(dst, x)
					p.Toward(1, x, 0.05)
				}
			})
		}
	}
}

func BenchmarkWithin(b *testing.B) {
	x := make([]float64, 34*1024)
	for _, at := range levels() {
		b.Run(at.String(), func(b *testing.B) {
			b.SetBytes(int64(8 * len(x)))
			for b.Loop() {
				within(at, x, 1)
			}
		})
	}
}
