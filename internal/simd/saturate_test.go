package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// docSaturate is the loop of the documentation, word for word but for the factorial.
func docSaturate(dst, d []float32, gamma float64) {
	for i, v := range d {
		y := max(float64(v)*float64(v)*-gamma, -40)
		n := fma(y, math.Log2E, 0x1.8p52)
		k := n - 0x1.8p52
		t := fma(k, -math.Ln2, y)
		factorial := 3628800.0
		p := 1 / factorial
		for m := 9; m > 0; m-- {
			factorial /= float64(m + 1)
			p = fma(p, t, 1/factorial)
		}
		s := math.Ldexp(1, int(k))
		dst[i] = float32(fma(-s, p*t, 1-s))
	}
}

// saturateValues returns dissimilarities for which gamma·d² is anything from nothing to far too
// much.
func saturateValues(n int, gamma float64) []float32 {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	out := make([]float32, n)
	for i := range out {
		switch root := 1 / math.Sqrt(gamma); rng.IntN(8) {
		case 0:
			out[i] = 0
		case 1: // any float32 at all
			out[i] = math.Float32frombits(rng.Uint32() >> 1 % 0x7f800000)
		case 2: // a small one
			out[i] = float32(root * math.Ldexp(rng.Float64(), -rng.IntN(60)))
		default: // the exponent from 0 to about 25, and below 0.35 often
			out[i] = float32(root * 5 * math.Pow(rng.Float64(), float64(1+rng.IntN(3))))
		}
	}
	return out
}

func TestSaturateOfLevelsAgree(t *testing.T) {
	for _, gamma := range []float64{0, 1, 0.3, 1e-30, 1e30, math.MaxFloat64, 5e-324} {
		for n := range 70 {
			n += n / 60 * 20_000
			d := saturateValues(n, min(max(gamma, 1e-60), 1e60))
			want := make([]float32, n)
			docSaturate(want, d, gamma)
			for _, at := range levels() {
				got := make([]float32, n+1)
				got[n] = 77
				saturate(at, got, d, gamma)
				sameBits(t, fmt.Sprintf("%v: %d values, gamma %g", at, n, gamma), got[:n], want)
				if got[n] != 77 {
					t.Errorf("%v: written past value %d", at, n)
				}
				place := slices.Clone(d)
				saturate(at, place, place, gamma)
				sameBits(t, fmt.Sprintf("%v in place: %d values, gamma %g", at, n, gamma), place,
					want)
			}
		}
	}
}

func TestSaturateIsAccurate(t *testing.T) {
	for _, gamma := range []float64{1, 0.07, 1e-20, 1e20} {
		d := saturateValues(100_000, gamma)
		got := make([]float32, len(d))
		Saturate(got, d, gamma)
		for i, v := range d {
			want := -math.Expm1(-gamma * float64(v) * float64(v))
			// half a unit in the last place
			half := 0x1p-25 * math.Ldexp(1, max(math.Ilogb(want)+1, -125))
			if err := math.Abs(float64(got[i]) - want); err > 1.001*half {
				t.Fatalf("gamma %g: of %g %g, exactly %g", gamma, v, got[i], want)
			}
		}
	}
}

func TestSaturateEnds(t *testing.T) {
	got := make([]float32, 4)
	Saturate(got, []float32{0, 0x1p-40, 9, math.MaxFloat32}, 1)
	if want := []float32{0, 0x1p-80, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("got %g, want %g", got, want)
	}
}

func BenchmarkSaturate(b *testing.B) {
	const n = 10_000
	d, dst := saturateValues(n, 1), make([]float32, n)
	for _, at := range levels() {
		b.Run(at.String(), func(b *testing.B) {
			for b.Loop() {
				saturate(at, dst, d, 1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
		})
	}
}
