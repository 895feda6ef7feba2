package dissim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// BenchmarkVectors times dissimilarities to 100 random rows of 100 000, and to runs of rows.
func BenchmarkVectors(b *testing.B) {
	const n, k = 100_000, 100
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range []int{2, 16, 64} {
		values := make([]float64, n*d)
		for i := range values {
			values[i] = r.NormFloat64()
		}
		for _, single := range []bool{false, true} {
			x := dataset.Matrix{Rows: n, Cols: d, F64: values}
			name := "float64"
			if single {
				x = dataset.Matrix{Rows: n, Cols: d, F32: make([]float32, n*d)}
				for i, v := range values {
					x.F32[i] = float32(v)
				}
				name = "float32"
			}
			metrics := []Metric{Euclidean}
			if d == 16 && !single {
				metrics = Metrics()[:9]
			}
			for _, m := range metrics {
				if m == BinaryCorrelation {
					continue // as correlation
				}
				src, err := Vectors(x, m)
				if err != nil {
					b.Fatal(err)
				}
				js := make([]int32, 1<<16)
				for t := range js {
					js[t] = r.Int32N(n)
				}
				dst := make([]float32, k)
				perPair := func(b *testing.B) {
					b.ReportAllocs()
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/k, "ns/pair")
				}
				b.Run(fmt.Sprintf("%s/%s/d=%d/random", m, name, d), func(b *testing.B) {
					for i := range b.N {
						at := i * k % (len(js) - k)
						src.Row(dst, i%n, js[at:at+k])
					}
					perPair(b)
				})
				run := make([]int32, n)
				for t := range run {
					run[t] = int32(t)
				}
				b.Run(fmt.Sprintf("%s/%s/d=%d/run", m, name, d), func(b *testing.B) {
					for i := range b.N {
						at := i * k % (n - k)
						src.Row(dst, i%n, run[at:at+k])
					}
					perPair(b)
				})
			}
		}
	}
}
