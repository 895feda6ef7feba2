package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"pgregory.net/rapid"
)

func TestCurve(t *testing.T) {
	for want, series := range map[string][]float64{
		"▁▅█ 3": {0, 5, 10},
		"▁▁ 2":  {0, 0},
		"█ 1":   {10},
	} {
		if got := curve(series, 0, 10); got != want {
			t.Errorf("%v is %q, want %q", series, got, want)
		}
	}
	long := make([]float64, 1000)
	for i := range long {
		long[i] = float64(i)
	}
	if got, width := curve(long, 0, 999),
		maxSparkWidth+len(" 1000"); runewidth.StringWidth(got) != width ||
		!strings.HasPrefix(got, "▁") || !strings.HasSuffix(got, "█ 1000") {
		t.Errorf("%q", got)
	}
	if got := curve([]float64{3, 3}, 3, 3); got != "▁▁ 2" {
		t.Errorf("a flat series is %q", got)
	}
}

// TestWrapKeepsAllWords in lines that fit.
func TestWrapKeepsAllWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-zä木]{1,9}`)).Draw(t, "words")
		lines := wrap(strings.Join(words, " "), 20)
		if got := strings.Fields(strings.Join(lines, " ")); !slices.Equal(got, words) {
			t.Fatalf("%q became %q", words, lines)
		}
		for _, l := range lines {
			if runewidth.StringWidth(l) > 20 {
				t.Fatalf("%q is too wide", l)
			}
		}
	})
	if got := wrap("a "+strings.Repeat("x", 25)+" b", 10); !slices.Equal(got,
		[]string{"a", "xxxxxxxxxx", "xxxxxxxxxx", "xxxxx b"}) {
		t.Errorf("%q", got)
	}
}
