package layout

import "math"

// The membership of a pair in the plane at distance s is 1/(1 + a·s^2b), with a and b fitted to
// exp(−max(0, s − 0.1)), as UMAP does by default.
const (
	curveA = 1.5769434602
	curveB = 0.8950608779
	soft   = 1e-3 // keeps the force between objects at one point finite
	most   = 4    // an object moves in a step
)

// Forces are looked up by the exponent of a squared distance and its next bits, from 2⁻³⁰ to 2²⁰;
// beyond they are 0.
const (
	shift      = 23 - 5 // five bits
	leastEntry = (127 - 30) << 5
	entries    = (20 + 30) << 5
)

// forces has the forces between objects, as multiples of how far they are apart.
type forces struct {
	pull, push [entries]float32
}

// newForces returns the derivatives of the cross-entropy (McInnes and others, section 3.2): of a
// pair of neighbours, and of a pair of others.
func newForces() *forces {
	f := &forces{}
	for t := range entries {
		low := math.Float32frombits((leastEntry + uint32(t)) << shift)
		high := math.Float32frombits((leastEntry + uint32(t) + 1) << shift)
		square := (float64(low) + float64(high)) / 2
		to := float64(curveA * math.Pow(square, curveB))
		f.pull[t] = float32(2 * curveB * to / (square * (1 + to)))
		f.push[t] = float32(min(2*curveB/((soft+square)*(1+to)), most/math.Sqrt(square)))
	}
	return f
}

// entry returns where the forces of objects are that lie apart by dx and dy.
func entry(dx, dy float32) uint32 {
	return math.Float32bits(float32(dx*dx)+float32(dy*dy))>>shift - leastEntry
}

// step returns where an object goes that is pulled to another and pushed from some of all, drawn at
// random. All forces are those of where it is, so that a processor computes them side by side.
func (f *forces) step(at, other place, all []place, rng *random, rate float32) place {
	var x, y float32
	r := *rng
	for range negatives {
		from := &all[r.below(len(all))]
		dx, dy := at[0]-from[0], at[1]-from[1]
		if t := entry(dx, dy); t < entries {
			c := rate * f.push[t]
			x += float32(c * dx)
			y += float32(c * dy)
		}
	}
	*rng = r
	dx, dy := at[0]-other[0], at[1]-other[1]
	if t := entry(dx, dy); t < entries {
		c := rate * f.pull[t]
		at[0] -= float32(c * dx)
		at[1] -= float32(c * dy)
	}
	return place{at[0] + x, at[1] + y}
}
