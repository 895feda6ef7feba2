package ecm

import (
	"math"
	"math/rand/v2"
)

// apartFromEachOther draws c objects by k-means++ (Arthur and Vassilvitskii 2007): each of a few drawn in proportion to the squared
// dissimilarity from those so far, the one kept that leaves the least. Where all that are left lie on one of those, any of them.
func (r *relations) apartFromEachOther(rng *rand.Rand, squared bool) []int {
	n, c := r.n, r.fr.c
	square := func(i, j int) float64 {
		v := float64(r.d[i*n+j])
		if squared {
			return v / r.unit / r.unit
		}
		v /= r.unit
		return v * v
	}
	taken := make([]bool, n)
	near := make([]float64, n)
	first := rng.IntN(n)
	taken[first] = true
	out := []int{first}
	total := 0.0
	for i := range near {
		near[i] = square(first, i)
		total += near[i]
	}
	tries := 2 + int(math.Log(float64(c)))
	for len(out) < c {
		best, least := -1, math.Inf(1)
		for range tries {
			at := r.drawn(rng, near, taken, total)
			left := 0.0
			for i, v := range near {
				left += min(v, square(at, i))
			}
			if left < least {
				best, least = at, left
			}
		}
		taken[best] = true
		out = append(out, best)
		total = 0
		for i := range near {
			near[i] = min(near[i], square(best, i))
			total += near[i]
		}
	}
	return out
}

// drawn draws an object that is not taken, in proportion to near.
func (r *relations) drawn(rng *rand.Rand, near []float64, taken []bool, total float64) int {
	left := rng.Float64() * total
	last := -1
	for i, v := range near {
		if taken[i] || v == 0 {
			continue
		}
		if last = i; left < v {
			return i
		}
		left -= v
	}
	if last >= 0 {
		return last
	}
	free := 0
	for i := range taken { // reservoir
		if !taken[i] {
			if free++; rng.IntN(free) == 0 {
				last = i
			}
		}
	}
	return last
}
