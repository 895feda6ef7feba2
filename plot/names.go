package plot

import (
	"math"

	"gonum.org/v1/plot/vg"
)

const nameAngle = math.Pi / 4 // of names that do not fit beside each other

// turnsNames reports whether the names along x, which share width, are wider than what each has.
func (f *frame) turnsNames(space vg.Length) bool {
	face := regular(tickSize)
	each := space / vg.Length(f.xs.hi-f.xs.lo)
	for _, name := range f.names {
		if face.Width(name) > each-4 {
			return true
		}
	}
	return false
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
	c.Push()
	c.Translate(vg.Point{X: x + tickSize*0.35, Y: f.ys.from - 5 - tickSize*0.6})
	c.Rotate(nameAngle)
	c.FillString(face, vg.Point{X: -face.Width(name)}, name)
	c.Pop()
}
