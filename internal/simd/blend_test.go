package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFirstOfLevelsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for n := range 150 {
		n += n / 149 * (callWork + 70)
		x, reach := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], reach[i] = 1+rng.Float32(), float32(math.Inf(-1))
		}
		want := n
		for _, hits := range []int{0, 1, 3} {
			for range min(hits, n) {
				i := rng.IntN(n)
				reach[i] = x[i] // equal counts
				want = min(want, i)
			}
			for _, at := range levels() {
				if got := firstWithin(at, x, reach); got != want {
					t.Errorf("%v: of %d values the first within reach is %d, want %d", at, n, got, want)
				}
				least, limit := n, float32(0.5)
				if n > 0 {
					limit = slices.Min(x)
					least = slices.Index(x, limit)
				}
				if got := firstAtMost(at, x, limit); got != least {
					t.Errorf("%v: the first of %d at most %v is %d, want %d", at, n, limit, got, least)
				}
				if got := firstAtMost(at, x, 0.5); got != n {
					t.Errorf("%v: value %d of %d is at most 0.5", at, got, n)
				}
			}
		}
	}
}

func TestRaiseAndBlendOfLevelsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	special := []float32{0, float32(math.Copysign(0, -1)), 1, math.MaxFloat32, 1e-45,
		math.SmallestNonzeroFloat32, 3e38}
	value := func() float32 {
		if rng.IntN(3) == 0 {
			return special[rng.IntN(len(special))]
		}
		return float32(math.Ldexp(rng.Float64(), rng.IntN(40)-20))
	}
	for n := range 150 {
		n += n / 149 * (callWork + 70)
		a, b := make([]float32, n), make([]float32, n)
		for i := range a {
			if a[i], b[i] = value(), value(); rng.IntN(4) == 0 {
				b[i] = a[i]
			}
		}
		p := rng.Float64()
		q := 1 - p
		raised, blended := slices.Clone(a), slices.Clone(a)
		for i, v := range b {
			raised[i] = max(a[i], v)
			x, y := float64(a[i]), float64(v)
			mean := max(float64(p*x)+float64(q*y), min(x, y))
			blended[i] = float32(min(mean, math.MaxFloat32))
		}
		for _, at := range levels() {
			got := slices.Clone(a)
			raise(at, got, b)
			sameBits(t, fmt.Sprintf("%v: %d values raised", at, n), got, raised)
			got = slices.Clone(a)
			blend(at, got, b, p, q)
			sameBits(t, fmt.Sprintf("%v: %d values blended", at, n), got, blended)
		}
	}
}
