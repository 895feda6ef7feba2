package plot

import "gonum.org/v1/plot/vg"

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
