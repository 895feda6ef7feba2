package dataset

import (
	"math"
	"strings"
	"testing"
)

// TestUnitRows have length 1 whatever the size of their values, and the encoding brings other rows
// there, too.
func TestUnitRows(t *testing.T) {
	for _, single := range []bool{false, true} {
		x := Matrix{Rows: 4, Cols: 3, F64: []float64{3, 0, 4, 1e-30, 2e-30, 2e-30, -1e30, 0, 0,
			5, 5, 5}}
		if single {
			x = Matrix{Rows: 4, Cols: 3, F32: []float32{3, 0, 4, 1e-30, 2e-30, 2e-30, -1e30, 0, 0,
				5, 5, 5}}
		}
		table, err := FromMatrix(t.Context(), "made", x)
		if err != nil {
			t.Fatal(err)
		}
		p, err := table.Prepare(t.Context(), Preparation{Scale: ScaleNone, Unit: true})
		if err != nil {
			t.Fatal(err)
		}
		third := 1 / math.Sqrt(3)
		want := []float64{.6, 0, .8, 1. / 3, 2. / 3, 2. / 3, -1, 0, 0, third, third, third}
		again, _, err := p.Encoding.Apply(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			for j := range 3 {
				if got := p.X.At(i, j); math.Abs(got-want[3*i+j]) > 1e-7 || again.At(i, j) != got {
					t.Errorf("single %v, row %d, column %d: %v, then %v, want %v", single, i, j,
						got, again.At(i, j), want[3*i+j])
				}
			}
		}
		if got := table.values.At(0, 0); got != 3 {
			t.Errorf("the table itself has changed: %v", got)
		}
	}
}

// TestUnitRowsNamesThoseWithoutDirection by the rows of the table.
func TestUnitRowsNamesThoseWithoutDirection(t *testing.T) {
	x := Matrix{Rows: 9, Cols: 2, F64: make([]float64, 18)}
	for _, row := range []int{1, 4} {
		x.F64[2*row] = 1
	}
	table, err := FromMatrix(t.Context(), "made", x)
	if err != nil {
		t.Fatal(err)
	}
	_, err = table.Prepare(t.Context(), Preparation{Scale: ScaleNone, Unit: true})
	want := "made: rows 1, 3, 4, 6, 7 and 2 more are 0 throughout"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestEmbedding is an array of many numbers without names.
func TestEmbedding(t *testing.T) {
	for cols, want := range map[int]bool{EmbeddingCols - 1: false, EmbeddingCols: true} {
		table, err := FromMatrix(t.Context(), "made",
			Matrix{Rows: 2, Cols: cols, F64: make([]float64, 2*cols)})
		if err != nil {
			t.Fatal(err)
		}
		if table.Embedding() != want {
			t.Errorf("%d columns: %v", cols, !want)
		}
		table.Format = FormatCSV
		if table.Embedding() {
			t.Errorf("%d columns of CSV are an embedding", cols)
		}
	}
}
