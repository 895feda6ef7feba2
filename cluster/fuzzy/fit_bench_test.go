package fuzzy_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/cluster/fuzzy"
	"github.com/kindred-go/kindred/fit"
)

// BenchmarkFCM times whole fits from a drawn start.
func BenchmarkFCM(b *testing.B) {
	m := blobs(100_000, 16, 10, 1)
	for _, fuzziness := range []float64{2, 1.5} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("100000x16/k=10/m=%g/threads=%d", fuzziness, threads),
				func(b *testing.B) {
					iterations := 0
					for b.Loop() {
						r, err := fuzzy.Fit(context.Background(), m,
							fuzzy.Config{Clusters: 10, Fuzziness: fuzziness,
								Options: fit.Options{Threads: threads}})
						if err != nil {
							b.Fatal(err)
						}
						iterations += r.Iterations
					}
					b.ReportMetric(float64(iterations)/float64(b.N), "iterations")
					b.ReportMetric(1e3*b.Elapsed().Seconds()/float64(iterations), "ms/iteration")
				})
		}
	}
}
