package plot

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/link"
)

// sample draws a mark or line in a 16 point wide field of the legend.
type sample func(c vg.Canvas, middle vg.Point)

// entry is a line of the legend: a sample, a name, and a count after it.
type entry struct {
	sample sample
	name   string
	count  string
}

// section is a heading ("" for none) with its entries.
type section struct {
	heading string
	entries []entry
}

// legend explains the marks, beside the points.
type legend []section

const (
	entryHeight   vg.Length = 12.5
	sectionGap    vg.Length = 6
	sampleField   vg.Length = 18
	narrowestName vg.Length = 40
)

func inBrackets(n int) string { return "(" + grouped(n) + ")" }

// classSection explains the shapes of the true classes that occur.
func classSection(classes []int, names []string, r vg.Length) section {
	size := make([]int, len(names)+1)
	for _, c := range classes {
		size[c+1]++
	}
	out := section{heading: "True class (shape)"}
	add := func(c int, l look) {
		if n := size[c+1]; n > 0 {
			out.entries = append(out.entries,
				entry{sample: mark(l, r), name: className(c, names), count: inBrackets(n)})
		}
	}
	for c := range names {
		add(c, classLook(c))
	}
	add(-1, look{circle, true, ink})
	return out
}

// width returns what the legend needs, at most most; 0 when it is empty.
func (l legend) width(most vg.Length) vg.Length {
	widest := vg.Length(0)
	face, head := regular(legendSize), bold(legendSize)
	for _, sec := range l {
		widest = max(widest, head.Width(sec.heading))
		for _, e := range sec.entries {
			widest = max(widest, sampleField+face.Width(e.name)+face.Width(" "+e.count)+2)
		}
	}
	return min(widest, most)
}

// draw writes the legend downwards from its top left corner. Where the height does not suffice, the
// longest section is cut and states how much is left out; whole is false then.
func (l legend) draw(c vg.Canvas, corner vg.Point, width, height vg.Length) (whole bool) {
	face, head := regular(legendSize), bold(legendSize)
	shown := l.fit(height)
	whole = true
	y := corner.Y - entryHeight/2
	for i, sec := range l {
		if sec.heading != "" {
			write(c, head, ink, vg.Point{X: corner.X, Y: y - legendSize*0.36},
				clip(head, sec.heading, width))
			y -= entryHeight
		}
		for _, e := range sec.entries[:shown[i]] {
			e.sample(c, vg.Point{X: corner.X + sampleField/2 - 1, Y: y})
			space := max(narrowestName/2, width-sampleField-face.Width(" "+e.count)-2)
			name := clip(face, e.name, space)
			at := vg.Point{X: corner.X + sampleField, Y: y - legendSize*0.36}
			write(c, face, ink, at, name)
			at.X += face.Width(name + " ")
			write(c, face, soft, at, e.count)
			y -= entryHeight
		}
		if left := len(sec.entries) - shown[i]; left > 0 {
			write(c, face, soft, vg.Point{X: corner.X + sampleField, Y: y - legendSize*0.36},
				fmt.Sprintf("… and %d more", left))
			y -= entryHeight
			whole = false
		}
		y -= sectionGap
	}
	return whole
}

// height returns what the legend needs to show so many entries of each section.
func (l legend) height(shown []int) vg.Length {
	h := vg.Length(0)
	for i, sec := range l {
		lines := shown[i]
		if sec.heading != "" {
			lines++
		}
		if shown[i] < len(sec.entries) {
			lines++
		}
		h += vg.Length(lines)*entryHeight + sectionGap
	}
	return h
}

// fit returns the number of entries of each section that fit in the height.
func (l legend) fit(height vg.Length) []int {
	shown := l.entries()
	for l.height(shown)-sectionGap > height {
		longest := slices.Index(shown, slices.Max(shown))
		if shown[longest] == 0 {
			break
		}
		shown[longest]--
	}
	return shown
}

// entries counts those of each section.
func (l legend) entries() (counts []int) {
	for _, sec := range l {
		counts = append(counts, len(sec.entries))
	}
	return counts
}

// lineStyle returns ink, width and dashes of a kind of link.
func lineStyle(k link.Kind) (look, vg.Length, []vg.Length) {
	switch k {
	case link.MustLink:
		return look{hue: ink}, 1, nil
	case link.CannotLink:
		return look{hue: apart}, 1, []vg.Length{4, 2.4}
	}
	return look{hue: soft}, 1, []vg.Length{1, 2}
}

// manyLinks is the number of links beyond which they lie behind the points, thinner and fainter the
// more there are; fewer lie in front on a white halo.
const manyLinks = 40

// drawLinks draws links between the positions of their rows: unknown answers first and must-links
// last.
func drawLinks(c vg.Canvas, links []link.Link, place func(row int) vg.Point) {
	thinner := min(1, math.Sqrt(manyLinks/float64(max(1, len(links)))))
	for _, kind := range []link.Kind{link.Unknown, link.CannotLink, link.MustLink} {
		l, width, dashes := lineStyle(kind)
		for _, pair := range links {
			if pair.Kind == kind {
				p := polyline(place(pair.A), place(pair.B))
				if thinner == 1 {
					stroke(c, p, faded(white, 0.6), width+1.2)
				}
				stroke(c, p, faded(l.hue, max(0.25, 0.85*thinner)),
					max(0.5, width*vg.Length(thinner)), dashes...)
			}
		}
	}
}

// linkEntries explains the kinds of links that occur.
func linkEntries(links []link.Link) (entries []entry) {
	count := map[link.Kind]int{}
	for _, l := range links {
		count[l.Kind]++
	}
	for _, kind := range []link.Kind{link.MustLink, link.CannotLink, link.Unknown} {
		if count[kind] == 0 {
			continue
		}
		l, width, dashes := lineStyle(kind)
		entries = append(entries, entry{
			sample: dash(l.hue, width, dashes...),
			name: map[link.Kind]string{link.MustLink: "must-link", link.CannotLink: "cannot-link",
				link.Unknown: "not known"}[kind],
			count: inBrackets(count[kind]),
		})
	}
	return entries
}
