package survey

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/scale/shard"
)

// Every published table of numbers, cut into many splits, has the rows and the figures that it has
// when read whole.
func TestPublishedSetsAreTheSameInSplits(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS does not name a folder of data sets")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.csv*"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	compared := 0
	for _, path := range files {
		if info, err := os.Stat(path); err != nil || testing.Short() && info.Size() > 100<<10 {
			continue
		}
		table, err := dataset.Read(ctx, path, dataset.ReadOptions{})
		if err != nil || table.Rows < 50 {
			continue
		}
		src := shard.Source{Paths: []string{path}, SplitRows: max(20, table.Rows/6), BlockRows: 16}
		var at []int
		for i, c := range table.Columns {
			if c.Role == dataset.Feature &&
				(c.Type == dataset.Number || c.Type == dataset.Boolean) {
				src.Columns = append(src.Columns, c.Name)
				at = append(at, i)
			}
			if strings.EqualFold(c.Name, "class") {
				src.Label = c.Name
			}
		}
		if len(at) == 0 {
			continue
		}
		compared++
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, s, err := run(src, 2)
			if err != nil {
				t.Fatal(err)
			}
			if s.Rows != int64(table.Rows) || !strings.HasSuffix(path, ".gz") && len(s.Splits) < 2 {
				t.Fatalf("%d rows in %d splits, want %d rows", s.Rows, len(s.Splits), table.Rows)
			}
			for j, i := range at {
				got, want := s.Columns[j], table.Columns[i]
				if got.Min != want.Min || got.Max != want.Max ||
					got.Missing != int64(want.Missing) ||
					!near(got.Mean, want.Mean, want.Max-want.Min) {
					t.Errorf("column %s: %+v, want min %v max %v mean %v missing %d", got.Name, got,
						want.Min, want.Max, want.Mean, want.Missing)
				}
			}
			src.Prepare.Missing = shard.MissingKeep
			for _, split := range s.Splits {
				_, err := src.Each(ctx, split, func(b *shard.Block) error {
					for i := range b.X.Rows {
						row := int(split.First + b.Number(i))
						if !slices.EqualFunc(b.X.F64[i*len(at):(i+1)*len(at)], at,
							func(v float64, col int) bool {
								want := table.Value(row, col)
								return math.Float64bits(v) == math.Float64bits(want) ||
									v != v && want != want
							}) {
							t.Fatalf("row %d is %v", row, b.X.F64[i*len(at):(i+1)*len(at)])
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if compared < 10 {
		t.Errorf("only %d tables compared", compared)
	}
}
