package plot

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// The hues start with those of M. Okabe and K. Ito, which people with any colour vision
// distinguish, without their yellow, which is lost on white. Ten hues and seven shapes make 70
// pairs before one returns.
var hues = []color.NRGBA{
	{0x00, 0x72, 0xB2, 255}, // blue
	{0xD5, 0x5E, 0x00, 255}, // vermilion
	{0x00, 0x9E, 0x73, 255}, // green
	{0xCC, 0x79, 0xA7, 255}, // purple
	{0xE6, 0x9F, 0x00, 255}, // orange
	{0x56, 0xB4, 0xE9, 255}, // sky
	{0x88, 0x22, 0x55, 255}, // wine
	{0x33, 0x22, 0x88, 255}, // indigo
	{0x99, 0x99, 0x33, 255}, // olive
	{0x7F, 0x5A, 0x3C, 255}, // brown
}

var (
	ink     = color.NRGBA{0x22, 0x22, 0x22, 255}
	soft    = color.NRGBA{0x66, 0x66, 0x66, 255}
	axisInk = color.NRGBA{0x55, 0x55, 0x55, 255}
	gridInk = color.NRGBA{0xE8, 0xE8, 0xE8, 255}
	white   = color.NRGBA{255, 255, 255, 255}
	outside = color.NRGBA{0x80, 0x80, 0x80, 255} // noise
	apart   = color.NRGBA{0xB0, 0x1C, 0x2E, 255} // cannot-links
)

// faded returns c at an opacity in 0..1.
func faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(math.Round(255 * opacity))
	return c
}

// shape is an outline; the even-handed areas make all look the same size.
type shape int

const (
	circle shape = iota
	square
	triangle
	diamond
	downward // a triangle on its tip
	plus
	cross
	shapes // how many there are
)

// outlines holds the corners of each polygon for radius 1.
var outlines = [shapes][][2]float64{
	square:   {{-.86, -.86}, {.86, -.86}, {.86, .86}, {-.86, .86}},
	triangle: {{-1.1, -.78}, {1.1, -.78}, {0, 1.22}},
	diamond:  {{0, -1.25}, {1.1, 0}, {0, 1.25}, {-1.1, 0}},
	downward: {{-1.1, .78}, {0, -1.22}, {1.1, .78}},
	plus: {{-.4, -1.15}, {.4, -1.15}, {.4, -.4}, {1.15, -.4}, {1.15, .4}, {.4, .4}, {.4, 1.15},
		{-.4, 1.15}, {-.4, .4}, {-1.15, .4}, {-1.15, -.4}, {-.4, -.4}},
	cross: {{-1.1, -.53}, {-.53, -1.1}, {0, -.57}, {.53, -1.1}, {1.1, -.53}, {.57, 0},
		{1.1, .53}, {.53, 1.1}, {0, .57}, {-.53, 1.1}, {-1.1, .53}, {-.57, 0}},
}

// path returns the closed outline of the shape around a point.
func (s shape) path(at vg.Point, r vg.Length) vg.Path {
	if s == circle {
		return vg.Path{
			{Type: vg.MoveComp, Pos: vg.Point{X: at.X + r, Y: at.Y}},
			{Type: vg.ArcComp, Pos: at, Radius: r, Angle: 2 * math.Pi},
			{Type: vg.CloseComp},
		}
	}
	p := line(len(outlines[s]), func(i int) vg.Point {
		c := outlines[s][i]
		return vg.Point{X: at.X + vg.Length(c[0])*r, Y: at.Y + vg.Length(c[1])*r}
	})
	p.Close()
	return p
}

// look is how a point is drawn.
type look struct {
	shape  shape
	hollow bool
	hue    color.NRGBA
}

// clusterLook returns hue and shape of cluster c; 0, noise, is a hollow grey circle.
func clusterLook(c int) look {
	if c == 0 {
		return look{circle, true, outside}
	}
	return look{shape((c - 1) % int(shapes)), false, hues[(c-1)%len(hues)]}
}

// classLook returns the shape of class i, from 0: seven filled, then seven hollow ones.
func classLook(i int) look {
	return look{shape(i % int(shapes)), i/int(shapes)%2 == 1, ink}
}

// draw puts the mark on a canvas. Edge is the width of a white rim around filled marks, or 0.
func (l look) draw(c vg.Canvas, at vg.Point, r vg.Length, opacity float64, edge vg.Length) {
	p := l.shape.path(at, r)
	if l.hollow {
		stroke(c, p, faded(l.hue, math.Sqrt(opacity)), max(0.5, r/4))
		return
	}
	fill(c, p, faded(l.hue, opacity))
	if edge > 0 {
		stroke(c, p, faded(white, 0.9), edge)
	}
}

// mark is a sample of a look for the legend.
func mark(l look, r vg.Length) sample {
	return func(c vg.Canvas, at vg.Point) { l.draw(c, at, r, 1, 0) }
}

// dash is a sample of a line for the legend.
func dash(ink color.NRGBA, width vg.Length, dashes ...vg.Length) sample {
	return func(c vg.Canvas, at vg.Point) { stroke(c, level(at, -8, 7), ink, width, dashes...) }
}

// fill fills a path.
func fill(c vg.Canvas, p vg.Path, ink color.NRGBA) {
	c.SetColor(ink)
	c.Fill(p)
}

// stroke draws a path as a line, dashed where dashes are given.
func stroke(c vg.Canvas, p vg.Path, ink color.NRGBA, width vg.Length, dashes ...vg.Length) {
	c.SetColor(ink)
	c.SetLineWidth(width)
	c.SetLineDash(dashes, 0)
	c.Stroke(p)
}

// line is the open path through n points.
func line(n int, at func(i int) vg.Point) vg.Path {
	var p vg.Path
	for i := range n {
		if i == 0 {
			p.Move(at(i))
		} else {
			p.Line(at(i))
		}
	}
	return p
}

// polyline is the open path through points.
func polyline(points ...vg.Point) vg.Path {
	return line(len(points), func(i int) vg.Point { return points[i] })
}

// segment is the straight line between two points.
func segment(fromX, fromY, toX, toY vg.Length) vg.Path {
	return polyline(vg.Point{X: fromX, Y: fromY}, vg.Point{X: toX, Y: toY})
}

// level is a level line from one distance to the right of a point to another.
func level(at vg.Point, from, to vg.Length) vg.Path {
	return segment(at.X+from, at.Y, at.X+to, at.Y)
}

// rectangle is the one between its lower left and its upper right corner.
func rectangle(left, bottom, right, top vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: right, Y: top}}
}

// around is the rectangle that reaches so far from a point to each side, and up and down.
func around(at vg.Point, wide, high vg.Length) vg.Rectangle {
	return rectangle(at.X-wide, at.Y-high, at.X+wide, at.Y+high)
}

// box is the closed path around a rectangle.
func box(r vg.Rectangle) vg.Path { return r.Path() }
