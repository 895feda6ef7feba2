// Package testtable writes matrices as tables in many files, for tests that compare what is made of
// both.
package testtable

import (
	"errors"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/columns"
	"github.com/kindred-go/kindred/scale/shard"
)

// Parquet writes the rows of m, in order, to that many files of a new folder. Columns are x0, x1, …
func Parquet(t testing.TB, m dataset.Matrix, files int) (folder string) {
	t.Helper()
	folder = t.TempDir()
	var fields columns.Ordered
	for j := range m.Cols {
		fields.Add("x"+strconv.Itoa(j), parquet.Leaf(parquet.DoubleType))
	}
	row := make(parquet.Row, m.Cols)
	for f := range files {
		file, err := shard.CreateFile(t.Context(), folder, f, "parquet")
		if err != nil {
			t.Fatal(err)
		}
		w := parquet.NewGenericWriter[any](file, parquet.NewSchema("rows", &fields))
		for i := m.Rows * f / files; i < m.Rows*(f+1)/files; i++ {
			for j := range row {
				row[j] = parquet.DoubleValue(m.At(i, j)).Level(0, 0, j)
			}
			if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Close(), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
