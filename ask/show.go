package ask

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/kindred-go/kindred/internal/safe"
)

// Field is one line of two objects side by side.
type Field struct {
	Name, A, B string
	Mark       string // one character before the line, such as ≠; may be empty
}

// SideBySide draws two objects beside each other in at most width columns, a line a field. Cells
// may hold anything: what is not printed is drawn as �.
func SideBySide(nameA, nameB string, fields []Field, width int) string {
	names, left := 0, runewidth.StringWidth(safe.Line(nameA))
	right := runewidth.StringWidth(safe.Line(nameB))
	for _, f := range fields {
		names = max(names, runewidth.StringWidth(safe.Line(f.Name)))
		left = max(left, runewidth.StringWidth(safe.Line(f.A)))
		right = max(right, runewidth.StringWidth(safe.Line(f.B)))
	}
	const margins = 4 + 2 + 2 // the mark, and two gaps
	room := max(width-margins, 24)
	names = min(names, room/3)
	left = min(left, (room-names)/2)
	right = min(right, room-names-left)
	var b strings.Builder
	line := func(mark, name, a, z string) {
		text := fmt.Sprintf("  %s %s  %s  %s", mark, fit(name, names), fit(a, left), fit(z, right))
		b.WriteString(strings.TrimRight(text, " "))
		b.WriteByte('\n')
	}
	line(" ", "", nameA, nameB)
	for _, f := range fields {
		line(cmp.Or(f.Mark, " "), f.Name, f.A, f.B)
	}
	return b.String()
}

// fit makes s exactly width columns wide.
func fit(s string, width int) string {
	return runewidth.FillRight(runewidth.Truncate(safe.Line(s), width, "…"), width)
}

// Picture is a grey picture of Width×Height pixels, row by row, from 0 (blank) to 1 (full).
type Picture struct {
	Name          string
	Pixels        []float64
	Width, Height int
}

// Beside draws pictures of one size beside each other in shades of block characters, as many in a
// line as fit in width columns, each under its name.
func Beside(pictures []Picture, width int) string {
	const gap = 4
	var out strings.Builder
	for len(pictures) > 0 {
		w := 2 * pictures[0].Width
		line := pictures[:min(len(pictures), max(1, (width-gap)/(w+gap)))]
		pictures = pictures[len(line):]
		for y := -1; y < line[0].Height; y++ {
			var b strings.Builder
			for _, p := range line {
				b.WriteString(strings.Repeat(" ", gap))
				if y < 0 {
					b.WriteString(fit(p.Name, w))
				} else {
					shade(&b, p.Pixels[y*p.Width:(y+1)*p.Width])
				}
			}
			out.WriteString(strings.TrimRight(b.String(), " "))
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// shade draws a line of pixels, two characters each, as characters are twice as high as wide.
func shade(out *strings.Builder, pixels []float64) {
	ramp := []rune(" ░▒▓█")
	for _, v := range pixels {
		c := ramp[min(len(ramp)-1, max(0, int(v*float64(len(ramp)))))]
		out.WriteRune(c)
		out.WriteRune(c)
	}
}
