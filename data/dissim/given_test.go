package dissim

import (
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// A matrix in memory is what the same one in a file is.
func TestMatricesInMemory(t *testing.T) {
	values := []float64{0, 1, 2, 3, 0, 4, 2, 5, math.Copysign(0, -1)} // not symmetric
	path := file(t, "d.npy", npy("<f8", "False", "(3, 3)", values))
	want, wantReport, err := Read(t.Context(), path, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	single := make([]float32, len(values))
	for i, v := range values {
		single[i] = float32(v)
	}
	for _, x := range []dataset.Matrix{{Rows: 3, Cols: 3, F64: values},
		{Rows: 3, Cols: 3, F32: single}} {
		got, report, err := FromMatrix(t.Context(), "X", x, 0)
		if err != nil || !slices.Equal(got.D, want.D) || math.Signbit(float64(got.D[8])) {
			t.Fatalf("%v %v", got, err)
		}
		if report.Rows != 3 || !report.Asymmetric || report.Largest != wantReport.Largest ||
			!slices.Equal(report.Notes, wantReport.Notes) {
			t.Errorf("the report is %+v", report)
		}
	}
	for _, x := range []dataset.Matrix{
		{Rows: 2, Cols: 2, F64: []float64{0, 1, 1, 0}},
		{Rows: 3, Cols: 2, F64: make([]float64, 6)},
		{Rows: 3, Cols: 3, F64: make([]float64, 9)},
		{Rows: 3, Cols: 3, F64: []float64{0, 1, 2, 1, 0, math.Inf(1), 2, 1, 0}},
		{Rows: 3, Cols: 3, F64: []float64{0, 1, 2, 1, 5, 1, 2, 1, 0}},
	} {
		if _, _, err := FromMatrix(t.Context(), "X", x, 0); !fault.IsInput(err) {
			t.Errorf("%v: the error is %v", x, err)
		}
	}
}
