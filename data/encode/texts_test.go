package encode

import (
	"slices"
	"testing"
)

func TestDistinct(t *testing.T) {
	different, of := Distinct([]string{"b", "a", "b", "", "a"})
	if !slices.Equal(different, []string{"b", "a", ""}) || !slices.Equal(of, []int{0, 1, 0, 2, 1}) {
		t.Errorf("%q, %v", different, of)
	}
}

func TestUnit(t *testing.T) {
	x := []float32{3, -4}
	Unit(x, x)
	if !slices.Equal(x, []float32{0.6, -0.8}) {
		t.Error(x)
	}
	x = []float32{0, 0}
	if Unit(x, x); x[0] != 0 || x[1] != 0 {
		t.Error(x)
	}
	x = []float32{1e-38, 0}
	if Unit(x, x); x[0] != 1 {
		t.Error(x)
	}
}
