package plot

import (
	"image/color"
	"strings"
	"sync"
	"unicode"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Font sizes in points.
const (
	titleSize  = 11
	labelSize  = 9
	tickSize   = 8
	legendSize = 8
	noteSize   = 7.5
)

// typefaces holds the two fonts of a figure, which are part of the binary.
type typefaces struct{ regular, bold *opentype.Font }

// faces parses the fonts when the first figure needs them.
var faces = sync.OnceValue(func() typefaces {
	parse := func(ttf []byte) *opentype.Font {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic("plot: the font in the binary is broken: " + err.Error())
		}
		return f
	}
	return typefaces{parse(liberationsansregular.TTF), parse(liberationsansbold.TTF)}
})

// regular and bold are the sans-serif font at a size in points.
func regular(size float64) font.Face {
	return font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans",
		Size: vg.Length(size)}, Face: faces().regular}
}

func bold(size float64) font.Face {
	return font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans",
		Weight: stdfont.WeightBold, Size: vg.Length(size)}, Face: faces().bold}
}

// clean makes text from data fit to be drawn on one line: what is not printable (control, format
// and direction characters, broken UTF-8) is dropped, runs of blanks become one, and 300 characters
// are enough.
func clean(s string) string {
	var b strings.Builder
	blank, count := false, 0
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			blank = b.Len() > 0
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
		default:
			if blank {
				b.WriteByte(' ')
				blank = false
			}
			b.WriteRune(r)
			if count++; count == 300 {
				return b.String() + "…"
			}
		}
	}
	return b.String()
}

// write draws text from a point on.
func write(c vg.Canvas, face font.Face, ink color.NRGBA, at vg.Point, text string) {
	c.SetColor(ink)
	c.FillString(face, at, text)
}

// writeTurned draws text turned by an angle around a point, from so far along its line on.
func writeTurned(c vg.Canvas, face font.Face, at vg.Point, angle float64, from vg.Length,
	text string) {
	c.Push()
	c.Translate(at)
	c.Rotate(angle)
	c.FillString(face, vg.Point{X: from}, text)
	c.Pop()
}

// cleaned cleans each text.
func cleaned(texts []string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = clean(s)
	}
	return out
}

// clip shortens s to the width, with an ellipsis where something is lost.
func clip(f font.Face, s string, width vg.Length) string {
	if f.Width(s) <= width {
		return s
	}
	runes := []rune(strings.TrimSuffix(s, "…"))
	lo, hi := 0, len(runes) // the longest prefix that fits lies in lo..hi
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if f.Width(string(runes[:mid])+"…") <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return strings.TrimRight(string(runes[:lo]), " ") + "…"
}

// grouped writes a count with a thin space between groups of three digits: 1 000 000.
func grouped(n int) string {
	digits := []byte{}
	for i := 0; n > 0 || i == 0; i++ {
		if i > 0 && i%3 == 0 {
			digits = append(digits, ' ')
		}
		digits = append(digits, byte('0'+n%10))
		n /= 10
	}
	var b strings.Builder
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] == ' ' {
			b.WriteString("\u202f")
		} else {
			b.WriteByte(digits[i])
		}
	}
	return b.String()
}
