package density

import (
	"context"
	"math"
	"slices"
)

// defaultMinPoints returns the number of objects that make a neighbourhood dense by default: twice
// the number of columns (Sander, Ester, Kriegel and Xu 1998), at least 4 and, which is ours, at
// most 20 and at most the number of objects. Objects that are known by dissimilarities alone have
// no columns: 4.
func defaultMinPoints(o Objects) int {
	return max(1, min(20, max(4, 2*o.vectors().Cols), o.Len()))
}

// kneeRows is how many objects the curve of core distances is drawn from, at most.
const kneeRows = 20000

// tieShare is the share by which two keys that are the same but for rounding may differ.
const tieShare = 1e-9

// choice is an Eps chosen from the data.
type choice struct {
	key  float64
	core []float64 // core distances of all objects; nil: a sample was looked at
	// merges of core; nil unless it was looked at
	tree  *mergeTree
	tells bool // Eps is where the most objects are outside the largest cluster, not at the knee
}

// Of many columns the knee of the core distances is often beyond the radius at which clusters join:
// distances lie close together. Where nearlyAll of the core objects are then in one cluster, and
// there is a radius at which at least worthTelling of all objects are in others, that is taken.
const (
	nearlyAll    = 0.8
	worthTelling = 0.05
)

// chooseKey returns the Eps that the curve of core distances suggests (see [Config.Eps]).
func chooseKey(ctx context.Context, s space, minPoints int) (choice, error) {
	// Positions follow from values, so rows at equal steps of them are the same sample whatever the
	// order of rows.
	n := s.size()
	var asked []bool
	if n > kneeRows {
		asked = make([]bool, n)
		taken := 0
		for i := range asked {
			if (i+1)*kneeRows >= (taken+1)*n {
				asked[i] = true
				taken++
			}
		}
	}
	core, err := s.core(ctx, minPoints, asked, nil)
	if err != nil {
		return choice{}, err
	}
	sample := core
	if asked != nil {
		sample = nil
		for i, yes := range asked {
			if yes {
				sample = append(sample, core[i])
			}
		}
	}
	c := choice{key: s.key(knee(curveOf(s, sample)))}
	if asked != nil {
		return c, nil
	}
	c.core = core
	if s.columns() < wideColumns {
		return c, nil
	}
	if c.tree, err = newMergeTree(ctx, s, core); err != nil {
		return choice{}, err
	}
	there, key, best := c.tree.telling(core, c.key)
	if key > 0 && float64(there.core-there.outside) >= float64(nearlyAll*float64(there.core)) &&
		best.outside > there.outside &&
		float64(best.outside) >= float64(worthTelling*float64(n)) {
		c.key, c.tells = key, true
	}
	return c, nil
}

// curveOf returns the rising curve of the radii of keys, those out of reach left out.
func curveOf(s space, keys []float64) []float64 {
	curve := make([]float64, 0, len(keys))
	for _, key := range keys {
		if key < unreached {
			curve = append(curve, s.radius(key))
		}
	}
	slices.Sort(curve)
	return curve
}

// outliers is one object in how many that the end of a curve is left out for.
const outliers = 100

// knee returns a radius at the knee of a rising curve: where it lies deepest below the line between
// its ends, each axis taken from 0 to 1 (Satopää and others 2011), the greatest hundredth left out;
// a millionth more, so that rounding does not decide what lies at the knee itself; and the least
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
