package hierarchy_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dissim"
)

// Processor time for 10 000 rows of 16 columns, beside linkage of SciPy 1.17 on the same machine
// (an AMD EPYC, others at work on it): Ward's 0.57 s and 5.9 s, single 0.19 s and 2.3 s, centroid
// 1.0 s and 7.9 s, complete 1.2 s and 4.4 s, average 1.3 s and 4.1 s. A quarter of the time of
// complete and average linkage goes into the distances, the rest waits for memory.
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{2_000, 10_000, 20_000} {
		data := scattered(n, 16, 1)
		for _, l := range linkages {
			b.Run(fmt.Sprintf("%v/%d", l, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := hierarchy.Fit(context.Background(), data,
						hierarchy.Config{Linkage: l}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkFitSource(b *testing.B) {
	data := scattered(10_000, 16, 1)
	src, err := dissim.Vectors(data, dissim.Euclidean)
	if err != nil {
		b.Fatal(err)
	}
	for _, l := range linkages {
		b.Run(l.String(), func(b *testing.B) {
			for b.Loop() {
				if _, err := hierarchy.FitSource(context.Background(), src,
					hierarchy.Config{Linkage: l}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
