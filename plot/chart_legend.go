package plot

import (
	"slices"

	"gonum.org/v1/plot/vg"
)

// chartLegend has one entry for each name.
func chartLegend(panels []*panel) legend {
	var sec section
	seen := map[string]bool{}
	for _, p := range panels {
		for i := range p.series {
			s := &p.series[i]
			if s.Name == "" || seen[s.Name] {
				continue
			}
			seen[s.Name] = true
			sec.entries = append(sec.entries, entry{sample: s.sample, name: s.Name})
		}
	}
	if sec.entries == nil {
		return nil
	}
	return legend{sec}
}

// sample draws what stands for the series in the legend.
func (s *drawnSeries) sample(c vg.Canvas, at vg.Point) {
	left, right := at.X-8, at.X+7
	switch s.Kind {
	case Bars:
		s.fillBar(c, vg.Rectangle{Min: vg.Point{X: at.X - 6, Y: at.Y - 3.5}, Max: vg.Point{X: at.X + 6, Y: at.Y + 3.5}})
		return
	case Boxes:
		r := box(vg.Rectangle{Min: vg.Point{X: at.X - 6, Y: at.Y - 3.5}, Max: vg.Point{X: at.X + 6, Y: at.Y + 3.5}})
		c.SetColor(faded(s.look.hue, 0.25))
		c.Fill(r)
		stroke(c, r, s.look.hue, 0.9)
		stroke(c, segment(vg.Point{X: at.X - 6, Y: at.Y}, vg.Point{X: at.X + 6, Y: at.Y}), ink, 1.6)
		if s.marked {
			s.look.draw(c, at, 2.5, 1, 0.6)
		}
		return
	case Line, Steps:
		if s.Low != nil && !s.Whiskers {
			c.SetColor(faded(s.look.hue, 0.16))
			c.Fill(box(vg.Rectangle{Min: vg.Point{X: left, Y: at.Y - 4}, Max: vg.Point{X: right, Y: at.Y + 4}}))
		}
		stroke(c, segment(vg.Point{X: left, Y: at.Y}, vg.Point{X: right, Y: at.Y}), s.look.hue, 1.5, s.dashes...)
		if s.bare() {
			return
		}
	}
	s.look.draw(c, at, 2.7, 1, 0.6)
}

// height gives what the legend needs to be drawn whole.
func (l legend) height() vg.Length {
	h := vg.Length(0)
	for _, sec := range l {
		lines := len(sec.entries)
		if sec.heading != "" {
			lines++
		}
		h += vg.Length(lines)*entryHeight + sectionGap
	}
	return h
}

// drawChartLabels writes the labels of points beside them, where they hide neither another label nor a point, if there is such
// a place; otherwise they are left of it or right of it, where there is more room.
func (p *panel) drawChartLabels(c vg.Canvas) {
	face := regular(legendSize)
	var taken []vg.Rectangle
	for i := range p.series {
		s := &p.series[i]
		if s.Kind == Boxes {
			continue
		}
		for j, x := range s.X {
			if at := p.on(s, x, s.Y[j]); s.Y[j] == s.Y[j] && p.holds(at) {
				taken = append(taken, vg.Rectangle{Min: vg.Point{X: at.X - 2, Y: at.Y - 2}, Max: vg.Point{X: at.X + 2, Y: at.Y + 2}})
			}
		}
	}
	area := p.area()
	for i := range p.series {
		s := &p.series[i]
		for j, text := range s.Labels {
			if text == "" || s.Kind == Boxes || s.Y[j] != s.Y[j] {
				continue
			}
			at := p.on(s, s.X[j], s.Y[j])
			if !p.holds(at) {
				continue
			}
			text = clip(face, text, (area.Max.X-area.Min.X)/2)
			w, h := face.Width(text), vg.Length(legendSize)
			var chosen *vg.Rectangle
			for _, corner := range []vg.Point{{X: 5, Y: -h / 2}, {X: -5 - w, Y: -h / 2}, {X: -w / 2, Y: 4}, {X: -w / 2, Y: -4 - h}, {X: 4, Y: 3}, {X: 4, Y: -3 - h}, {X: -4 - w, Y: 3}, {X: -4 - w, Y: -3 - h}} {
				r := vg.Rectangle{Min: at.Add(corner), Max: at.Add(corner).Add(vg.Point{X: w, Y: h})}
				inside := r.Min.X >= area.Min.X && r.Max.X <= area.Max.X && r.Min.Y >= area.Min.Y && r.Max.Y <= area.Max.Y
				if inside && chosen == nil {
					chosen = &r // for want of a better one
				}
				if inside && !slices.ContainsFunc(taken, func(o vg.Rectangle) bool { return overlap(r, o) }) {
					chosen = &r
					break
				}
			}
			if chosen == nil {
				continue
			}
			taken = append(taken, *chosen)
			c.SetColor(ink)
			c.FillString(face, vg.Point{X: chosen.Min.X, Y: chosen.Min.Y + h*0.14}, text)
		}
	}
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}
