package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/input"
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

func TestColumnsNotComparedComeLast(t *testing.T) {
	v := viewer{data: &input.Data{}, width: 80}
	fields, more := v.fields(link.Question{}, []input.Difference{
		{Name: "name", A: "Ann", B: "Bob", Mark: "≠", Aside: true},
		{Name: "age", A: "30", B: "31", Mark: "~"},
		{Name: "note", Aside: true},
		{Name: "orders", A: "3", B: "3"},
	})
	want := []ask.Field{
		{Name: "age", A: "30", B: "31", Mark: "~"},
		{Name: "orders", A: "3", B: "3"},
		{Name: "not compared:"},
		{Name: "name", A: "Ann", B: "Bob", Mark: "≠"},
		{Name: "note", A: "(none)", B: "(none)"},
	}
	if !slices.Equal(fields, want) || more != "" {
		t.Errorf("%q, %q", fields, more)
	}
}
