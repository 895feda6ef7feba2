package plot

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

var unitSquare = vg.Rectangle{Max: vg.Point{X: 1, Y: 1}}

func inUnitSquare(p vg.Point, slack vg.Length) bool {
	return p.X >= -slack && p.X <= 1+slack && p.Y >= -slack && p.Y <= 1+slack
}

func anyPlace(r *rapid.T, name string) vg.Point {
	v := rapid.Float64Range(-2, 3)
	return vg.Point{X: vg.Length(v.Draw(r, name+" x")), Y: vg.Length(v.Draw(r, name+" y"))}
}

// TestCutSegment against a thousand points along the way.
func TestCutSegment(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a, b := anyPlace(r, "a"), anyPlace(r, "b")
		from, to, ok := cutSegment(a, b, unitSquare)
		if ok && !(inUnitSquare(from, 1e-9) && inUnitSquare(to, 1e-9)) {
			r.Fatalf("%v to %v is kept from %v to %v", a, b, from, to)
		}
		inside := 0
		const steps = 1000
		for i := range steps + 1 {
			s := vg.Length(i) / steps
			if inUnitSquare(vg.Point{X: a.X + s*(b.X-a.X), Y: a.Y + s*(b.Y-a.Y)}, 0) {
				inside++
			}
		}
		kept := 0.0
		if way := math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)); ok && way > 0 {
			kept = math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)) / way
		}
		if a != b && math.Abs(kept-float64(inside)/steps) > 2.5/steps {
			r.Fatalf("%v of the way from %v to %v is kept, and %d of %d points are inside", kept, a,
				b, inside, steps)
		}
	})
}

// holdsPlace reports whether a position is in a polygon, by counting the sides to its right.
func holdsPlace(p vg.Point, corners []vg.Point) bool {
	in := false
	for i, b := range corners {
		a := corners[(i+len(corners)-1)%len(corners)]
		if a.Y > p.Y != (b.Y > p.Y) && p.X < a.X+(p.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X) {
			in = !in
		}
	}
	return in
}

// TestCutPolygon: a position inside the square is in what is left of a polygon as it was in the
// whole.
func TestCutPolygon(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var corners []vg.Point
		for range rapid.IntRange(3, 7).Draw(r, "corners") {
			corners = append(corners, anyPlace(r, "corner"))
		}
		left := cutPolygon(corners, unitSquare)
		for _, p := range left {
			if !inUnitSquare(p, 1e-9) {
				r.Fatalf("corner %v is outside", p)
			}
		}
		for i := range 81 { // off the sides of the square, along which pieces hang together
			p := vg.Point{X: 0.1003 + 0.1*vg.Length(i%9), Y: 0.1007 + 0.1*vg.Length(i/9)}
			if near(p, corners) {
				continue
			}
			if holdsPlace(p, corners) != holdsPlace(p, left) {
				r.Fatalf("%v is in one of %v and %v", p, corners, left)
			}
		}
	})
}

// near reports whether a position is so close to a side that rounding may decide.
func near(p vg.Point, corners []vg.Point) bool {
	for i, b := range corners {
		a := corners[(i+len(corners)-1)%len(corners)]
		way := math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y))
		if math.Abs(float64((b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X))) <= 1e-6*math.Max(way, 1e-6) {
			return true
		}
	}
	return false
}

// TestLabelsFindAFreePlace: labels of a heap of points lie on no point and on no other label while
// there is space.
func TestLabelsFindAFreePlace(t *testing.T) {
	area := vg.Rectangle{Max: vg.Point{X: 300, Y: 200}}
	var taken []vg.Rectangle
	places := []vg.Point{{X: 150, Y: 100}, {X: 152, Y: 101}, {X: 149, Y: 97}, {X: 155, Y: 103},
		{X: 299, Y: 199}}
	for _, at := range places {
		taken = append(taken,
			vg.Rectangle{Min: vg.Point{X: at.X - 2, Y: at.Y - 2},
				Max: vg.Point{X: at.X + 2, Y: at.Y + 2}})
	}
	for _, at := range places {
		r, way := besidePoint(at, 40, 8, area, taken)
		for _, o := range taken {
			if overlap(r, o) {
				t.Errorf("the label of %v lies on %v", at, o)
			}
		}
		if way == 0 || r.Min.X < 0 || r.Max.X > 300 || r.Min.Y < 0 || r.Max.Y > 200 {
			t.Errorf("the label of %v is at %v", at, r)
		}
		taken = append(taken, r)
	}
	if r, way := besidePoint(places[0], 40, 8, area, []vg.Rectangle{area}); way != 0 ||
		r.Min.X < places[0].X {
		t.Errorf("without space the label is at %v, %v off", r, way)
	}
}
