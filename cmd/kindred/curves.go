package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// How much of a text and of a series is shown.
const (
	maxTextLines  = 12
	maxSparkWidth = 24
)

// full shows a whole text under the row's name, where its field has no room for it.
func (v *viewer) full(name, text string) string {
	if runewidth.StringWidth(safe.Line(text)) <= v.width/3 {
		return ""
	}
	const margin = 6
	lines := words.Wrap(safe.Line(text), max(20, v.width-margin))
	if len(lines) > maxTextLines {
		lines = append(lines[:maxTextLines], "…")
	}
	return fmt.Sprintf("    %s\n      %s\n", safe.Line(name), strings.Join(lines, "\n      "))
}

// curves shows two series as small curves over one scale.
func (v *viewer) curves(name string, q link.Question) ask.Field {
	a, b := v.data.Objects.Series[q.A], v.data.Objects.Series[q.B]
	low, high := min(slices.Min(a), slices.Min(b)), max(slices.Max(a), slices.Max(b))
	return ask.Field{Name: name, A: curve(a, low, high), B: curve(b, low, high), Mark: "≠"}
}

// curve draws a series in one line of blocks between two values, and says its length.
func curve(series []float64, low, high float64) string {
	const blocks = "▁▂▃▄▅▆▇█"
	steps := []rune(blocks)
	n := min(len(series), maxSparkWidth)
	var out strings.Builder
	for i := range n {
		part := series[i*len(series)/n : (i+1)*len(series)/n]
		mean := 0.0
		for _, x := range part {
			mean += x / float64(len(part))
		}
		at := 0
		if high > low {
			at = int(math.Round((mean - low) / (high - low) * float64(len(steps)-1)))
		}
		out.WriteRune(steps[min(max(at, 0), len(steps)-1)])
	}
	return fmt.Sprintf("%s %d", out.String(), len(series))
}
