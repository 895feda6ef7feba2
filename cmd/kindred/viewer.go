package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/input"
)

// maxFields is how many fields of two rows are shown; of more, those that differ most.
const maxFields = 20

// viewer draws the two rows of a question.
type viewer struct {
	data  *input.Data
	width int
}

func (v *viewer) show(q link.Question) string {
	nameA, nameB := "row "+v.data.ID(q.A), "row "+v.data.ID(q.B)
	if v.data.IsMatrix() {
		return ask.SideBySide(nameA, nameB, nil, v.width) + v.distance(q)
	}
	if a, ok := v.draw(q.A, nameA); ok {
		b, _ := v.draw(q.B, nameB)
		return ask.Beside([]ask.Picture{a, b}, v.width)
	}
	all := v.data.Differences(q.A, q.B)
	a, texts := v.data.Text(q.A)
	if texts {
		b, _ := v.data.Text(q.B)
		if texts = v.long(a) || v.long(b); texts { // for which a field has no room
			all = slices.DeleteFunc(all, func(f input.Difference) bool {
				return v.data.Compares(v.data.Table.Column(f.Name))
			})
			a = v.full(nameA, a) + v.full(nameB, b)
		}
	}
	shown := ""
	if fields, more := v.fields(q, all); len(fields) > 0 || !texts {
		shown = ask.SideBySide(nameA, nameB, fields, v.width) + more
	}
	if texts {
		shown += a
	}
	return shown
}

// distance reports how far apart two rows of a matrix are, as nothing else is known of them.
func (v *viewer) distance(q link.Question) string {
	var d [1]float32
	v.data.Dissim.Row(d[:], q.A, []int32{int32(q.B)})
	return fmt.Sprintf("    dissimilarity %s\n", words.Round(float64(d[0])))
}

// draw returns a row that is a picture of few pixels.
func (v *viewer) draw(row int, name string) (p ask.Picture, ok bool) {
	p.Name = name
	p.Pixels, p.Width, p.Height, ok = v.data.Pixels(row)
	return p, ok
}

// fields returns those of all fields to show, compared ones first, and a line about those left out.
func (v *viewer) fields(q link.Question, all []input.Difference) ([]ask.Field, string) {
	differ := 0
	for _, f := range all {
		if f.Apart > 0 {
			differ++
		}
	}
	more := ""
	if len(all) > maxFields {
		more = fmt.Sprintf("    … and %d further fields, which differ less or not at all; %d of "+
			"all %d differ\n", len(all)-maxFields, differ, len(all))
	}
	shown := input.MostApart(all, maxFields)
	slices.SortStableFunc(shown, func(f, g input.Difference) int {
		switch {
		case f.Aside == g.Aside:
			return 0
		case f.Aside:
			return 1
		}
		return -1
	})
	fields := make([]ask.Field, 0, len(shown)+1)
	for i, f := range shown {
		if i > 0 && f.Aside && !shown[i-1].Aside {
			fields = append(fields, ask.Field{Name: "not compared:"})
		}
		if v.data.Objects.Series != nil && f.Name == v.data.Objects.Column {
			fields = append(fields, v.curves(f.Name, q))
			continue
		}
		fields = append(fields, ask.Field{Name: f.Name, A: cmp.Or(f.A, "(none)"),
			B: cmp.Or(f.B, "(none)"), Mark: f.Mark})
	}
	return fields, more
}

// How much of a text and of a series is shown.
const (
	maxTextLines  = 12
	maxSparkWidth = 24
)

// long reports whether a field has no room for a text.
func (v *viewer) long(text string) bool {
	return runewidth.StringWidth(safe.Line(text)) > v.width/3
}

// full shows a whole text under the row's name.
func (v *viewer) full(name, text string) string {
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

// curve draws a series in one line of blocks between two values, with its length.
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
