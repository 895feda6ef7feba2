package hierarchy_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dissim"
)

// Processor time for 20 000 rows of 16 columns, beside the faster of SciPy 1.17 and fastcluster 1.3
// on the same machine (an AMD EPYC, others at work on it): single 0.31 s and 6.7 s, complete 2.6 s
// and 11.0 s, average 2.9 s and 10.5 s, on one thread there and two here.
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

// Ward's linkage in many columns and of many rows.
func BenchmarkWard(b *testing.B) {
	for _, shape := range [][2]int{{20_000, 384}, {100_000, 16}, {100_000, 384}} {
		b.Run(fmt.Sprintf("%dx%d", shape[0], shape[1]), func(b *testing.B) {
			data := clustered(shape[0], shape[1], 1)
			for b.Loop() {
				if _, err := hierarchy.Fit(context.Background(), data,
					hierarchy.Config{Linkage: hierarchy.Ward}); err != nil {
					b.Fatal(err)
				}
			}
		})
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
