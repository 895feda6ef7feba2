package plot

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
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
