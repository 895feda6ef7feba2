package shard_test

import (
	"context"
	"math"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/kindred-go/kindred/scale/generate"
	"github.com/kindred-go/kindred/scale/shard"
)

// TestMemoryDoesNotGrow reads files of 50 000 and of 400 000 rows, each one split: from first to
// last little more is allocated for the larger one, and nothing like its rows.
func TestMemoryDoesNotGrow(t *testing.T) {
	ctx := context.Background()
	for _, codec := range []string{"none", "zstd"} {
		allocated := func(rows int64) uint64 {
			folder := filepath.Join(t.TempDir(), codec)
			if err := generate.Write(ctx, folder,
				generate.Config{Rows: rows, Dimensions: 4, Compression: codec, GroupRows: 1 << 20,
					Class: true}); err != nil {
				t.Fatal(err)
			}
			s, splits, err := shard.Plan(ctx,
				shard.Source{Paths: []string{folder}, Label: "class", SplitRows: 1 << 20})
			if err != nil || len(splits) != 1 {
				t.Fatal(splits, err)
			}
			var before, after runtime.MemStats
			read := func() {
				if _, err := s.Each(ctx, splits[0],
					func(*shard.Block) error { return nil }); err != nil {
					t.Fatal(err)
				}
			}
			read()                          // fills the library's pools
			least := uint64(math.MaxUint64) // the garbage collector empties the pools when it likes
			for range 3 {
				runtime.ReadMemStats(&before)
				read()
				runtime.ReadMemStats(&after)
				least = min(least, after.TotalAlloc-before.TotalAlloc)
			}
			return least
		}
		few, many := allocated(50_000), allocated(400_000)
		if many > few+few/2+1<<20 || many > 400_000*4*8/2 {
			t.Errorf("%s: %d bytes for few rows, %d for many", codec, few, many)
		} else {
			t.Logf("%s: %d bytes for few rows, %d for many", codec, few, many)
		}
	}
}
