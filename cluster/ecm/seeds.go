package ecm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// apartFromEachOther draws c objects by k-means++ (Arthur and Vassilvitskii 2007): each of a few
// drawn in proportion to the squared dissimilarity from those so far, the one kept that leaves the
// least. Where all that are left lie on one of those, any of them. Squared means that
// dissimilarities are squares already.
func (r *relations) apartFromEachOther(rng *rand.Rand, squared bool) []int {
	n, c := r.n, r.fr.c
	square := func(i, j int) float64 {
		v := float64(r.d[i*n+j])
		if squared {
			return v
		}
		v /= r.unit
		return v * v
	}
	taken, near := make([]bool, n), slices.Repeat([]float64{math.Inf(1)}, n)
	var out []int
	total := 0.0
	take := func(at int) {
		taken[at] = true
		out = append(out, at)
		total = 0
		for i := range near {
			near[i] = min(near[i], square(at, i))
			total += near[i]
		}
	}
	take(rng.IntN(n))
	tries := 2 + int(math.Log(float64(c)))
	for len(out) < c {
		best, least := -1, math.Inf(1)
		for range tries {
			at := drawn(rng, near, taken, total)
			left := 0.0
			for i, v := range near {
				left += min(v, square(at, i))
			}
			if left < least {
				best, least = at, left
			}
		}
		take(best)
	}
	return out
}

// drawn draws an object that is not taken, in proportion to near.
func drawn(rng *rand.Rand, near []float64, taken []bool, total float64) int {
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

// begin puts the weights where a start goes out from: on medoids that are given, else on the means
// of relational k-means, whose partition it names.
func (e *relational) begin(ctx context.Context, cfg Config, start int) (partition string,
	err error) {
	n, c, sets := e.n, e.fr.c, len(e.fr.size)
	e.lift = 0
	e.u, e.du, e.line = make([]float64, c*n), make([]float64, n*c), make([]float64, n*c)
	e.inner, e.norm, e.weight = make([]float64, sets), make([]float64, sets), make([]float64, sets)
	medoids := cfg.Medoids
	if medoids == nil {
		medoids = e.apartFromEachOther(rand.New(rand.NewPCG(cfg.Seed, uint64(start))), true)
	}
	for k, m := range medoids {
		e.u[k*n+m] = 1
	}
	if cfg.Medoids != nil {
		return "", nil
	}
	return e.hard(ctx)
}

// hardRounds is the most rounds of k-means or k-medoids that a start makes.
const hardRounds = 10

// hard makes rounds of relational k-means: each object to the nearest mean, the first on a tie. It
// names the partition that weights are of: the cluster of each object, by the order in which
// clusters occur.
func (e *relational) hard(ctx context.Context) (string, error) {
	n, c := e.n, e.fr.c
	labels, own := make([]byte, n), make([]float64, c)
	for round := range hardRounds {
		if err := e.apart(ctx); err != nil {
			return "", err
		}
		for k := range own {
			own[k] = 0
			for i, v := range e.u[k*n : (k+1)*n] {
				own[k] = math.FMA(v, e.du[i*c+k]/2, own[k])
			}
		}
		changed := round == 0
		sizes := make([]float64, c)
		for i := range n {
			best, least := 0, math.Inf(1)
			for k := range c {
				if v := e.du[i*c+k] - own[k]; v < least {
					best, least = k, v
				}
			}
			changed = changed || labels[i] != byte(best)
			labels[i] = byte(best)
			sizes[best]++
		}
		if !changed {
			break
		}
		for k := range c {
			if sizes[k] > 0 { // else it keeps its mean
				clear(e.u[k*n : (k+1)*n])
			}
		}
		for i, k := range labels {
			e.u[int(k)*n+i] = 1 / sizes[k]
		}
	}
	next := byte(1)
	number := make([]byte, c)
	for i, k := range labels {
		if number[k] == 0 {
			number[k] = next
			next++
		}
		labels[i] = number[k]
	}
	return string(labels), nil
}
