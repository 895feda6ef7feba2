package simd

import (
	"fmt"
	"testing"
)

func BenchmarkNearest(b *testing.B) {
	for _, s := range []struct{ d, k int }{{16, 25}, {32, 100}, {64, 100}, {16, 100}} {
		name := fmt.Sprintf("d=%d,k=%d", s.d, s.k)
		b.Run("float64/"+name, func(b *testing.B) { benchNearest[float64](b, s.d, s.k) })
		b.Run("float32/"+name, func(b *testing.B) { benchNearest[float32](b, s.d, s.k) })
	}
}

func benchNearest[T Float](b *testing.B, d, k int) {
	const n = 960
	rows, shift, centroids := noise[T](n*d, 1), make([]T, d), noise[T](k*d, 2)
	label, best, second := make([]int32, n), make([]T, n), make([]T, n)
	for _, at := range levels() {
		for _, second := range [][]T{nil, second} {
			name := at.String()
			if second != nil {
				name += "+second"
			}
			b.Run(name, func(b *testing.B) {
				c := newCentroids(at, centroids, d)
				var w Workspace[T]
				for b.Loop() {
					c.Nearest(&w, rows, shift, label, best, second)
				}
				b.ReportMetric(2*float64(n*d*k)*float64(b.N)/float64(b.Elapsed().Nanoseconds()),
					"GFLOP/s")
			})
		}
	}
}

func BenchmarkSquaredDistances(b *testing.B) {
	const n = 100
	for _, d := range []int{2, 16, 128} {
		x, rows, dst := noise[float64](d, 1), noise[float64](n*d, 2), make([]float64, n)
		for _, at := range levels() {
			b.Run(fmt.Sprintf("rows/d=%d/%v", d, at), func(b *testing.B) {
				for b.Loop() {
					squaredDistances(at, dst, x, rows)
				}
			})
			b.Run(fmt.Sprintf("columns/d=%d/%v", d, at), func(b *testing.B) {
				for b.Loop() {
					squaredDistancesColumns(at, dst, x, rows, n)
				}
			})
		}
	}
}

func BenchmarkAccumulate(b *testing.B) {
	const n, d, k = 960, 16, 25
	rows, shift, sums := noise[float64](n*d, 1), make([]float64, d), make([]float64, k*d)
	label := make([]int32, n)
	for i := range label {
		label[i] = int32(i * 7 % k)
	}
	for _, at := range levels() {
		b.Run(at.String(), func(b *testing.B) {
			for b.Loop() {
				accumulate(at, sums, rows, shift, label)
			}
		})
	}
}

// BenchmarkSquaredDistancesAt has rows that the nearest caches do not hold, in no order.
func BenchmarkSquaredDistancesAt(b *testing.B) {
	const n, m = 10_000, 256
	at, dst := make([]int32, m), make([]float32, m)
	for i := range at {
		at[i] = int32(i * 7919 % n)
	}
	for _, d := range []int{2, 16, 64} {
		x, rows := noise[float32](d, 1), noise[float32](n*d, 2)
		for _, l := range levels() {
			b.Run(fmt.Sprintf("d=%d/%v", d, l), func(b *testing.B) {
				for b.Loop() {
					squaredDistancesAt(l, dst, x, rows, at)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/m, "ns/row")
			})
		}
		b.Run(fmt.Sprintf("d=%d/one by one", d), func(b *testing.B) {
			for b.Loop() {
				for i, q := range at {
					dst[i] = SquaredDistance(x, rows[int(q)*d:][:d])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/m, "ns/row")
		})
	}
}
