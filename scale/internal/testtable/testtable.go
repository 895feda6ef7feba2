// Package testtable writes matrices as tables in many files, for tests that compare what is made of
// both.
package testtable

import (
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/scale/shard"
)

// rowsAtATime are handed to a file together.
const rowsAtATime = 1000

// Parquet writes the rows of m, in order, to that many files of a new folder. Columns are x0, x1, …
func Parquet(t testing.TB, m dataset.Matrix, files int) (folder string) {
	t.Helper()
	folder = t.TempDir()
	var columns []shard.Column
	for j := range m.Cols {
		columns = append(columns, shard.Column{Name: "x" + strconv.Itoa(j), Kind: shard.Float})
	}
	for f := range files {
		lo, hi := m.Rows*f/files, m.Rows*(f+1)/files
		part, err := shard.CreatePart(t.Context(), folder, f, "parquet", columns)
		if err != nil {
			t.Fatal(err)
		}
		for ; lo < hi; lo += rowsAtATime {
			var values []any
			for j := range m.Cols {
				var column []float64
				for i := lo; i < min(hi, lo+rowsAtATime); i++ {
					column = append(column, m.At(i, j))
				}
				values = append(values, column)
			}
			if err := part.Write(values...); err != nil {
				t.Fatal(err)
			}
		}
		if err := part.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
