package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// docMoments is the loop of the documentation, word for word.
func docMoments[T Float](acc []float64, cols []T, stride, f int, at []int32, d []float32,
	dAt []int) {
	for r := range at {
		for l := range MomentLanes {
			w, e := float64(d[dAt[r]+l]), l
			v := func(q int) float64 { return float64(cols[q*stride+int(at[r])+l]) }
			for a := range f {
				for b := a; b < f; b++ {
					acc[e] = fma(v(a), v(b), acc[e])
					e += MomentLanes
				}
			}
			for a := range f {
				acc[e] += v(a)
				acc[e+f*MomentLanes] = fma(w, v(a), acc[e+f*MomentLanes])
				e += MomentLanes
			}
			acc[e+f*MomentLanes] += w
		}
	}
}

// momentTerms returns columns, weights and terms anywhere in them, the first and the last places
// among them.
func momentTerms[T Float](f, terms int, seed uint64) (cols []T, stride int, at []int32, d []float32,
	dAt []int) {
	rng := rand.New(rand.NewPCG(seed, uint64(f)))
	n := MomentLanes + rng.IntN(60)
	stride = n + rng.IntN(4)
	cols, d = noise[T](max(0, f-1)*stride+n, seed+1),
		noise[float32](MomentLanes+rng.IntN(200), seed+2)
	at, dAt = make([]int32, terms), make([]int, terms)
	for r := range at {
		at[r], dAt[r] = int32(rng.IntN(n-MomentLanes+1)), rng.IntN(len(d)-MomentLanes+1)
	}
	if terms > 1 {
		at[0], dAt[0] = int32(n-MomentLanes), len(d)-MomentLanes
		at[terms-1], dAt[terms-1] = 0, 0
	}
	return cols, stride, at, d, dAt
}

func TestMomentsOfLevelsAgree(t *testing.T) {
	t.Run("float64", func(t *testing.T) { momentsAgree[float64](t) })
	t.Run("float32", func(t *testing.T) { momentsAgree[float32](t) })
}

func momentsAgree[T Float](t *testing.T) {
	columns := []int{0, 29, 31, 64, 400}
	for f := 1; f <= 22; f++ {
		columns = append(columns, f)
	}
	for _, f := range columns {
		for i, terms := range []int{0, 1, 2, 7, 25, 100, 1000} {
			// more columns need no more terms to go through all there is
			if f*terms > 800 && f != 5 || f == 400 && terms != 2 {
				continue
			}
			cols, stride, at, d, dAt := momentTerms[T](f, terms, uint64(10*i))
			start := noise[float64](MomentCount(f)*MomentLanes, 9)
			want := append([]float64(nil), start...)
			docMoments(want, cols, stride, f, at, d, dAt)
			for _, l := range levels() {
				got := append([]float64(nil), start...)
				moments(l, got, cols, stride, f, at, d, dAt)
				sameBits(t, fmt.Sprintf("%v: f=%d, %d terms", l, f, terms), got, want)
			}
		}
	}
}

// TestMomentsAreMoments sums each entry by itself.
func TestMomentsAreMoments(t *testing.T) {
	for _, f := range []int{1, 3, 5, 8, 16, 21} {
		cols, stride, at, d, dAt := momentTerms[float64](f, 50, 3)
		acc := make([]float64, MomentCount(f)*MomentLanes)
		Moments(acc, cols, stride, f, at, d, dAt)
		for l := range MomentLanes {
			e := 0
			check := func(what string, term func(r int) float64) {
				t.Helper()
				want, size := 0.0, 0.0
				for r := range at {
					want += term(r)
					size += math.Abs(term(r))
				}
				if got := acc[e*MomentLanes+l]; math.Abs(got-want) > 1e-14*size {
					t.Errorf("f=%d, lane %d: %s is %g, want %g", f, l, what, got, want)
				}
				e++
			}
			v := func(q, r int) float64 { return cols[q*stride+int(at[r])+l] }
			w := func(r int) float64 { return float64(d[dAt[r]+l]) }
			for a := range f {
				for b := a; b < f; b++ {
					check(fmt.Sprintf("product %d,%d", a, b),
						func(r int) float64 { return v(a, r) * v(b, r) })
				}
			}
			for a := range f {
				check(fmt.Sprintf("sum %d", a), func(r int) float64 { return v(a, r) })
			}
			for a := range f {
				check(fmt.Sprintf("weighted sum %d", a),
					func(r int) float64 { return w(r) * v(a, r) })
			}
			check("weights", w)
			if e != MomentCount(f) {
				t.Fatalf("%d entries, counted %d", e, MomentCount(f))
			}
		}
	}
}

func TestMomentsNeedTheirTerms(t *testing.T) {
	const f, n, stride = 2, 20, 21
	cols, d := make([]float64, stride+n), make([]float32, 30)
	acc := make([]float64, MomentCount(f)*MomentLanes)
	for name, call := range map[string]func(){
		"values past the end": func() {
			Moments(acc, cols, stride, f, []int32{0, n - 7}, d,
				[]int{0, 0})
		},
		"values before": func() {
			Moments(acc, cols, stride, f, []int32{-1, 0}, d,
				[]int{0, 0})
		},
		"weights past the end": func() {
			Moments(acc, cols, stride, f, []int32{0, 0}, d,
				[]int{23, 0})
		},
		"weights before": func() {
			Moments(acc, cols, stride, f, []int32{0, 0}, d,
				[]int{0, -1})
		},
		"too few weight places": func() {
			Moments(acc, cols, stride, f, []int32{0, 0}, d,
				[]int{0})
		},
		"short sums": func() {
			Moments(acc[1:], cols, stride, f, []int32{0}, d,
				[]int{0})
		},
		"stride below 0": func() { Moments(acc, cols, -stride, f, []int32{0}, d, []int{0}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func BenchmarkMoments(b *testing.B) {
	for _, f := range []int{3, 5, 8, 16, 21} {
		b.Run(fmt.Sprintf("f=%d/float64", f), func(b *testing.B) { benchMoments[float64](b, f) })
		b.Run(fmt.Sprintf("f=%d/float32", f), func(b *testing.B) { benchMoments[float32](b, f) })
	}
}

// benchMoments has columns that fit the nearest caches, as many terms as an object has comparisons.
func benchMoments[T Float](b *testing.B, f int) {
	const n, terms = 2000, 200
	cols, d := noise[T](f*n, 1), noise[float32](terms*MomentLanes, 2)
	at, dAt := make([]int32, terms), make([]int, terms)
	rng := rand.New(rand.NewPCG(3, 4))
	for r := range at {
		at[r], dAt[r] = int32(rng.IntN(n-MomentLanes+1)), r*MomentLanes
	}
	acc := make([]float64, MomentCount(f)*MomentLanes)
	for _, l := range levels() {
		b.Run(l.String(), func(b *testing.B) {
			for b.Loop() {
				moments(l, acc, cols, n, f, at, d, dAt)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/terms, "ns/term")
		})
	}
}

// BenchmarkMomentsOfAll takes all objects past their comparisons, whose weights do not fit the
// caches.
func BenchmarkMomentsOfAll(b *testing.B) {
	const n, terms = 10_000, 200
	for _, f := range []int{5, 16} {
		cols, d := noise[float64](f*(n+MomentLanes), 1), noise[float32](terms*n, 2)
		offset, at, dAt := make([]int, terms), make([]int32, terms), make([]int, terms)
		rng := rand.New(rand.NewPCG(3, 4))
		for r := range offset {
			offset[r] = rng.IntN(n)
		}
		acc := make([]float64, MomentCount(f)*MomentLanes)
		for _, l := range levels()[1:] {
			b.Run(fmt.Sprintf("f=%d/%v", f, l), func(b *testing.B) {
				for b.Loop() {
					for i := 0; i < n; i += MomentLanes {
						for r, o := range offset {
							at[r], dAt[r] = int32((i+o)%n), r*n+i
						}
						moments(l, acc, cols, n+MomentLanes, f, at, d, dAt)
					}
				}
				each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				b.ReportMetric(each/(terms*n/MomentLanes), "ns/term")
			})
		}
	}
}
