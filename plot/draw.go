package plot

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
)

// draw draws the scene, from the back to the front.
func (s *scene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	s.drawHulls(c)
	if len(s.cfg.Links) > manyLinks {
		drawLinks(c, s.cfg.Links, s.place)
		s.drawPoints(c)
	} else {
		s.drawPoints(c)
		drawLinks(c, s.cfg.Links, s.place)
	}
	s.drawMedoids(c)
	if s.cfg.Clusters != nil && (s.cfg.Classes != nil || s.cut) {
		drawTags(c, &s.frame, s.ids, s.rows, s.cluster, s.clusterName, s.place)
	}
}

// flat reports whether the second coordinate is empty: it is unnamed and the same everywhere.
func (s *scene) flat() bool {
	if s.cfg.YLabel != "" {
		return false
	}
	for i := range s.cfg.Points.Rows {
		if s.cfg.Points.At(i, 1) != s.cfg.Points.At(0, 1) {
			return false
		}
	}
	return true
}

// sampleNote reports how many points are drawn, when it is not all of them.
func sampleNote(drawn, n int) string {
	if drawn < n {
		return fmt.Sprintf("%s of %s points drawn", grouped(drawn), grouped(n))
	}
	return ""
}

// place returns the place of a row on the page.
func (s *scene) place(row int) vg.Point {
	return s.at(s.cfg.Points.At(row, 0), s.cfg.Points.At(row, 1))
}

// drawHulls puts the convex hull of each super-instance, faint, behind the points.
func (s *scene) drawHulls(c vg.Canvas) {
	fill, line := 0.10, 0.45
	if len(s.cfg.SuperInstances) > 40 {
		fill, line = 0.06, 0.3
	}
	for _, si := range s.cfg.SuperInstances {
		points := make([][2]float64, 0, len(si.Members)+1)
		for _, row := range append([]int{si.Medoid}, si.Members...) {
			p := s.place(row)
			points = append(points, [2]float64{float64(p.X), float64(p.Y)})
		}
		p := outline(hull(points))
		if len(p) < 2 {
			continue
		}
		hue := clusterLook(s.cluster(si.Medoid)).hue
		if len(p) > 2 {
			p.Close()
			c.SetColor(faded(hue, fill))
			c.Fill(p)
		}
		stroke(c, p, faded(hue, line), 0.5)
	}
}

// radius and opacity shrink with the number of points, so that 100 are easy to see and 20 000 do
// not clot.
func (s *scene) radius() vg.Length { return radiusOf(len(s.rows)) }

func radiusOf(count int) vg.Length {
	n := float64(count)
	return vg.Length(min(3.6, max(1.0, 3.3*math.Pow(n/150, -0.22))))
}

func opacityOf(count int) float64 {
	return min(0.9, max(0.5, 0.9-0.2*math.Log10(float64(count)/200)))
}

func (s *scene) drawPoints(c vg.Canvas) {
	r, opacity := s.radius(), opacityOf(len(s.rows))
	edge := vg.Length(0.4)
	if len(s.rows) > 3000 { // a rim doubles the size of an SVG and is lost on small points
		edge = 0
	}
	for _, row := range s.rows {
		s.look(row).draw(c, s.place(row), r, opacity, edge)
	}
}

// medoidRadius keeps medoids larger than points, and smaller where there are many.
func (s *scene) medoidRadius() vg.Length {
	if len(s.cfg.SuperInstances) > 60 {
		return max(3.4, s.radius()+0.8)
	}
	return max(4, s.radius()+1.2)
}

func (s *scene) drawMedoids(c vg.Canvas) {
	for _, si := range s.cfg.SuperInstances {
		drawMedoid(c, s.look(si.Medoid), s.place(si.Medoid), s.medoidRadius())
	}
}

// drawMedoid is the mark of a row, larger, with a dark rim on a white one.
func drawMedoid(c vg.Canvas, l look, at vg.Point, r vg.Length) {
	p := l.shape.path(at, r)
	stroke(c, p, white, 2.6)
	c.SetColor(l.hue)
	if l.hollow {
		c.SetColor(white)
	}
	c.Fill(p)
	stroke(c, p, ink, 0.9)
}
