package outline

import "math"

type point struct{ x, y float64 }

func (p point) minus(q point) point { return point{p.x - q.x, p.y - q.y} }

func (p point) length() float64 { return math.Hypot(p.x, p.y) }

// segments lays vectors of one length along a closed line, from the corner at position first: each
// ends at the next position on the line that is that far from where it begins. The last one, which
// closes the round, is shorter, and left out below half the length.
func segments(line []point, first int, length float64) []point {
	n := len(line)
	at := func(i int) point { return line[(first+i)%n] }
	var vectors []point
	from := at(0)
	on := from // where on the line the search goes on
	for i := 1; i <= n; {
		to := at(i)
		if to.minus(from).length() < length {
			on = to
			i++
			continue
		}
		end := leaves(from, on, to, length)
		vectors = append(vectors, end.minus(from))
		from, on = end, end
	}
	if rest := at(0).minus(from); rest.length() >= length/2 {
		vectors = append(vectors, rest)
	}
	return vectors
}

// leaves returns the position between a and b where the line from a, nearer than length to from, to
// b, not nearer, leaves the circle around from.
func leaves(from, a, b point, length float64) point {
	d, e := b.minus(a), a.minus(from)
	// |e + t·d|² = length², the larger root
	dd := float64(d.x*d.x) + float64(d.y*d.y)
	de := float64(d.x*e.x) + float64(d.y*e.y)
	ee := float64(e.x*e.x) + float64(e.y*e.y)
	t := (math.Sqrt(max(0, float64(de*de)-float64(dd*(ee-float64(length*length))))) - de) / dd
	t = min(max(t, 0), 1)
	return point{a.x + float64(t*d.x), a.y + float64(t*d.y)}
}

// turns returns the angle in degrees, in (−180, 180], from each vector's forerunner to it; y grows
// downwards, so clockwise is positive.
func turns(vectors []point) []float64 {
	angles := make([]float64, len(vectors))
	before := vectors[len(vectors)-1]
	for i, v := range vectors {
		cross := float64(before.x*v.y) - float64(before.y*v.x)
		dot := float64(before.x*v.x) + float64(before.y*v.y)
		angles[i] = math.Atan2(cross, dot) * (180 / math.Pi)
		if angles[i] == -180 {
			angles[i] = 180
		}
		before = v
	}
	return angles
}
