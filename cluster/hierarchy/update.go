package hierarchy

import "math"

// weights is the formula of Lance and Williams (1967) for the distance of a cluster that is made of
// two, of na and nb members and far apart from each other, on squares for Ward's, centroid and
// median linkage.
type weights struct {
	linkage     Linkage
	na, nb, far float64
	pa, pb      float64 // shares of the members
}

func newWeights(l Linkage, na, nb, far float64) weights {
	return weights{linkage: l, na: na, nb: nb, far: far, pa: na / (na + nb), pb: nb / (na + nb)}
}

// joined returns the distance to a cluster of n members that is a and b from the two. Both parts
// enter in the same way, bit for bit. Rounding does not bring the new cluster nearer than both
// parts were where the linkage is reducible.
func (w *weights) joined(a, b, n float64) float32 {
	var v float64
	switch w.linkage {
	case Complete:
		v = max(a, b)
	case Average:
		v = float64(w.pa*a) + float64(w.pb*b)
		if least := min(a, b); v < least {
			v = least
		}
	case Weighted:
		v = (a + b) / 2
	case Ward:
		v = (float64((n+w.na)*a) + float64((n+w.nb)*b) - float64(n*w.far)) / (n + w.na + w.nb)
		v = max(v, min(a, b))
	case Centroid:
		v = max(0, float64(w.pa*a)+float64(w.pb*b)-float64(float64(w.pa*w.pb)*w.far))
	case Median:
		v = max(0, (a+b)/2-w.far/4)
	}
	if v > math.MaxFloat32 { // what rounds up beyond float32 would be infinite
		return math.MaxFloat32
	}
	return float32(v)
}
