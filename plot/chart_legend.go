package plot

import "gonum.org/v1/plot/vg"

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

// sample draws the mark of the series in the legend.
func (s *drawnSeries) sample(c vg.Canvas, at vg.Point) {
	left, right := at.X-8, at.X+7
	switch s.Kind {
	case Bars:
		s.fillBar(c, vg.Rectangle{Min: vg.Point{X: at.X - 6, Y: at.Y - 3.5},
			Max: vg.Point{X: at.X + 6, Y: at.Y + 3.5}})
		return
	case Boxes:
		r := box(vg.Rectangle{Min: vg.Point{X: at.X - 6, Y: at.Y - 3.5},
			Max: vg.Point{X: at.X + 6, Y: at.Y + 3.5}})
		c.SetColor(faded(s.look.hue, 0.25))
		c.Fill(r)
		stroke(c, r, s.look.hue, 0.9)
		stroke(c, segment(vg.Point{X: at.X - 6, Y: at.Y}, vg.Point{X: at.X + 6, Y: at.Y}), ink, 1.6)
		if s.marked {
			s.look.draw(c, at, 2.5, 1, 0.6)
		}
		return
	case Line, Steps:
		if s.spread() && !s.Whiskers {
			c.SetColor(faded(s.look.hue, 0.16))
			c.Fill(box(vg.Rectangle{Min: vg.Point{X: left, Y: at.Y - 4},
				Max: vg.Point{X: right, Y: at.Y + 4}}))
		}
		stroke(c, segment(vg.Point{X: left, Y: at.Y}, vg.Point{X: right, Y: at.Y}), s.look.hue, 1.5,
			s.dashes...)
		if s.bare() {
			return
		}
	}
	s.look.draw(c, at, 2.7, 1, 0.6)
}

// spread reports whether there is an interval.
func (s *drawnSeries) spread() bool {
	for i, v := range s.Low {
		if v == v && s.High[i] == s.High[i] {
			return true
		}
	}
	return false
}

// height returns what the legend needs to be drawn whole.
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
