package layout

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/internal/parallel"
)

// graph is the fuzzy graph of neighbours, in the order of a descent: the object at place p is tied
// to those at the places to[start[p]:start[p+1]], each as strongly as weight has it, of which 1 is
// the largest number. It is symmetric.
type graph struct {
	start  []int
	to     []int32
	weight []uint32
}

// fuzzy returns the union of the fuzzy sets of the neighbours of each object (see weigh):
// w_ij + w_ji − w_ij·w_ji. Order has the object at each place.
func fuzzy(ctx context.Context, found *nearest.Neighbours, order []int32, threads int) (*graph,
	error) {
	n, k := len(order), found.K
	own := make([]float32, n*k)
	err := parallel.Try(ctx, n, 256, threads, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			if slices.Contains(found.Index[i*k:(i+1)*k], -1) {
				return fault.Inputf("dissimilarities are finite numbers from 0",
					"object %d has fewer than %d others at a finite dissimilarity", i+1, k)
			}
			weigh(own[i*k:(i+1)*k], found.Dist[i*k:(i+1)*k])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Entries of found by the neighbour that they are of.
	first := make([]int, n+1)
	for _, j := range found.Index {
		first[j+1]++
	}
	for i := range n {
		first[i+1] += first[i]
	}
	of := make([]int, n*k)
	next := slices.Clone(first[:n])
	for at, j := range found.Index {
		of[next[j]] = at
		next[j]++
	}
	place := make([]int32, n)
	for p, i := range order {
		place[i] = int32(p)
	}
	g := &graph{start: make([]int, n+1), to: make([]int32, 0, 2*n*k),
		weight: make([]uint32, 0, 2*n*k)}
	back := make(map[int32]float32)
	for p, i := range order {
		if p%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		clear(back)
		mine := of[first[i]:first[i+1]]
		for _, at := range mine {
			back[int32(at/k)] = own[at]
		}
		at := int(i) * k
		for t, j := range found.Index[at : at+k] {
			w, v := own[at+t], back[j]
			g.add(place[j], w+v-float32(w*v))
			delete(back, j)
		}
		for _, at := range mine {
			if w, left := back[int32(at/k)]; left {
				g.add(place[at/k], w)
			}
		}
		g.start[p+1] = len(g.to)
	}
	return g, nil
}

// add ties the object that is being looked at to the one at a place.
func (g *graph) add(place int32, weight float32) {
	g.to = append(g.to, place)
	g.weight = append(g.weight, uint32(min(math.MaxUint32, float64(weight)*(1<<32))))
}

// weigh sets w to the weights of the neighbours of an object at rising dissimilarities d:
// exp(−max(0, d − ρ)/σ), ρ the smallest dissimilarity above 0, and σ such that they add up to log₂
// of their number and one (McInnes and others, algorithm 3).
func weigh(w, d []float32) {
	rho, mean := 0.0, 0.0
	for _, v := range d {
		if rho == 0 {
			rho = float64(v)
		}
		mean += float64(v) / float64(len(d))
	}
	want := math.Log2(float64(len(d) + 1))
	low, high, sigma := 0.0, math.Inf(1), mean
	for range 40 {
		sum := 0.0
		for _, v := range d {
			sum += math.Exp(-max(0, float64(v)-rho) / sigma)
		}
		switch {
		case !(math.Abs(sum-want) >= 1e-5): // σ is 0 where all d are
			low, high = sigma, sigma
		case sum > want:
			high = sigma
		default:
			low = sigma
		}
		if math.IsInf(high, 1) {
			sigma = 2 * low
		} else {
			sigma = (low + high) / 2
		}
		if low == high {
			break
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
