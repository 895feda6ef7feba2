package dataset

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParquetBooleans reads files that pyarrow 26 wrote from the same 60 rows: booleans as bits and
// as runs, with and without missing values, and numbers with a dictionary.
func TestParquetBooleans(t *testing.T) {
	var want [][]string
	for i := range 60 {
		all := fmt.Sprint(i < 40 || i%3 == 0)
		some, x := all, fmt.Sprint(float64(i%4)*0.5)
		if i%7 == 3 {
			some = ""
		}
		if i%5 == 2 {
			x = ""
		}
		want = append(want, []string{some, all, x})
	}
	files, err := filepath.Glob("testdata/booleans-*.parquet")
	if err != nil || len(files) != 12 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		table, err := Read(context.Background(), file, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, cells(table)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		if some, all := &table.Columns[0], &table.Columns[1]; some.Missing != 9 ||
			some.FirstMissing != 4 || all.Mean != 46.0/60 {
			t.Errorf("%s: %d values missing from row %d on, mean %g", file, some.Missing,
				some.FirstMissing, all.Mean)
		}
		table, err = Read(context.Background(), file,
			ReadOptions{Drop: []string{"some"}, Label: "all"})
		if err != nil {
			t.Fatal(err)
		}
		codes, names, _ := table.Labels()
		if !cmp.Equal(names, []string{"false", "true"}) || codes[39] != 1 || codes[40] != 0 {
			t.Errorf("%s: labels %v, %v", file, names, codes)
		}
		if some := table.Columns[0]; some.Missing != 9 || some.FirstMissing != 4 {
			t.Errorf("%s, dropped: %d values missing from row %d on", file, some.Missing,
				some.FirstMissing)
		}
	}
}
