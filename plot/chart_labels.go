package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

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
				taken = append(taken,
					vg.Rectangle{Min: vg.Point{X: at.X - 2.5, Y: at.Y - 2.5},
						Max: vg.Point{X: at.X + 2.5, Y: at.Y + 2.5}})
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
			r := vg.Rectangle{Min: vg.Point{X: middle.X - wide/2, Y: middle.Y - high/2},
				Max: vg.Point{X: middle.X + wide/2, Y: middle.Y + high/2}}
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
		return vg.Rectangle{Min: at, Max: vg.Point{X: at.X + wide, Y: at.Y + high}}, 0
	}
	return *first, 0
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}
