package dataset

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

func TestValuesAreNumbersAndPlacesOfLevels(t *testing.T) {
	table, err := ReadStream(t.Context(),
		strings.NewReader("a,b,c,note\n1.5,yes,u,first\n,no,v,second\n2,yes,u,third\n"), "a.csv",
		ReadOptions{Features: []string{"a", "b", "c"}})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{1.5, math.NaN(), 2}, {1, 0, 1}, {0, 1, 0}}
	for col, values := range want {
		if !table.HasValues(col) {
			t.Fatalf("column %d has no values", col)
		}
		for row, v := range values {
			if got := table.Value(row, col); got != v && !(math.IsNaN(got) && math.IsNaN(v)) {
				t.Errorf("row %d, column %d: %g, want %g", row, col, got, v)
			}
		}
	}
	if table.HasValues(3) {
		t.Error("a column that is no feature has values")
	}
}

func TestNPYStream(t *testing.T) {
	whole := npyFile("<i2", "True", "(2, 3)", []int16{1, -2, 3, 4, 5, 6})
	s, err := NewNPYStream("a.npy", bytes.NewReader(whole), -1)
	if err != nil || s.Rows != 2 || s.Cols != 3 || !s.ByColumn {
		t.Fatalf("%+v, %v", s, err)
	}
	values := make([]float64, 4)
	if err := s.Next(values); err != nil || !slices.Equal(values, []float64{1, -2, 3, 4}) {
		t.Fatal(values, err)
	}
	if err := s.Next(values); err != io.ErrUnexpectedEOF {
		t.Error("2 values left gave", err)
	}
	for n := range 64 {
		if _, err := NewNPYStream("a.npy", bytes.NewReader(whole[:n]), -1); !fault.IsInput(err) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
