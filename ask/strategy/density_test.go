package strategy

import (
	"slices"
	"testing"
)

// TestDensityByHand: rows at 0, 1, 2, 10, 11 and 30, a class each of three, two and one. A sixth of
// the rows, one, is to be within the cutoff on average: of the 30 distances, each pair's counted
// twice, the 6th after the least is 2. So ρ = 2, 2, 2, 1, 1, 0. Row 0 is the densest, and its δ is
// 30; the others' are 1, 1, 8 (from 10 to 2), 1 and 19, and γ = 60, 2, 2, 8, 1, 0.
func TestDensityByHand(t *testing.T) {
	s := start(t, "density", Config{Data: line(0, 1, 2, 10, 11, 30)})
	asked, _ := play(t, s, []int{0, 0, 0, 1, 1, 2}, nil)
	if want := []string{"3-0 different", "1-0 same", "2-1 same", "4-3 same", "5-4 different",
		"5-2 different"}; !slices.Equal(asked, want) {
		t.Errorf("it asks %v, want %v", asked, want)
	}
}
