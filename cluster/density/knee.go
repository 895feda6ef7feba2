package density

import (
	"context"
	"math"
	"slices"
)

// DefaultMinPoints returns the number of objects that make a neighbourhood dense when nobody says:
// twice the number of columns (Sander, Ester, Kriegel and Xu 1998), at least 4 and, which is ours,
// at most 20 and at most the number of objects. Objects that are known by dissimilarities alone
// have no columns: 4.
func DefaultMinPoints(o Objects) int {
	points := 4
	if o.Source == nil {
		points = min(20, max(4, 2*o.Vectors.Cols))
	}
	return max(1, min(points, o.Len()))
}

// kneeRows is how many objects the curve of core distances is drawn from, at most.
const kneeRows = 20000

// tieShare is the share by which two keys that are the same but for rounding may differ.
const tieShare = 1e-9

// chooseKey returns the key of the Eps that the curve of core distances suggests (see
// [Config.Eps]), drawn from objects of among (nil: all).
func chooseKey(ctx context.Context, s space, minPoints int, among []bool) (float64, error) {
	// Positions follow from values, so rows at equal steps of them are the same sample whatever the
	// order of rows.
	n := 0
	for i := range s.size() {
		if among == nil || among[i] {
			n++
		}
	}
	asked := make([]bool, s.size())
	taken, seen := 0, 0
	for i := range asked {
		if among == nil || among[i] {
			if seen++; seen*min(n, kneeRows) >= (taken+1)*n {
				asked[i] = true
				taken++
			}
		}
	}
	core, err := s.core(ctx, minPoints, asked)
	if err != nil {
		return 0, err
	}
	var curve []float64
	for i, yes := range asked {
		if yes && core[i] < unreached {
			curve = append(curve, s.radius(core[i]))
		}
	}
	slices.Sort(curve)
	return s.key(knee(curve)), nil
}

// outliers is one object in how many that the end of a curve is left out for.
const outliers = 100

// knee returns a radius at the knee of a rising curve: where it lies deepest below the line between
// its ends, each axis taken from 0 to 1 (Satopää and others 2011), the greatest hundredth left out;
// a millionth more, so that rounding does not tell what lies at the knee itself; and the least
// value above 0 where the knee is at 0. It is 0 where the curve is empty or 0 throughout.
func knee(curve []float64) float64 {
	last := len(curve) - 1 - len(curve)/outliers
	if last < 0 {
		return 0
	}
	at, deepest := last, 0.0
	if rise := curve[last] - curve[0]; rise > float64(tieShare*curve[last]) { // else it is flat
		for i, v := range curve[:last] {
			if below := float64(i)/float64(last) - (v-curve[0])/rise; below > deepest+tieShare {
				at, deepest = i, below
			}
		}
	}
	for at < len(curve)-1 && curve[at] == 0 {
		at++
	}
	return curve[at] + float64(1e-6*curve[at])
}

// niceRadius rounds a radius up to three digits, for a person to type.
func niceRadius(r float64) float64 {
	if r <= 0 || r-r != 0 {
		return r
	}
	unit := math.Pow(10, math.Floor(math.Log10(r))-2)
	return math.Ceil(r/unit) * unit
}
