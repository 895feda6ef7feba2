package hierarchy_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/hierarchy"
)

// On two cores of an AMD EPYC: TODO
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{2_000, 10_000, 20_000} {
		data := scattered(n, 16, 1)
		for _, l := range linkages {
			b.Run(fmt.Sprintf("%v/%d", l, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := hierarchy.Fit(context.Background(), data, hierarchy.Config{Linkage: l}); err != nil {
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
				if _, err := hierarchy.FitSource(context.Background(), src, hierarchy.Config{Linkage: l}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
