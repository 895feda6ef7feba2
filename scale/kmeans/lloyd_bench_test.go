package kmeans_test

import (
	"context"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/fit"
	scalekmeans "github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/shard"
)

// BenchmarkFit times 5 iterations from given centres, 10⁶×16 rows with K = 25: in rounds over
// Parquet files, on one machine with the rows in memory, and what it costs to read the files once.
func BenchmarkFit(b *testing.B) {
	m := blobs(1_000_000, 16, 25, 1)
	start := first(m, 25)
	src, sv := table(b, m, 2, 0)
	b.Run("rounds", func(b *testing.B) {
		for b.Loop() {
			r := mustFit(b, src, sv, 2,
				scalekmeans.Config{Clusters: 25, Centers: start, MaxIterations: 5, Tolerance: -1})
			if r.Iterations != 5 {
				b.Fatal(r.Iterations)
			}
		}
	})
	b.Run("rounds and labels", func(b *testing.B) {
		for b.Loop() {
			mustFit(b, src, sv, 2, scalekmeans.Config{Clusters: 25, Centers: start,
				MaxIterations: 5,
				Tolerance:     -1, Out: b.TempDir()})
		}
	})
	b.Run("start alone", func(b *testing.B) {
		for b.Loop() {
			mustFit(b, src, sv, 2, scalekmeans.Config{Clusters: 25, MaxIterations: 1})
		}
	})
	b.Run("one machine", func(b *testing.B) {
		for b.Loop() {
			if _, err := kmeans.Fit(context.Background(), m,
				kmeans.Config{
					Clusters: 25,
					Centers:  start,
					Limits:   fit.Limits{MaxIterations: 5, Tolerance: -1},
					Options:  fit.Options{Threads: 2},
				}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("reading once", func(b *testing.B) {
		for b.Loop() {
			g, ctx := errgroup.WithContext(context.Background())
			g.SetLimit(2)
			for _, split := range sv.Splits {
				g.Go(func() error {
					_, err := src.Each(ctx, split, func(*shard.Block) error { return nil })
					return err
				})
			}
			if err := g.Wait(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
