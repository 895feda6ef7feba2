package dataset

import (
	"bytes"
	"context"
	"runtime"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/internal/pages/pagestest"
)

// TestSmallRowGroupsLeaveNoGarbage reads a file of 50 row groups of 1000 rows: what is allocated,
// from first to last, must be little more than the matrix.
func TestSmallRowGroupsLeaveNoGarbage(t *testing.T) {
	type row struct {
		A, B, C, D float64 `parquet:",dict"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.MaxRowsPerRowGroup(1000))
	const rows = 50_000
	for i := range rows {
		x := float64(i)
		if _, err := w.Write([]row{{x, -x, 1 / (x + 1), x * x}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := writeFile(t, "a.parquet", b.Bytes())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table, err := Read(context.Background(), path, ReadOptions{Threads: 1})
	runtime.ReadMemStats(&after)
	if err != nil || table.Rows != rows || table.values.At(rows-1, 1) != -(rows-1) {
		t.Fatal(err)
	}
	const matrix = 4 * 8 * rows
	if allocated := float64(after.TotalAlloc-before.TotalAlloc) / matrix; allocated > 2.5 {
		t.Errorf("%.1f times the matrix was allocated", allocated)
	} else {
		t.Logf("%.1f times the matrix was allocated", allocated)
	}
}

// TestPagesThatDoNotInflate reads files whose pages hold damaged bytes, or more than they state.
// The file and the column are named, and no more memory is allocated than the pages state.
func TestPagesThatDoNotInflate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, codec := range pagestest.Bad() {
		for _, column := range []string{"x", "s", "n", "t"} {
			content, err := pagestest.File(codec, column, 1000)
			if err != nil {
				t.Fatal(err)
			}
			path := writeFile(t, "a.parquet", content)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err = Read(context.Background(), path, ReadOptions{Threads: 1, Keep: true})
			runtime.ReadMemStats(&after)
			wantFault(t, err, path+", column "+column+": is damaged in row group 1: ")
			if took := after.TotalAlloc - before.TotalAlloc; took > 12<<20 {
				t.Errorf("%s, column %s: %d bytes are allocated", codec, column, took)
			}
		}
	}
}
