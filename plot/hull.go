package plot

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
)

// hull returns the corners of the convex hull of points, anticlockwise, by Andrew's monotone chain.
// Points on an edge are left out; fewer than three corners mean that the points lie on a line.
func hull(points []vg.Point) []vg.Point {
	p := slices.Clone(points)
	slices.SortFunc(p, func(a, b vg.Point) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	})
	p = slices.Compact(p)
	if len(p) < 3 {
		return p
	}
	half := func(chain []vg.Point) []vg.Point {
		var out []vg.Point
		for _, c := range chain {
			for len(out) >= 2 && turn(out[len(out)-2], out[len(out)-1], c) <= 0 {
				out = out[:len(out)-1]
			}
			out = append(out, c)
		}
		return out[:len(out)-1]
	}
	lower := half(p)
	slices.Reverse(p)
	return append(lower, half(p)...)
}

// turn is positive when a → b → c turns to the left.
func turn(a, b, c vg.Point) float64 {
	return float64((b.X-a.X)*(c.Y-a.Y)) - float64((b.Y-a.Y)*(c.X-a.X))
}

// drawHull draws a hull with an inside and a line of some opacity, 0 for no inside.
func drawHull(c vg.Canvas, corners []vg.Point, hue color.NRGBA, inside, opacity float64,
	width vg.Length, dashes ...vg.Length) {
	p := polyline(corners...)
	if len(p) < 2 {
		return
	}
	if len(p) > 2 {
		p.Close()
		if inside > 0 {
			fill(c, p, faded(hue, inside))
		}
	}
	stroke(c, p, faded(hue, opacity), width, dashes...)
}
