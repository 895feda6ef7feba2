package spectral

import (
	"slices"
)

// rivals are the units that each unit must be apart from.
type rivals [][]int32

// colours returns a colour for each of some units, from 0, so that rivals differ, and the number of
// colours: the unit with the most colours around it comes next (DSATUR: Brélaz 1979), which finds
// two wherever two do. Units without a rival among them get colour 0.
func (r rivals) colours(among []int32) (of map[int32]int, count int) {
	of = make(map[int32]int)
	inside := make(map[int32]bool, len(among))
	for _, u := range among {
		inside[u] = true
	}
	var open []int32
	near := make(map[int32]map[int]bool)
	degree := make(map[int32]int)
	for _, u := range among {
		for _, v := range r[u] {
			if inside[v] {
				degree[u]++
			}
		}
		if degree[u] > 0 {
			open = append(open, u)
			near[u] = map[int]bool{}
		}
	}
	count = 1
	for len(open) > 0 {
		best := 0
		for t, u := range open {
			b := open[best]
			if len(near[u]) > len(near[b]) || len(near[u]) == len(near[b]) &&
				degree[u] > degree[b] {
				best = t
			}
		}
		u := open[best]
		open = slices.Delete(open, best, best+1)
		c := 0
		for near[u][c] {
			c++
		}
		of[u] = c
		count = max(count, c+1)
		for _, v := range r[u] {
			if n := near[v]; n != nil {
				n[c] = true
			}
		}
	}
	return of, count
}

// different finds units that are all rivals of each other, as many as a greedy search from each
// unit does.
func (r rivals) different() []int32 {
	var best []int32
	for u := range r {
		if len(r[u]) < len(best) {
			continue
		}
		group := []int32{int32(u)}
		open := slices.Clone(r[u])
		for len(open) > 0 {
			// The one that most of the others are rivals of.
			most, at := -1, 0
			for t, v := range open {
				shared := 0
				for _, w := range r[v] {
					if _, ok := slices.BinarySearch(open, w); ok {
						shared++
					}
				}
				if shared > most {
					most, at = shared, t
				}
			}
			v := open[at]
			group = append(group, v)
			open = slices.DeleteFunc(slices.Clone(open), func(w int32) bool {
				_, ok := slices.BinarySearch(r[v], w)
				return !ok
			})
		}
		if len(group) > len(best) {
			best = group
		}
	}
	return best
}
