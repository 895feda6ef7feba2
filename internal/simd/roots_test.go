package simd

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestRootsOfLevelsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for n := range 70 {
		n += n / 60 * 20_000
		squares, weights := make([]float64, n), make([]float64, n)
		want := make([]float32, n)
		var sum RootSum
		for i := range squares {
			squares[i] = math.Ldexp(rng.Float64(), rng.IntN(200)-150)
			weights[i] = rng.Float64() - 0.3
			want[i] = float32(math.Sqrt(squares[i]))
			l, root := i%8, float64(weights[i]*math.Sqrt(squares[i]))
			high := sum.high[l]
			sum.high[l] += root
			part := sum.high[l] - high
			sum.low[l] += (high - (sum.high[l] - part)) + (root - part)
		}
		for _, at := range levels() {
			got := make([]float32, n+1)
			got[n] = 77
			roots(at, got[:n], squares)
			sameBits(t, fmt.Sprintf("%v: %d values", at, n), got[:n], want)
			if got[n] != 77 {
				t.Errorf("%v: written past value %d", at, n)
			}
			var other RootSum
			if other.add(at, squares, weights); other != sum {
				t.Errorf("%v: the sum of %d roots is %v, want %v", at, n, other, sum)
			}
		}
	}
}

// A sum of roots is that of exact arithmetic, rounded, in any order.
func TestRootSumIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	squares, ones := make([]float64, 10_001), make([]float64, 10_001)
	exact := new(big.Float).SetPrec(500)
	for i := range squares {
		squares[i], ones[i] = math.Exp(10*rng.NormFloat64()), 1
		exact.Add(exact, big.NewFloat(math.Sqrt(squares[i])))
	}
	want, _ := exact.Float64()
	for range 5 {
		rng.Shuffle(len(squares), func(i, j int) {
			squares[i], squares[j] = squares[j], squares[i]
		})
		var a, b RootSum
		a.Add(squares[:777], ones[:777])
		b.Add(squares[777:], ones[777:])
		if a.Plus(&b, 1); a.Value() != want {
			t.Errorf("the sum is %v, want %v", a.Value(), want)
		}
		var c RootSum
		if c.Plus(&a, 0.25); c.Value() != want/4 {
			t.Errorf("a quarter is %v, want %v", c.Value(), want/4)
		}
	}
}

func BenchmarkRoots(b *testing.B) {
	const n = 10_000
	squares, weights, dst := make([]float64, n), make([]float64, n), make([]float32, n)
	for i := range squares {
		squares[i], weights[i] = float64(i), 1
	}
	for _, at := range levels() {
		b.Run(at.String()+"/single", func(b *testing.B) {
			for b.Loop() {
				roots(at, dst, squares)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
		})
		b.Run(at.String()+"/sum", func(b *testing.B) {
			for b.Loop() {
				new(RootSum).add(at, squares, weights)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
		})
	}
}
