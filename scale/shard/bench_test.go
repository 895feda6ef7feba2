package shard_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/scale/generate"
	"github.com/kindred-go/kindred/scale/shard"
)

// BenchmarkEach reads 10⁶ rows of 16 columns on one core, in bytes of float64 a second, and then
// scaled; beside it the whole-table reader of the main module.
func BenchmarkEach(b *testing.B) {
	ctx := context.Background()
	const rows = 1_000_000
	for _, codec := range []string{"none", "snappy", "zstd"} {
		folder := filepath.Join(b.TempDir(), codec)
		if err := generate.Write(ctx, folder,
			generate.Config{Rows: rows, Compression: codec}); err != nil {
			b.Fatal(err)
		}
		source, splits, err := shard.Plan(ctx, shard.Source{Paths: []string{folder}})
		if err != nil {
			b.Fatal(err)
		}
		each := func(s shard.Source) func(*testing.B) {
			return func(b *testing.B) {
				b.SetBytes(rows * 16 * 8)
				for b.Loop() {
					for _, split := range splits {
						if _, err := s.Each(ctx, split,
							func(*shard.Block) error { return nil }); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
		}
		b.Run(codec, each(source))
		source.Prepare.Shift, source.Prepare.Divisor = make([]float64, 16), make([]float64, 16)
		for j := range 16 {
			source.Prepare.Divisor[j] = 3
		}
		b.Run(codec+"/scaled", each(source))
		b.Run(codec+"/dataset", func(b *testing.B) {
			b.SetBytes(rows * 16 * 8)
			for b.Loop() {
				if _, err := dataset.Read(ctx, filepath.Join(folder, "part-00000.parquet"),
					dataset.ReadOptions{Threads: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEachSmallGroups reads one file of many small row groups, whose footer is read again for
// each split.
func BenchmarkEachSmallGroups(b *testing.B) {
	ctx := context.Background()
	const rows = 1_000_000
	folder := b.TempDir()
	if err := generate.Write(ctx, folder,
		generate.Config{Rows: rows, GroupRows: 8192}); err != nil {
		b.Fatal(err)
	}
	source, splits, err := shard.Plan(ctx, shard.Source{Paths: []string{folder}})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(rows * 16 * 8)
	for b.Loop() {
		for _, split := range splits {
			if _, err := source.Each(ctx, split,
				func(*shard.Block) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	}
}
