package constrained_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/cluster/constrained"
	"github.com/kindred-go/kindred/fit"
)

// BenchmarkConstrained times whole fits with a thousand links.
func BenchmarkConstrained(b *testing.B) {
	const n, d, k = 100_000, 16, 10
	m, class := blobs(n, d, k, 1)
	links := drawLinks(class, 1000, 2)
	for _, name := range []string{"seeded", "constrained", "cop", "cvqe", "pck", "mpck",
		"mpck shared", "mpck full"} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%dx%d/k=%d/threads=%d", name, n, d, k, threads),
				func(b *testing.B) {
					iterations := 0
					for b.Loop() {
						r, err := methods[name](context.Background(), m, class, links,
							constrained.Config{Clusters: k, Options: fit.Options{Threads: threads}})
						if err != nil {
							b.Fatal(err)
						}
						iterations += r.Iterations
					}
					b.ReportMetric(float64(iterations)/float64(b.N), "iterations")
				})
		}
	}
}
