package plot

import (
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/link"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

const pad vg.Length = 8 // points around the figure

// draw lays the scene out on a canvas of the given size and draws it, from the back to the front.
func (s *scene) draw(c vg.Canvas, width, height vg.Length) {
	c.SetColor(white)
	c.Fill(box(vg.Rectangle{Max: vg.Point{X: width, Y: height}}))

	top := height - pad
	left := pad
	if s.cfg.YLabel != "" {
		left += labelSize + 5
	}
	bottom := pad + tickSize + 5
	if s.cfg.XLabel != "" {
		bottom += labelSize + 4
	}
	if s.cfg.Title != "" {
		top -= titleSize + 7
	}
	note := s.note()
	if note != "" {
		top -= noteSize + 3
	}

	legend := s.legend()
	legendWidth := legend.width(width * 0.34)
	right := width - pad
	if legendWidth > 0 {
		right -= legendWidth + 14
	}

	s.ys.from, s.ys.to = bottom, top
	yTicks, yFactor := s.ys.ticks(44, func(string) vg.Length { return tickSize })
	if s.flat() {
		yTicks, yFactor = nil, ""
	}
	wide, tickFace := vg.Length(0), regular(tickSize)
	for _, t := range yTicks {
		wide = max(wide, tickFace.Width(t.label))
	}
	left += wide + 7
	s.xs.from, s.xs.to = left, right
	xTicks, xFactor := s.xs.ticks(48, func(label string) vg.Length { return tickFace.Width(label) })

	s.drawAxes(c, xTicks, yTicks)
	s.drawLabels(c, height, note, withFactor(s.cfg.XLabel, xFactor), withFactor(s.cfg.YLabel, yFactor))
	s.drawHulls(c)
	if len(s.cfg.Links) > manyLinks {
		s.drawLinks(c)
		s.drawPoints(c)
	} else {
		s.drawPoints(c)
		s.drawLinks(c)
	}
	s.drawMedoids(c)
	if s.cfg.Classes != nil {
		s.drawTags(c)
	}
	legend.draw(c, vg.Point{X: width - pad - legendWidth, Y: top}, legendWidth, top-pad)
}

// flat tells whether the second coordinate says nothing: it is unnamed and the same everywhere.
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

func withFactor(label, factor string) string {
	if label == "" || factor == "" {
		return label + factor
	}
	return label + ", " + factor
}

// note says how many points are drawn, when it is not all of them.
func (s *scene) note() string {
	if n := s.cfg.Points.Rows; len(s.rows) < n {
		return fmt.Sprintf("%s of %s points drawn", grouped(len(s.rows)), grouped(n))
	}
	return ""
}

// at gives the place of coordinates on the page.
func (s *scene) at(x, y float64) vg.Point { return vg.Point{X: s.xs.at(x), Y: s.ys.at(y)} }

// place gives the place of a row on the page.
func (s *scene) place(row int) vg.Point {
	return s.at(s.cfg.Points.At(row, 0), s.cfg.Points.At(row, 1))
}

func (s *scene) drawAxes(c vg.Canvas, xTicks, yTicks []tick) {
	face := regular(tickSize)
	for _, t := range xTicks {
		x := s.xs.at(t.value)
		stroke(c, segment(vg.Point{X: x, Y: s.ys.from}, vg.Point{X: x, Y: s.ys.to}), gridInk, 0.5)
		stroke(c, segment(vg.Point{X: x, Y: s.ys.from}, vg.Point{X: x, Y: s.ys.from - 3}), axisInk, 0.6)
		c.SetColor(soft)
		c.FillString(face, vg.Point{X: x - face.Width(t.label)/2, Y: s.ys.from - 5 - tickSize*0.72}, t.label)
	}
	for _, t := range yTicks {
		y := s.ys.at(t.value)
		stroke(c, segment(vg.Point{X: s.xs.from, Y: y}, vg.Point{X: s.xs.to, Y: y}), gridInk, 0.5)
		stroke(c, segment(vg.Point{X: s.xs.from, Y: y}, vg.Point{X: s.xs.from - 3, Y: y}), axisInk, 0.6)
		c.SetColor(soft)
		c.FillString(face, vg.Point{X: s.xs.from - 5 - face.Width(t.label), Y: y - tickSize*0.36}, t.label)
	}
	corner := vg.Point{X: s.xs.from, Y: s.ys.from}
	stroke(c, segment(corner, vg.Point{X: s.xs.to, Y: s.ys.from}), axisInk, 0.7)
	stroke(c, segment(corner, vg.Point{X: s.xs.from, Y: s.ys.to}), axisInk, 0.7)
}

func (s *scene) drawLabels(c vg.Canvas, height vg.Length, note, xLabel, yLabel string) {
	y := height - pad
	if s.cfg.Title != "" {
		face := bold(titleSize)
		y -= titleSize
		c.SetColor(ink)
		// The title may run over the legend, up to the edge of the page.
		c.FillString(face, vg.Point{X: s.xs.from, Y: y}, clip(face, s.cfg.Title, vg.Length(s.cfg.Width)*vg.Inch-pad-s.xs.from))
	}
	if note != "" {
		c.SetColor(soft)
		c.FillString(regular(noteSize), vg.Point{X: s.xs.from, Y: y - noteSize - 2}, note)
	}
	face := regular(labelSize)
	middle := func(text string, from, to vg.Length) (string, vg.Length) {
		text = clip(face, text, to-from)
		return text, (from+to)/2 - face.Width(text)/2
	}
	c.SetColor(ink)
	if xLabel != "" {
		text, x := middle(xLabel, s.xs.from, s.xs.to)
		c.FillString(face, vg.Point{X: x, Y: pad}, text)
	}
	if yLabel == "" {
		return
	}
	text, along := middle(yLabel, s.ys.from, s.ys.to)
	c.Push()
	c.Translate(vg.Point{X: pad + labelSize, Y: along})
	c.Rotate(math.Pi / 2)
	c.FillString(face, vg.Point{}, text)
	c.Pop()
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
		var p vg.Path
		for i, corner := range hull(points) {
			to := vg.Point{X: vg.Length(corner[0]), Y: vg.Length(corner[1])}
			if i == 0 {
				p.Move(to)
			} else {
				p.Line(to)
			}
		}
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

// radius and opacity shrink with the number of points, so that 100 are easy to see and 20 000 do not clot.
func (s *scene) radius() vg.Length {
	n := float64(len(s.rows))
	return vg.Length(min(3.6, max(1.0, 3.3*math.Pow(n/150, -0.22))))
}

func (s *scene) opacity() float64 {
	return min(0.9, max(0.5, 0.9-0.2*math.Log10(float64(len(s.rows))/200)))
}

func (s *scene) drawPoints(c vg.Canvas) {
	r, opacity := s.radius(), s.opacity()
	edge := vg.Length(0.4)
	if len(s.rows) > 3000 { // a rim doubles the size of an SVG and is lost on small points
		edge = 0
	}
	for _, row := range s.rows {
		s.look(row).draw(c, s.place(row), r, opacity, edge)
	}
}

// lineStyle gives ink, width and dashes of a kind of link.
func lineStyle(k link.Kind) (look, vg.Length, []vg.Length) {
	switch k {
	case link.MustLink:
		return look{hue: ink}, 1, nil
	case link.CannotLink:
		return look{hue: apart}, 1, []vg.Length{4, 2.4}
	}
	return look{hue: soft}, 1, []vg.Length{1, 2}
}

// manyLinks is the number of links beyond which they lie behind the points, thinner and fainter the more
// there are; fewer lie in front on a white halo.
const manyLinks = 40

// drawLinks draws unknown answers first and must-links last.
func (s *scene) drawLinks(c vg.Canvas) {
	thinner := min(1, math.Sqrt(manyLinks/float64(max(1, len(s.cfg.Links)))))
	for _, kind := range []link.Kind{link.Unknown, link.CannotLink, link.MustLink} {
		l, width, dashes := lineStyle(kind)
		for _, pair := range s.cfg.Links {
			if pair.Kind == kind {
				p := segment(s.place(pair.A), s.place(pair.B))
				if thinner == 1 {
					stroke(c, p, faded(white, 0.6), width+1.2)
				}
				stroke(c, p, faded(l.hue, max(0.25, 0.85*thinner)), max(0.5, width*vg.Length(thinner)), dashes...)
			}
		}
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

// drawTags writes each cluster's name at the median of its points, so that hue is not alone to tell them
// apart where the shape is the class's.
func (s *scene) drawTags(c vg.Canvas) {
	face := bold(legendSize)
	for _, id := range s.ids {
		if id == 0 {
			continue
		}
		var xs, ys []float64
		for _, row := range s.rows {
			if s.cluster(row) == id {
				p := s.place(row)
				xs, ys = append(xs, float64(p.X)), append(ys, float64(p.Y))
			}
		}
		if len(xs) == 0 {
			continue
		}
		slices.Sort(xs)
		slices.Sort(ys)
		text := clip(face, s.clusterName(id), 64)
		if len(s.ids) > 8 {
			text = fmt.Sprint(id)
		}
		s.drawTag(c, face, text, vg.Point{X: vg.Length(xs[len(xs)/2]), Y: vg.Length(ys[len(ys)/2])}, clusterLook(id))
	}
}

func (s *scene) drawTag(c vg.Canvas, face font.Face, text string, at vg.Point, l look) {
	w := face.Width(text)
	at.X = min(max(at.X, s.xs.from+w/2+4), s.xs.to-w/2-4)
	frame := box(vg.Rectangle{Min: vg.Point{X: at.X - w/2 - 3, Y: at.Y - 6}, Max: vg.Point{X: at.X + w/2 + 3, Y: at.Y + 6}})
	c.SetColor(faded(white, 0.88))
	c.Fill(frame)
	stroke(c, frame, l.hue, 0.9)
	c.SetColor(ink)
	c.FillString(face, vg.Point{X: at.X - w/2, Y: at.Y - legendSize*0.36}, text)
}
