package plot

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/fault"
)

// Page is the texts of a figure and its size. Text from data may be anything: it is cleaned and
// shortened.
type Page struct {
	Title, Subtitle string
	XLabel, YLabel  string  // "": what the figure shows there
	Width, Height   float64 // inches; 0: 6.4 and 4.8, where a figure has none of its own; 2 to 40
}

const pad vg.Length = 8 // points around the figure

// frame is what is around the marks of every figure: title, note, axes with their labels, and
// legend.
type frame struct {
	title, note    string
	width, height  float64 // inches
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

// begin takes over the texts and the size of a page; the labels are those of a page without. It
// refuses sizes that make no figure.
func (f *frame) begin(p Page, xLabel, yLabel string) error {
	for _, side := range []float64{p.Width, p.Height} {
		if side != 0 && !(side >= 2 && side <= 40) {
			return fault.Inputf("give 2 to 40 inches",
				"a figure cannot be %v inches wide or high", side)
		}
	}
	f.title, f.note = clean(p.Title), clean(p.Subtitle)
	f.xLabel, f.yLabel = cmp.Or(clean(p.XLabel), xLabel), cmp.Or(clean(p.YLabel), yLabel)
	f.width, f.height = cmp.Or(p.Width, 6.4), cmp.Or(p.Height, 4.8)
	return nil
}

// figure returns the figure that draw draws; what is its title where the frame has none.
func (f *frame) figure(what string, draw func(c vg.Canvas, width, height vg.Length)) *Figure {
	return &Figure{width: f.width, height: f.height, title: cmp.Or(f.title, what), draw: draw}
}

// draw lays the frame out on a canvas of the given size, which sets the positions of the axes, and
// draws it.
func (f *frame) draw(c vg.Canvas, width, height vg.Length) {
	fill(c, box(vg.Rectangle{Max: vg.Point{X: width, Y: height}}), white)

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
		stroke(c, segment(x, f.ys.from, x, f.ys.to), gridInk, 0.5)
		stroke(c, segment(x, f.ys.from, x, f.ys.from-3), axisInk, 0.6)
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
		stroke(c, segment(f.xs.from, y, f.xs.to, y), gridInk, 0.5)
		stroke(c, segment(f.xs.from, y, f.xs.from-3, y), axisInk, 0.6)
		write(c, face, soft, vg.Point{X: f.xs.from - 5 - face.Width(t.label), Y: y - tickSize*0.36},
			t.label)
	}
	stroke(c, segment(f.xs.from, f.ys.from, f.xs.to, f.ys.from), axisInk, 0.7)
	stroke(c, segment(f.xs.from, f.ys.from, f.xs.from, f.ys.to), axisInk, 0.7)
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
		write(c, face, soft, vg.Point{X: f.xs.from, Y: y - noteSize - 2},
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
	writeTurned(c, face, vg.Point{X: pad + labelSize, Y: along}, math.Pi/2, 0, text)
}

const nameAngle = math.Pi / 4 // of names that do not fit beside each other

// turnsNames reports whether the names along x, which share width, are wider than what each has.
func (f *frame) turnsNames(space vg.Length) bool {
	face := regular(tickSize)
	each := space / vg.Length(f.xs.hi-f.xs.lo)
	return slices.ContainsFunc(f.names,
		func(name string) bool { return face.Width(name) > each-4 })
}

// turnedHeight is how far turned names reach down.
func (f *frame) turnedHeight() vg.Length {
	face := regular(tickSize)
	widest := vg.Length(0)
	for _, name := range f.names {
		widest = max(widest, face.Width(name))
	}
	return min(widest, f.longestName)*math.Sqrt2/2 + tickSize
}

// nameTicks returns the names within an axis, or every second, third … of them where they stand
// closer than lines of text.
func (f *frame) nameTicks(a axis) (list []tick) {
	apart := a.at(1) - a.at(0)
	every := max(1, int(math.Ceil(float64(tickSize*1.1/apart))))
	for i := 0; i < len(f.names); i += every {
		if at := float64(i); at >= a.lo && at <= a.hi {
			list = append(list, tick{at, f.names[i]})
		}
	}
	return list
}

// drawTurned writes a name that ends below its tick, as far as the page reaches to the left.
func (f *frame) drawTurned(c vg.Canvas, x vg.Length, name string) {
	face := regular(tickSize)
	name = clip(face, name, min(f.longestName, (x-2)*math.Sqrt2))
	writeTurned(c, face, vg.Point{X: x + tickSize*0.35, Y: f.ys.from - 5 - tickSize*0.6}, nameAngle,
		-face.Width(name), name)
}
