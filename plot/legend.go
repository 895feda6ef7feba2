package plot

import (
	"fmt"

	"gonum.org/v1/plot/vg"
)

// entry is a line of the legend: a sample drawn in a 16 point wide field, a name, and a count after
// it.
type entry struct {
	sample func(c vg.Canvas, middle vg.Point)
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

// legend lists what the scene shows. A plain cloud of points needs none.
func (s *scene) legend() legend {
	var all legend
	r := min(3.4, max(2.6, s.radius()))
	if s.cfg.Clusters != nil {
		clusters := section{}
		for _, id := range s.ids {
			l := clusterLook(id)
			if s.cfg.Classes != nil && id != 0 {
				l.shape = circle
			}
			clusters.entries = append(clusters.entries, entry{
				sample: func(c vg.Canvas, at vg.Point) { l.draw(c, at, r, 1, 0) },
				name:   s.clusterName(id), count: inBrackets(s.size[id]),
			})
		}
		// Noise goes last.
		if s.ids[0] == 0 {
			clusters.entries = append(clusters.entries[1:], clusters.entries[0])
		}
		if s.cfg.Classes != nil {
			clusters.heading = "Clusters (hue)"
		}
		all = append(all, clusters)
	}
	if s.cfg.Classes != nil {
		all = append(all, classSection(s.cfg.Classes, s.cfg.ClassNames, r))
	}
	var marks section
	if k := len(s.cfg.SuperInstances); k > 0 {
		marks.entries = append(marks.entries, entry{
			sample: func(c vg.Canvas,
				at vg.Point) {
				drawMedoid(c, look{hue: gridInk}, at, s.medoidRadius())
			},
			name: "super-instance", count: inBrackets(k),
		})
	}
	marks.entries = append(marks.entries, linkEntries(s.cfg.Links)...)
	if len(marks.entries) > 0 {
		all = append(all, marks)
	}
	return all
}

func inBrackets(n int) string { return "(" + grouped(n) + ")" }

// classSection explains the shapes of the true classes that occur.
func classSection(classes []int, names []string, r vg.Length) section {
	size := make([]int, len(names)+1)
	for _, c := range classes {
		size[c+1]++
	}
	out := section{heading: "True class (shape)"}
	add := func(l look, name string, n int) {
		if n > 0 {
			out.entries = append(out.entries, entry{
				sample: func(c vg.Canvas, at vg.Point) { l.draw(c, at, r, 1, 0) }, name: name,
				count: inBrackets(n),
			})
		}
	}
	for i, name := range names {
		if name == "" {
			name = fmt.Sprintf("class %d", i+1)
		}
		add(classLook(i), name, size[i+1])
	}
	add(look{circle, true, ink}, "not known", size[0])
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
			c.SetColor(ink)
			c.FillString(head, vg.Point{X: corner.X, Y: y - legendSize*0.36},
				clip(head, sec.heading, width))
			y -= entryHeight
		}
		for _, e := range sec.entries[:shown[i]] {
			e.sample(c, vg.Point{X: corner.X + sampleField/2 - 1, Y: y})
			space := max(narrowestName/2, width-sampleField-face.Width(" "+e.count)-2)
			name := clip(face, e.name, space)
			at := vg.Point{X: corner.X + sampleField, Y: y - legendSize*0.36}
			c.SetColor(ink)
			c.FillString(face, at, name)
			at.X += face.Width(name + " ")
			c.SetColor(soft)
			c.FillString(face, at, e.count)
			y -= entryHeight
		}
		if left := len(sec.entries) - shown[i]; left > 0 {
			c.SetColor(soft)
			c.FillString(face, vg.Point{X: corner.X + sampleField, Y: y - legendSize*0.36},
				fmt.Sprintf("… and %d more", left))
			y -= entryHeight
			whole = false
		}
		y -= sectionGap
	}
	return whole
}

// fit returns the number of entries of each section that fit in the height.
func (l legend) fit(height vg.Length) []int {
	shown := make([]int, len(l))
	need := func() vg.Length {
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
		return h - sectionGap
	}
	for i, sec := range l {
		shown[i] = len(sec.entries)
	}
	for need() > height {
		longest := 0
		for i := range shown {
			if shown[i] > shown[longest] {
				longest = i
			}
		}
		if shown[longest] == 0 {
			break
		}
		shown[longest]--
	}
	return shown
}
