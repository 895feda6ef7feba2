package plot

import (
	"math"

	"gonum.org/v1/plot/vg"
)

const pad vg.Length = 8 // points around the figure

// frame is what is around the marks of every figure: title, note, axes with their labels, and
// legend.
type frame struct {
	title, note    string
	xLabel, yLabel string
	xs, ys         axis
	legend         legend
	cut            bool                // whether the legend, as drawn, left entries out
	hideX, hideY   bool                // no ticks
	xTicks, yTicks func(a axis) []tick // nil: round numbers
	square         bool                // a unit is as long on both axes, by wider axes
	shrink         bool                // or by a shorter one
	small          bool                // one of several on a page: a smaller title
	names          []string            // instead of numbers along x, at 0, 1, 2 …
	turned         bool                // the names, as drawn, rise from the left, for lack of space
	longestName    vg.Length
}

// draw lays the frame out on a canvas of the given size, which sets the positions of the axes, and
// draws it.
func (f *frame) draw(c vg.Canvas, width, height vg.Length) {
	c.SetColor(white)
	c.Fill(box(vg.Rectangle{Max: vg.Point{X: width, Y: height}}))

	top := height - pad
	edge := pad
	if f.yLabel != "" {
		edge += labelSize + 5
	}
	bottom := pad + tickSize + 5
	if f.xLabel != "" {
		bottom += labelSize + 4
	}
	if f.title != "" {
		top -= f.titleSize() + 7
	}
	if f.note != "" {
		top -= noteSize + 3
	}
	legendWidth := f.legend.width(width * 0.34)
	right := width - pad
	if legendWidth > 0 {
		right -= legendWidth + 14
	}

	face := regular(tickSize)
	space := right - edge - 30 // along x, about
	f.turned, f.longestName = f.turnsNames(space), min(84, 0.3*height)
	if f.turned {
		bottom += f.turnedHeight() - tickSize
	}
	f.ys.from, f.ys.to = bottom, top
	f.xs.to = right
	xs, ys := f.xs, f.ys
	var yTicks []tick
	var yFactor string
	for range 2 { // a square frame has other ticks upwards when it knows how wide it is
		yTicks, yFactor = ticksOf(f.ys, f.hideY, f.yTicks, 44,
			func(string) vg.Length { return tickSize })
		wide := vg.Length(0)
		for _, t := range yTicks {
			wide = max(wide, face.Width(t.label))
		}
		xs.from = edge + wide + 7
		f.xs, f.ys = xs, ys
		switch {
		case f.square:
			f.xs, f.ys = equal(f.xs, f.ys)
		case f.shrink:
			wide, high := f.xs.hi-f.xs.lo, f.ys.hi-f.ys.lo
			unit := min(float64(right-f.xs.from)/wide, float64(top-f.ys.from)/high)
			f.xs.to, f.ys.to = f.xs.from+vg.Length(unit*wide), f.ys.from+vg.Length(unit*high)
		}
	}
	own := f.xTicks
	if len(f.names) > 0 {
		own = f.nameTicks
	}
	xTicks, xFactor := ticksOf(f.xs, f.hideX, own, 48,
		func(label string) vg.Length { return face.Width(label) })

	f.drawAxes(c, xTicks, yTicks)
	f.drawLabels(c, width, height, withFactor(f.xLabel, xFactor), withFactor(f.yLabel, yFactor))
	if f.shrink {
		right = f.xs.to
	}
	f.cut = !f.legend.draw(c, vg.Point{X: right + 14, Y: top}, legendWidth, top-pad)
}

// ticksOf returns the ticks of an axis, by its own way where it has one.
func ticksOf(a axis, hide bool, own func(axis) []tick, spacing vg.Length,
	extent func(string) vg.Length) ([]tick, string) {
	switch {
	case hide:
		return nil, ""
	case own != nil:
		return own(a), ""
	}
	return a.ticks(spacing, extent)
}

// equal widens one of two axes so that a unit is as long on both.
func equal(a, b axis) (axis, axis) {
	perA, perB := (a.hi-a.lo)/float64(a.to-a.from), (b.hi-b.lo)/float64(b.to-b.from)
	if perA > perB {
		b, a = equal(b, a)
		return a, b
	}
	more := (perB*float64(a.to-a.from) - (a.hi - a.lo)) / 2
	a.lo, a.hi = a.lo-more, a.hi+more
	return a, b
}

// at returns the position of coordinates on the page.
func (f *frame) at(x, y float64) vg.Point { return vg.Point{X: f.xs.at(x), Y: f.ys.at(y)} }

func (f *frame) titleSize() vg.Length {
	if f.small {
		return labelSize
	}
	return titleSize
}

func withFactor(label, factor string) string {
	if label == "" || factor == "" {
		return label + factor
	}
	return label + ", " + factor
}

func (f *frame) drawAxes(c vg.Canvas, xTicks, yTicks []tick) {
	face := regular(tickSize)
	for _, t := range xTicks {
		x := f.xs.at(t.value)
		stroke(c, segment(vg.Point{X: x, Y: f.ys.from}, vg.Point{X: x, Y: f.ys.to}), gridInk, 0.5)
		stroke(c, segment(vg.Point{X: x, Y: f.ys.from}, vg.Point{X: x, Y: f.ys.from - 3}), axisInk,
			0.6)
		c.SetColor(soft)
		if f.turned {
			f.drawTurned(c, x, t.label)
			continue
		}
		c.FillString(face, vg.Point{X: x - face.Width(t.label)/2, Y: f.ys.from - 5 - tickSize*0.72},
			t.label)
	}
	for _, t := range yTicks {
		y := f.ys.at(t.value)
		stroke(c, segment(vg.Point{X: f.xs.from, Y: y}, vg.Point{X: f.xs.to, Y: y}), gridInk, 0.5)
		stroke(c, segment(vg.Point{X: f.xs.from, Y: y}, vg.Point{X: f.xs.from - 3, Y: y}), axisInk,
			0.6)
		c.SetColor(soft)
		c.FillString(face, vg.Point{X: f.xs.from - 5 - face.Width(t.label), Y: y - tickSize*0.36},
			t.label)
	}
	corner := vg.Point{X: f.xs.from, Y: f.ys.from}
	stroke(c, segment(corner, vg.Point{X: f.xs.to, Y: f.ys.from}), axisInk, 0.7)
	stroke(c, segment(corner, vg.Point{X: f.xs.from, Y: f.ys.to}), axisInk, 0.7)
}

func (f *frame) drawLabels(c vg.Canvas, width, height vg.Length, xLabel, yLabel string) {
	y := height - pad
	if f.title != "" {
		face := bold(float64(f.titleSize()))
		y -= f.titleSize()
		c.SetColor(ink)
		// The title may run over the legend, up to the edge of the page.
		c.FillString(face, vg.Point{X: f.xs.from, Y: y}, clip(face, f.title, width-pad-f.xs.from))
	}
	if f.note != "" {
		face := regular(noteSize)
		c.SetColor(soft)
		c.FillString(face, vg.Point{X: f.xs.from, Y: y - noteSize - 2},
			clip(face, f.note, width-pad-f.xs.from))
	}
	face := regular(labelSize)
	middle := func(text string, from, to vg.Length) (string, vg.Length) {
		text = clip(face, text, to-from)
		return text, (from+to)/2 - face.Width(text)/2
	}
	c.SetColor(ink)
	if xLabel != "" {
		text, x := middle(xLabel, f.xs.from, f.xs.to)
		c.FillString(face, vg.Point{X: x, Y: pad}, text)
	}
	if yLabel == "" {
		return
	}
	text, along := middle(yLabel, f.ys.from, f.ys.to)
	c.Push()
	c.Translate(vg.Point{X: pad + labelSize, Y: along})
	c.Rotate(math.Pi / 2)
	c.FillString(face, vg.Point{}, text)
	c.Pop()
}
