package main

import (
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
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
