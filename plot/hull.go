package plot

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"
)

// hull returns the corners of the convex hull of points, anticlockwise, by Andrew's monotone chain.
// Points on an edge are left out; fewer than three corners mean that the points lie on a line.
func hull(points [][2]float64) [][2]float64 {
	p := slices.Clone(points)
	slices.SortFunc(p, func(a,
		b [2]float64) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	p = slices.Compact(p)
	if len(p) < 3 {
		return p
	}
	half := func(chain [][2]float64) [][2]float64 {
		var out [][2]float64
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
func turn(a, b, c [2]float64) float64 {
	return float64((b[0]-a[0])*(c[1]-a[1])) - float64((b[1]-a[1])*(c[0]-a[0]))
}

// outline is the open path through corners, which are on the page.
func outline(corners [][2]float64) vg.Path {
	var p vg.Path
	for i, corner := range corners {
		to := vg.Point{X: vg.Length(corner[0]), Y: vg.Length(corner[1])}
		if i == 0 {
			p.Move(to)
		} else {
			p.Line(to)
		}
	}
	return p
}
