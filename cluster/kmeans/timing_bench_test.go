package kmeans_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/fit"
)

// BenchmarkFit times 20 iterations from given centres.
func BenchmarkFit(b *testing.B) {
	for _, c := range []struct{ n, d, k int }{{100_000, 32, 100}, {1_000_000, 16, 25}, {100_000, 768, 50}} {
		m := blobs(c.n, c.d, c.k, 1)
		start := first(m, c.k)
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%dx%d/k=%d/threads=%d", c.n, c.d, c.k, threads), func(b *testing.B) {
				for b.Loop() {
					_, err := kmeans.Fit(context.Background(), m,
						kmeans.Config{
							Clusters: c.k,
							Centers:  start,
							Limits:   fit.Limits{MaxIterations: 20, Tolerance: -1},
							Options:  fit.Options{Threads: threads},
						})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkSuperInstances times what COBRA asks for: one start, many clusters.
func BenchmarkSuperInstances(b *testing.B) {
	for _, c := range []struct{ n, d, k int }{{1151, 64, 100}, {1_000_000, 16, 100}} {
		m := blobs(c.n, c.d, 10, 1)
		b.Run(fmt.Sprintf("%dx%d/k=%d", c.n, c.d, c.k), func(b *testing.B) {
			for b.Loop() {
				if _, err := kmeans.Fit(context.Background(), m,
					kmeans.Config{Clusters: c.k,
						Limits: fit.Limits{MaxIterations: 30}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
