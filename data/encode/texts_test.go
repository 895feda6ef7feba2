package encode

import (
	"slices"
	"strings"
	"testing"
)

// A text is read up to its limit; a word beyond is left out, and no character is cut in two.
func TestLongestText(t *testing.T) {
	for at, want := range map[int]string{maxText: "word", maxText + 1: "wor"} {
		text := strings.Repeat(" ", at-len("word")) + "word"
		if got := strings.TrimSpace(Front(text)); got != want {
			t.Errorf("of a text of %d bytes %q is read, want %q", len(text), got, want)
		}
	}
	if got := Front(strings.Repeat(" ", maxText-1) + "é"); len(got) != maxText-1 {
		t.Errorf("%d bytes are read, and a character is cut in two", len(got))
	}
}

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
