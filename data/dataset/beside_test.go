package dataset_test

import (
	"math"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// TestVectorsBesideFeaturesAreScaledAsOne, and are missing where they are not given.
func TestVectorsBesideFeaturesAreScaledAsOne(t *testing.T) {
	table, err := dataset.ReadStream(t.Context(),
		strings.NewReader("size,kind\n1,a\n2,b\n3,a\n4,b\n5,a\n"), "t",
		dataset.ReadOptions{Format: dataset.FormatCSV, Features: []string{"size", "kind"}})
	if err != nil {
		t.Fatal(err)
	}
	x := dataset.Matrix{Rows: 4, Cols: 2, F32: []float32{3, 0, -3, 0, 0, 1, 0, -1}}
	with, err := table.WithVectors(t.Context(), "v", x, []int32{0, 1, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	for scale, variance := range map[dataset.Scale]float64{dataset.ScaleMinMax: 1. / 12,
		dataset.ScaleZScore: 1, dataset.ScaleNone: 5} {
		for weight, times := range map[float64]float64{0: 1, 2: 4} {
			o := dataset.Preparation{Scale: scale, Missing: dataset.MissingDrop}
			if weight > 0 {
				o.Weights = map[string]float64{"v": weight}
			}
			p, err := with.Prepare(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Rows) != 4 || p.Rows[2] != 3 || p.X.Cols != 5 {
				t.Fatalf("rows %v of %d columns", p.Rows, p.X.Cols)
			}
			sum := 0.0 // the means of the vectors are 0 before they are shifted
			for i := range 4 {
				for j := 3; j < 5; j++ {
					apart := p.X.At(i, j) - (p.X.At(0, j)+p.X.At(1, j)+p.X.At(2, j)+p.X.At(3, j))/4
					sum += apart * apart
				}
			}
			if got, want := sum/4, variance*times; math.Abs(got-want) > 1e-6 {
				t.Errorf("%v, weight %v: variance %v, want %v", scale, weight, got, want)
			}
			if across := p.X.At(0, 3) - p.X.At(1, 3); math.Abs(
				across/(p.X.At(2, 4)-p.X.At(3, 4))-3) > 1e-6 {
				t.Errorf("%v: the shape of the vectors is lost", scale)
			}
			again, rows, err := p.Encoding.Apply(t.Context(), with)
			if err != nil || len(rows) != 4 || again.At(2, 4) != p.X.At(2, 4) {
				t.Errorf("%v: %v other rows from the encoding", scale, err)
			}
		}
	}
	if _, err := with.Prepare(t.Context(), dataset.Preparation{}); err == nil {
		t.Error("missing vectors are taken")
	}
	if len(table.Columns) != 2 || table.Columns[1].Name != "kind" {
		t.Error("the table has changed")
	}
}
