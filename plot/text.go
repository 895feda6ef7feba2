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
// class's, and hue would be alone to distinguish them, or the legend has no space for all. The name
// of points that it would hide stands beside them, and names overlap no others where they need not;
// of many clusters those are left out that would, the smallest rather than the largest.
func (s *cloudScene) drawTags(c vg.Canvas, ids []int, cluster func(row int) int) {
	face := bold(legendSize)
	xs, ys := map[int][]vg.Length{}, map[int][]vg.Length{}
	for _, row := range s.rows {
		p, id := s.place(row), cluster(row)
		xs[id], ys[id] = append(xs[id], p.X), append(ys[id], p.Y)
	}
	var taken []vg.Rectangle
	for _, id := range ids {
		if id == 0 || len(xs[id]) == 0 {
			continue
		}
		slices.Sort(xs[id])
		slices.Sort(ys[id])
		text := tagText(face, s.name(id), id, len(ids))
		at, free := s.tagPlace(face, text, xs[id], ys[id], taken)
		if !free && len(ids) > mostTags {
			continue
		}
		taken = append(taken, tagBox(face, text, at))
		tagAt(c, face, text, at, clusterLook(id))
	}
}

// mostTags is how many clusters have names that overlap rather than none.
const mostTags = 63

// tagPlace returns where a tag stands among points with these coordinates, sorted, so that it
// overlaps none of those taken if there is such a place: at their median, unless it hides most of
// them, above, below or beside them. Where there is none, free is false.
func (s *cloudScene) tagPlace(face font.Face, text string, xs, ys []vg.Length,
	taken []vg.Rectangle) (place vg.Point, free bool) {
	n := len(xs)
	at := vg.Point{X: xs[n/2], Y: ys[n/2]}
	core := rectangle(xs[n/20], ys[n/20], xs[n-1-n/20], ys[n-1-n/20]) // without stray points
	wide, high := face.Width(text)/2+4, tagHeight(face)/2+1
	gap := radiusOf(len(s.rows)) + 1
	places := []vg.Point{
		{X: at.X, Y: core.Max.Y + gap + high}, {X: at.X, Y: core.Min.Y - gap - high},
		{X: core.Max.X + gap + wide, Y: at.Y}, {X: core.Min.X - gap - wide, Y: at.Y},
	}
	if size := core.Size(); size.X > 3*wide || size.Y > 3*high {
		places = append([]vg.Point{at}, places...)
	}
	for _, p := range places {
		p = s.within(p, wide, high)
		b := tagBox(face, text, p)
		if !slices.ContainsFunc(taken, func(t vg.Rectangle) bool { return overlap(b, t) }) &&
			(p == at || !overlap(b, core)) {
			return p, true
		}
	}
	return s.within(places[0], wide, high), false
}

// within moves a point so far from the axes' ends that what reaches so far from it is within them.
func (f *frame) within(p vg.Point, wide, high vg.Length) vg.Point {
	return vg.Point{X: min(max(p.X, f.xs.from+wide), f.xs.to-wide),
		Y: min(max(p.Y, f.ys.from+high), f.ys.to-high)}
}

// drawTag draws a tag within the axes.
func (f *frame) drawTag(c vg.Canvas, face font.Face, text string, at vg.Point, l look) {
	half := face.Width(text)/2 + 4
	at.X = min(max(at.X, f.xs.from+half), f.xs.to-half)
	tagAt(c, face, text, at, l)
}

// tagAt draws text in a box around a point.
func tagAt(c vg.Canvas, face font.Face, text string, at vg.Point, l look) {
	frame := box(tagBox(face, text, at))
	fill(c, frame, faded(white, 0.88))
	stroke(c, frame, l.hue, 0.9)
	write(c, face, ink, vg.Point{X: at.X - face.Width(text)/2, Y: at.Y - face.Font.Size*0.36}, text)
}

// tagBox is the box around text at a point.
func tagBox(face font.Face, text string, at vg.Point) vg.Rectangle {
	return around(at, face.Width(text)/2+3, tagHeight(face)/2)
}

// tagHeight is that of a box around text.
func tagHeight(face font.Face) vg.Length { return 1.2*face.Font.Size + 2.4 }
