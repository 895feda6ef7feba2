package layout

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/nearest"
)

// graph is the fuzzy graph of neighbours: object i is tied to to[start[i]:start[i+1]], each as
// strongly as weight has it, from 0 to 1. It is symmetric.
type graph struct {
	start  []int
	to     []int32
	weight []float32
}

// fuzzy returns the union of the fuzzy sets of the neighbours of each object: w_ij + w_ji − w_ij·w_ji
// with w_ij = exp(−max(0, d_ij − ρ_i)/σ_i), ρ_i the smallest dissimilarity above 0, and σ_i such
// that the weights of an object add up to log₂ of their number and one (McInnes and others,
// algorithms 2 and 3).
func fuzzy(found *nearest.Neighbours) *graph {
	k := found.K
	n := len(found.Index) / k
	own := make([]float32, n*k)
	for i := range n {
		weigh(own[i*k:(i+1)*k], found.Dist[i*k:(i+1)*k])
	}
	// Ties of others to an object, after its own.
	g := &graph{start: make([]int, n+1)}
	back := make([]int, n+1)
	for _, j := range found.Index {
		back[j+1]++
	}
	for i := range n {
		back[i+1] += back[i]
	}
	from := make([]int32, n*k) // places of found, by the neighbour they are of
	next := slices.Clone(back[:n])
	for at, j := range found.Index {
		from[next[j]] = int32(at)
		next[j]++
	}
	g.to, g.weight = make([]int32, 0, 2*n*k), make([]float32, 0, 2*n*k)
	for i := range n {
		mine := found.Index[i*k : (i+1)*k]
		first := len(g.to)
		g.to = append(g.to, mine...)
		g.weight = append(g.weight, own[i*k:(i+1)*k]...)
		for _, at := range from[back[i]:back[i+1]] {
			j, w := at/int32(k), own[at]
			if t := slices.Index(mine, j); t >= 0 {
				v := g.weight[first+t]
				g.weight[first+t] = v + w - float32(v*w)
			} else {
				g.to, g.weight = append(g.to, j), append(g.weight, w)
			}
		}
		g.start[i+1] = len(g.to)
	}
	return g
}

// weigh sets w to the weights of neighbours at rising dissimilarities d.
func weigh(w, d []float32) {
	rho, mean := 0.0, 0.0
	for _, v := range d {
		if rho == 0 {
			rho = float64(v)
		}
		mean += float64(v) / float64(len(d))
	}
	want := math.Log2(float64(len(d) + 1))
	sum := func(sigma float64) (total float64) {
		for _, v := range d {
			total += math.Exp(-max(0, float64(v)-rho) / sigma)
		}
		return total
	}
	low, high, sigma := 0.0, math.Inf(1), mean
	for range 40 {
		if sigma == 0 {
			break
		}
		got := sum(sigma)
		if math.Abs(got-want) < 1e-5 {
			break
		}
		if got > want {
			high = sigma
			sigma = (low + high) / 2
		} else {
			low = sigma
			if sigma = (low + high) / 2; math.IsInf(high, 1) {
				sigma = 2 * low
			}
		}
	}
	sigma = max(sigma, 1e-3*mean)
	for t, v := range d {
		w[t] = 1
		if past := float64(v) - rho; past > 0 {
			w[t] = float32(math.Exp(-past / sigma))
		}
	}
}
