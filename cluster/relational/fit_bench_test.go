package relational_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/cluster/relational"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
)

// Ten iterations, each of n²·c steps, on dissimilarities that are held already.
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		d, err := dissim.NewDense(context.Background(), euclidean(b, blobs(4, n/4, 8, 1)), 0, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := relational.FitSource(context.Background(), d,
					relational.Config{
						Clusters: 4,
						Limits:   fit.Limits{Starts: 1, MaxIterations: 10, Tolerance: 1e-300},
					}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
