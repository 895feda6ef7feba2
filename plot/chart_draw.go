package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

func (s *chartScene) draw(c vg.Canvas, width, height vg.Length) {
	if len(s.panels) == 1 && !s.panels[0].small {
		s.panels[0].draw(c, width, height)
		return
	}
	fill(c, box(vg.Rectangle{Max: vg.Point{X: width, Y: height}}), white)
	f := &s.page
	left, bottom, top := vg.Length(0), vg.Length(0), height
	if f.title != "" {
		top -= titleSize + 7
	}
	if f.note != "" {
		top -= noteSize + 3
	}
	if top < height {
		top -= 3
	}
	if f.xLabel != "" {
		bottom += labelSize + 4
	}
	if f.yLabel != "" {
		left += labelSize + 5
	}
	right := width
	down, across := vg.Length(s.down), vg.Length(s.across)
	high := (top - bottom) / down
	legendWidth := f.legend.width(width * 0.45)
	if spare := s.across*s.down - len(s.panels); legendWidth > 0 {
		wide := (right - left) / across
		if spare > 0 && f.legend.height(f.legend.entries()) <= high-2*pad &&
			legendWidth <= wide-2*pad {
			f.legend.draw(c, vg.Point{X: right - wide*vg.Length(spare) + 3*pad,
				Y: bottom + high - pad}, legendWidth, high-2*pad)
		} else {
			right -= legendWidth + 14
			f.legend.draw(c, vg.Point{X: right + 6, Y: top - pad}, legendWidth, top-2*pad)
		}
	}
	wide := (right - left) / across
	for i, p := range s.panels {
		column, row := i%s.across, i/s.across
		c.Push()
		c.Translate(vg.Point{X: left + wide*vg.Length(column), Y: top - high*vg.Length(row+1)})
		p.draw(c, wide, high)
		c.Pop()
	}
	f.xs.from, f.xs.to, f.ys.from, f.ys.to = left+pad, right-pad, bottom+pad, top-pad
	f.drawLabels(c, width, height, f.xLabel, f.yLabel)
}

func (p *panel) draw(c vg.Canvas, width, height vg.Length) {
	p.frame.draw(c, width, height)
	for i := range p.series {
		p.drawBand(c, &p.series[i])
	}
	for i := range p.series {
		s := &p.series[i]
		switch s.Kind {
		case Bars:
			p.drawBars(c, s)
		case Boxes:
			p.drawBoxes(c, s)
		}
		p.drawWhiskers(c, s)
	}
	for i := range p.series {
		if s := &p.series[i]; s.Kind == Line || s.Kind == Steps {
			p.drawLine(c, s)
		}
	}
	for i := range p.series {
		p.drawMarks(c, &p.series[i], i)
	}
	p.drawChartLabels(c)
}

// area is where data are drawn.
func (p *panel) area() vg.Rectangle {
	return rectangle(p.xs.from, p.ys.from, p.xs.to, p.ys.to)
}

// on returns the point of a position, shifted, and a value; what lies far beyond the axes stays
// near enough to be cut off.
func (p *panel) on(s *drawnSeries, x, y float64) vg.Point {
	return p.at(nearby(p.xs, p.mapX(x)+s.shift), nearby(p.ys, p.mapY(y)))
}

func nearby(a axis, v float64) float64 {
	span := 1e4 * (a.hi - a.lo)
	return min(max(v, a.lo-span), a.hi+span)
}

// low is the lower end of interval i; one that a logarithmic axis does not have is far below.
func (p *panel) low(s *drawnSeries, i int) float64 {
	if p.cfg.LogY && s.Low[i] <= 0 {
		return math.SmallestNonzeroFloat64
	}
	return s.Low[i]
}

func (p *panel) drawBand(c vg.Canvas, s *drawnSeries) {
	if s.Low == nil || s.Whiskers || s.Kind != Line && s.Kind != Steps {
		return
	}
	for i := 0; i < len(s.X); {
		var upper, lower []vg.Point
		for ; i < len(s.X) && s.Low[i] == s.Low[i] && s.High[i] == s.High[i]; i++ {
			if s.Kind == Steps && len(upper) > 0 {
				upper = append(upper, p.on(s, s.X[i], s.High[i-1]))
				lower = append(lower, p.on(s, s.X[i], p.low(s, i-1)))
			}
			upper, lower = append(upper, p.on(s, s.X[i], s.High[i])),
				append(lower, p.on(s, s.X[i], p.low(s, i)))
		}
		if len(upper) == 0 {
			i++
			continue
		}
		for j := len(lower) - 1; j >= 0; j-- {
			upper = append(upper, lower[j])
		}
		if corners := cutPolygon(upper, p.area()); len(corners) > 2 {
			path := polyline(corners...)
			path.Close()
			fill(c, path, faded(s.look.hue, 0.16))
		}
	}
}

func (p *panel) drawLine(c vg.Canvas, s *drawnSeries) {
	var run []vg.Point
	end := func() {
		if path := cutLine(run, p.area()); len(path) > 0 {
			stroke(c, path, s.look.hue, 1.5, s.dashes...)
		}
		run = nil
	}
	for i, y := range s.Y {
		if y != y {
			end()
			continue
		}
		if s.Kind == Steps && len(run) > 0 {
			run = append(run, p.on(s, s.X[i], s.Y[i-1]))
		}
		run = append(run, p.on(s, s.X[i], y))
	}
	end()
}

// drawWhiskers draws intervals as lines with caps.
func (p *panel) drawWhiskers(c vg.Canvas, s *drawnSeries) {
	if s.Low == nil || !s.Whiskers && (s.Kind == Line || s.Kind == Steps) {
		return
	}
	for i, x := range s.X {
		if s.Low[i] == s.Low[i] && s.High[i] == s.High[i] {
			p.drawWhisker(c, s, p.on(s, x, p.low(s, i)), p.on(s, x, s.High[i]))
		}
	}
}

func (p *panel) drawWhisker(c vg.Canvas, s *drawnSeries, a, b vg.Point) {
	hue := s.look.hue
	if s.Kind == Bars {
		hue = ink
	}
	if a.X < p.xs.from || a.X > p.xs.to {
		return
	}
	if path := cutLine([]vg.Point{a, b}, p.area()); len(path) > 0 {
		stroke(c, path, hue, 1)
	}
	for _, end := range []vg.Point{a, b} {
		if end.Y >= p.ys.from && end.Y <= p.ys.to {
			stroke(c, level(end, -2.6, 2.6), hue, 1)
		}
	}
}

// markedPoints is how many points of a line may all have a marker; more have a few, for reading in
// grey.
const markedPoints = 25

// drawMarks draws the points of a series, or the markers of a line.
func (p *panel) drawMarks(c vg.Canvas, s *drawnSeries, index int) {
	r, opacity, edge := min(3.4, radiusOf(len(s.X))), opacityOf(len(s.X)), vg.Length(0.4)
	every, first := 1, 0
	switch s.Kind {
	case Points:
	case Line, Steps:
		if s.bare() {
			return
		}
		r, opacity, edge = 2.7, 1, 0.6
		if len(s.X) > markedPoints {
			every = len(s.X) / 8
			first = (every / 2 * (index + 1)) % every
		}
	default:
		return
	}
	for i := first; i < len(s.X); i += every {
		if s.Y[i] != s.Y[i] {
			continue
		}
		if at := p.on(s, s.X[i], s.Y[i]); p.holds(at) {
			s.look.draw(c, at, r, opacity, edge)
		}
	}
}

// bare reports whether a series is a straight line to compare with, which has no points to mark.
func (s *drawnSeries) bare() bool { return s.Dashed && len(s.X) <= 2 && s.Kind == Line }

// holds reports whether a position is within the axes.
func (p *panel) holds(at vg.Point) bool {
	return at.X >= p.xs.from-1e-6 && at.X <= p.xs.to+1e-6 && at.Y >= p.ys.from-1e-6 &&
		at.Y <= p.ys.to+1e-6
}

// labelDirections are where a label goes, first to the right of its point: multiples of an eighth
// of a turn.
var labelDirections = []float64{0, 4, 2, 6, 1, 7, 3, 5}

// labelWays are how far the label is, in points; one that is further off has a line to its point.
var labelWays = []vg.Length{5, 13, 22, 32, 44}

// drawChartLabels writes the labels of points beside them, as close as hides neither another label
// nor a point. Where there is no such position, a label lies over what is there.
func (p *panel) drawChartLabels(c vg.Canvas) {
	face := regular(legendSize)
	taken := p.points()
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
			r, way := besidePoint(at, face.Width(text), legendSize, area, taken)
			taken = append(taken, r)
			if way > labelWays[0] {
				end := vg.Point{X: min(max(at.X, r.Min.X), r.Max.X),
					Y: min(max(at.Y, r.Min.Y), r.Max.Y)}
				stroke(c, polyline(at, end), faded(soft, 0.7), 0.5)
			}
			write(c, face, ink, vg.Point{X: r.Min.X, Y: r.Min.Y + legendSize*0.14}, text)
		}
	}
}

// points returns the rectangles that the points of all series take.
func (p *panel) points() []vg.Rectangle {
	var taken []vg.Rectangle
	for i := range p.series {
		s := &p.series[i]
		for j, y := range s.Y {
			if at := p.on(s, s.X[j], y); y == y && p.holds(at) {
				taken = append(taken, around(at, 2.5, 2.5))
			}
		}
	}
	return taken
}

// besidePoint finds a free position in the area for a label of some width and height, and how far
// it is from its point.
func besidePoint(at vg.Point, wide, high vg.Length, area vg.Rectangle,
	taken []vg.Rectangle) (vg.Rectangle, vg.Length) {
	var first *vg.Rectangle // within the area at least
	for _, way := range labelWays {
		for _, direction := range labelDirections {
			sin, cos := math.Sincos(direction * math.Pi / 4)
			middle := vg.Point{X: at.X + vg.Length(cos)*(way+wide/2),
				Y: at.Y + vg.Length(sin)*(way+high/2)}
			r := around(middle, wide/2, high/2)
			if r.Min.X < area.Min.X || r.Max.X > area.Max.X || r.Min.Y < area.Min.Y ||
				r.Max.Y > area.Max.Y {
				continue
			}
			if first == nil {
				first = &r
			}
			if !slices.ContainsFunc(taken, func(o vg.Rectangle) bool { return overlap(r, o) }) {
				return r, way
			}
		}
	}
	if first == nil {
		return rectangle(at.X, at.Y, at.X+wide, at.Y+high), 0
	}
	return *first, 0
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

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
