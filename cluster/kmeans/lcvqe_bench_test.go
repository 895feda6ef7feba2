package kmeans_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// BenchmarkLCVQE times iterations of a table as large as KDD'99 with as many links as 20 labelled
// rows of each of 8 classes give.
func BenchmarkLCVQE(b *testing.B) {
	const n, d, k, iterations = 492_368, 34, 8, 10
	m := blobs(n, d, k, 1)
	start := first(m, k)
	var links []link.Link // cannot-links among 20 rows of each of 8 classes
	for a := range 20 * k {
		for c := range a {
			if a%k != c%k {
				links = append(links, cannot(a*1000, c*1000))
			}
		}
	}
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("%dx%d/k=%d/threads=%d", n, d, k, threads), func(b *testing.B) {
			seconds := 0.0
			for b.Loop() {
				r, err := kmeans.FitLCVQE(context.Background(), m,
					kmeans.LCVQEConfig{Knowledge: fit.Knowledge{Links: links},
						Clusters:   k,
						Prototypes: start,
						Limits:     fit.Limits{MaxIterations: iterations},
						Options:    fit.Options{Threads: threads},
					})
				if err != nil {
					b.Fatal(err)
				}
				seconds += r.Seconds / float64(len(r.Trace))
			}
			b.ReportMetric(1e3*seconds/float64(b.N), "ms/pass")
		})
	}
}
