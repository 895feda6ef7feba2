package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// factorShapes are rows, columns of rows and columns of the factor.
var factorShapes = []struct{ m, k, n int }{{1, 1, 1}, {1, 7, 48}, {2, 3, 24}, {3, 5, 23}, {7, 32, 49},
	{8, 64, 96}, {15, 9, 30}, {70, 33, 100}, {9, 3000, 50}, {200, 400, 49}}

// docMultiply is the loop of the documentation, for factor[j][c] = columns[c*k+j].
func docMultiply(out []float32, to int, rows []float32, stride, m int, columns, start []float32,
	k int) {
	for i := range m {
		for c := range start {
			s := start[c]
			for j := range k {
				s = fma(columns[c*k+j], rows[i*stride+j], s)
			}
			out[i*to+c] = s
		}
	}
}

func TestProductsWithFactorsOfLevelsAgree(t *testing.T) {
	for _, s := range factorShapes {
		for _, gap := range []int{0, 5} {
			stride, to := s.k+gap, s.n+gap
			rows, columns := noise[float32](s.m*stride, 1), noise[float32](s.n*s.k, 2)
			start := noise[float32](s.n, 3)
			want := noise[float32](s.m*to, 4)
			docMultiply(want, to, rows, stride, s.m, columns, start, s.k)
			across := make([]float32, s.k*to) // the same factor, row by row
			for c := range s.n {
				for j := range s.k {
					across[j*to+c] = columns[c*s.k+j]
				}
			}
			for _, at := range levels() {
				what := fmt.Sprintf("%v: %v, gap %d", at, s, gap)
				f := newFactor(at, s.k+3, s.n+30)
				f.Reset(s.k, s.n)
				f.Start(start)
				f.Columns(columns, s.k)
				got := noise[float32](s.m*to, 4)
				f.Multiply(got, to, rows, stride, s.m)
				sameBits(t, what, got, want)
				f.Columns(noise[float32](s.n*s.k, 5), s.k)
				f.Rows(across, to)
				got = noise[float32](s.m*to, 4)
				f.Multiply(got, to, rows, stride, s.m)
				sameBits(t, what+" by rows", got, want)
			}
		}
	}
}

// activationValues are float32 of all sizes that matter, and some that do not.
func activationValues() []float32 {
	x := []float32{0, float32(math.Copysign(0, -1)), 5.6, -5.6, 1e30, -1e30, 87, -87, 88, -200,
		math.SmallestNonzeroFloat32}
	for _, v := range noise[float32](20_000, 6) {
		x = append(x, v*3, v*30, v*1e-3)
	}
	return x
}

func TestActivationsOfLevelsAgree(t *testing.T) {
	for n := range 70 {
		x := activationValues()[:n]
		if n == 69 {
			x = activationValues()
		}
		for name, do := range map[string]func(level, []float32){"gelu": gelu,
			"exp": func(at level, x []float32) { exps(at, x, 0.3) }} {
			want := append([]float32(nil), x...)
			do(portable, want)
			for _, at := range levels() {
				got := append([]float32(nil), x...)
				do(at, got)
				sameBits(t, fmt.Sprintf("%s %v: %d values", name, at, n), got, want)
			}
		}
	}
}

func TestActivationsAreAccurate(t *testing.T) {
	x := activationValues()
	g, e := append([]float32(nil), x...), append([]float32(nil), x...)
	GELU(g)
	Exp(e, 1.5)
	for i, v := range x {
		v := float64(v)
		want := v / 2 * math.Erfc(-v/math.Sqrt2)
		if off := math.Abs(float64(g[i]) - want); off > 2e-7*max(1, math.Abs(v)) {
			t.Fatalf("GELU(%v) is %v, %v", v, g[i], want)
		}
		want = math.Exp(min(max(float64(x[i]-1.5), -87), 88))
		if off := math.Abs(float64(e[i])/want - 1); off > 2*0x1p-23 {
			t.Fatalf("Exp(%v - 1.5) is %v, %v", v, e[i], want)
		}
	}
}

func BenchmarkMultiply(b *testing.B) {
	for _, s := range []struct{ m, k, n int }{{128, 384, 384}, {512, 384, 1536}, {512, 1536, 384},
		{16, 32, 16}} {
		rng := rand.New(rand.NewPCG(1, 2)) // without the whole numbers of noise
		rows, columns := make([]float32, s.m*s.k), make([]float32, s.k*s.n)
		for _, values := range [][]float32{rows, columns} {
			for i := range values {
				values[i] = float32(rng.NormFloat64())
			}
		}
		out := make([]float32, s.m*s.n)
		for _, at := range levels() {
			f := newFactor(at, s.k, s.n)
			f.Columns(columns, s.k)
			b.Run(fmt.Sprintf("%v/%dx%dx%d", at, s.m, s.k, s.n), func(b *testing.B) {
				for b.Loop() {
					f.Multiply(out, s.n, rows, s.k, s.m)
				}
				b.ReportMetric(2*float64(s.m*s.k*s.n)*float64(b.N)/float64(b.Elapsed().Nanoseconds()),
					"GFLOP/s")
			})
		}
	}
}

func BenchmarkActivations(b *testing.B) {
	x := noise[float32](10_000, 1)
	for _, at := range levels() {
		for name, do := range map[string]func(level, []float32){"gelu": gelu,
			"exp": func(at level, x []float32) { exps(at, x, 0.3) }} {
			b.Run(name+"/"+at.String(), func(b *testing.B) {
				for b.Loop() {
					do(at, x)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/value")
			})
		}
	}
}
