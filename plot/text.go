package plot

import (
	"fmt"
	"image/color"
	"slices"
	"sort"
	"strconv"
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

// The two fonts of a figure are part of the binary, and parsed when the first figure needs them.
var (
	regularFont = sync.OnceValue(parseFont(liberationsansregular.TTF))
	boldFont    = sync.OnceValue(parseFont(liberationsansbold.TTF))
)

func parseFont(ttf []byte) func() *opentype.Font {
	return func() *opentype.Font {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic("plot: the font in the binary is broken: " + err.Error())
		}
		return f
	}
}

// regular and bold are the sans-serif font at a size in points.
func regular(size float64) font.Face {
	return font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans",
		Size: vg.Length(size)}, Face: regularFont()}
}

func bold(size float64) font.Face {
	return font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans",
		Weight: stdfont.WeightBold, Size: vg.Length(size)}, Face: boldFont()}
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
	count := sort.Search(len(runes),
		func(i int) bool { return f.Width(string(runes[:i+1])+"…") > width })
	return strings.TrimRight(string(runes[:count]), " ") + "…"
}

// grouped writes a count with a thin space between groups of three digits: 1 000 000.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// tagText shortens the name of a cluster for a tag. Of many clusters, names that end in the number
// are the number.
func tagText(face font.Face, name string, id, count int) string {
	switch number := fmt.Sprint(id); {
	case count <= 8:
		return clip(face, name, 64)
	case strings.HasSuffix(name, " "+number):
		return number
	}
	return clip(face, name, 32)
}

// drawTags writes each cluster's name at the median of its points, for where the shape is the
// class's, and hue would be alone to distinguish them, or the legend has no space for all.
func (s *cloudScene) drawTags(c vg.Canvas, ids []int, cluster func(row int) int) {
	face := bold(legendSize)
	for _, id := range ids {
		if id == 0 {
			continue
		}
		var xs, ys []vg.Length
		for _, row := range s.rows {
			if cluster(row) == id {
				p := s.place(row)
				xs, ys = append(xs, p.X), append(ys, p.Y)
			}
		}
		if len(xs) == 0 {
			continue
		}
		slices.Sort(xs)
		slices.Sort(ys)
		s.drawTag(c, face, tagText(face, s.name(id), id, len(ids)),
			vg.Point{X: xs[len(xs)/2], Y: ys[len(ys)/2]}, clusterLook(id))
	}
}

// drawTag draws a tag within the axes.
func (f *frame) drawTag(c vg.Canvas, face font.Face, text string, at vg.Point, l look) {
	half := face.Width(text)/2 + 4
	at.X = min(max(at.X, f.xs.from+half), f.xs.to-half)
	tagAt(c, face, text, at, l)
}

// tagAt draws text in a box around a point.
func tagAt(c vg.Canvas, face font.Face, text string, at vg.Point, l look) {
	w, half := face.Width(text), tagHeight(face)/2
	frame := box(rectangle(at.X-w/2-3, at.Y-half, at.X+w/2+3, at.Y+half))
	fill(c, frame, faded(white, 0.88))
	stroke(c, frame, l.hue, 0.9)
	write(c, face, ink, vg.Point{X: at.X - w/2, Y: at.Y - face.Font.Size*0.36}, text)
}

// tagHeight is that of a box around text.
func tagHeight(face font.Face) vg.Length { return 1.2*face.Font.Size + 2.4 }
