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
	switch s.Kind {
	case Bars:
		s.fillBar(c, around(at, 6, 3.5))
		return
	case Boxes:
		r := box(around(at, 6, 3.5))
		fill(c, r, faded(s.look.hue, 0.25))
		stroke(c, r, s.look.hue, 0.9)
		stroke(c, level(at, -6, 6), ink, 1.6)
		if s.marked {
			s.look.draw(c, at, 2.5, 1, 0.6)
		}
		return
	case Line, Steps:
		if s.spread() && !s.Whiskers {
			fill(c, box(rectangle(at.X-8, at.Y-4, at.X+7, at.Y+4)), faded(s.look.hue, 0.16))
		}
		dash(s.look.hue, 1.5, s.dashes...)(c, at)
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
