package hierarchy

import "math"

// combine sets a to the distances of the cluster that is made of two, of na and nb members and far apart from each other, to all
// others, whose distances to the two are in a and b: the formula of Lance and Williams (1967), on squares for Ward's, centroid and
// median linkage. Both parts enter in the same way, bit for bit. Rounding does not bring the new cluster nearer than both parts were
// where the linkage is reducible.
func (d *condensed) combine(na, nb, far float64) {
	m := len(d.slots)
	a, b := d.a[:m], d.b[:m]
	switch d.linkage {
	case Complete:
		for t, v := range a {
			a[t] = max(v, b[t])
		}
	case Average:
		pa, pb := na/(na+nb), nb/(na+nb)
		for t, v := range a {
			a[t] = max(float64(pa*v)+float64(pb*b[t]), min(v, b[t]))
		}
	case Weighted:
		for t, v := range a {
			a[t] = (v + b[t]) / 2
		}
	case Ward:
		for t, v := range a {
			n := d.size[d.slots[t]]
			joined := (float64((n+na)*v) + float64((n+nb)*b[t]) - float64(n*far)) / (n + na + nb)
			a[t] = max(joined, min(v, b[t]))
		}
	case Centroid:
		pa, pb := na/(na+nb), nb/(na+nb)
		less := float64(float64(pa*pb) * far)
		for t, v := range a {
			a[t] = max(0, float64(pa*v)+float64(pb*b[t])-less)
		}
	case Median:
		for t, v := range a {
			a[t] = max(0, (v+b[t])/2-far/4)
		}
	}
	for t, v := range a {
		a[t] = min(v, math.MaxFloat32) // what rounds up beyond float32 would be infinite
	}
}
