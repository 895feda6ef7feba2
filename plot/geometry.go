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

// cutSegment returns what of the way from a to b lies in a rectangle (Liang and Barsky).
func cutSegment(a, b vg.Point, r vg.Rectangle) (from, to vg.Point, ok bool) {
	enter, leave := vg.Length(0), vg.Length(1)
	way := vg.Point{X: b.X - a.X, Y: b.Y - a.Y}
	for _, side := range [4][2]vg.Length{{-way.X, a.X - r.Min.X}, {way.X, r.Max.X - a.X},
		{-way.Y, a.Y - r.Min.Y}, {way.Y, r.Max.Y - a.Y}} {
		speed, distance := side[0], side[1]
		switch {
		case speed == 0 && distance < 0:
			return a, b, false
		case speed < 0:
			enter = max(enter, distance/speed)
		case speed > 0:
			leave = min(leave, distance/speed)
		}
	}
	if enter > leave {
		return a, b, false
	}
	from, to = a, b
	if enter > 0 {
		from = vg.Point{X: a.X + enter*way.X, Y: a.Y + enter*way.Y}
	}
	if leave < 1 {
		to = vg.Point{X: a.X + leave*way.X, Y: a.Y + leave*way.Y}
	}
	return from, to, true
}

// cutLine is the path through points as far as it lies in a rectangle.
func cutLine(points []vg.Point, r vg.Rectangle) vg.Path {
	var path vg.Path
	var last vg.Point
	for i := 1; i < len(points); i++ {
		from, to, ok := cutSegment(points[i-1], points[i], r)
		if !ok {
			continue
		}
		if len(path) == 0 || from != last {
			path.Move(from)
		}
		path.Line(to)
		last = to
	}
	return path
}

// cutPolygon returns the corners of a polygon within a rectangle (Sutherland and Hodgman).
func cutPolygon(corners []vg.Point, r vg.Rectangle) []vg.Point {
	sides := [4]func(p vg.Point) vg.Length{ // how far within
		func(p vg.Point) vg.Length { return p.X - r.Min.X },
		func(p vg.Point) vg.Length { return r.Max.X - p.X },
		func(p vg.Point) vg.Length { return p.Y - r.Min.Y },
		func(p vg.Point) vg.Length { return r.Max.Y - p.Y },
	}
	for _, within := range sides {
		var kept []vg.Point
		for i, b := range corners {
			a := corners[(i+len(corners)-1)%len(corners)]
			wa, wb := within(a), within(b)
			if wa < 0 != (wb < 0) {
				t := wa / (wa - wb)
				kept = append(kept, vg.Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)})
			}
			if wb >= 0 {
				kept = append(kept, b)
			}
		}
		corners = kept
	}
	return corners
}
