package evclus

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// landmarks is how many objects medoids are sought among: all where there are few.
func landmarks(n, clusters int) int {
	return min(n, max(500, 20*clusters))
}

// medoidSamples is how many samples medoids are sought in, where there are more objects than
// landmarks. The best of one sample misses small clusters now and then; of the best of five, seeds
// hardly differ.
const medoidSamples = 5

// nearestMedoids starts a fit: PAM on the squared dissimilarities of random landmarks, and every
// object to the nearest medoid, the first on a tie; of several samples the one with the least sum
// of squares (CLARA, Kaufman and Rousseeuw 1990). A start from here meets the best basin known far
// more often than random masses do.
func nearestMedoids(ctx context.Context, src dissim.Source, clusters int, seed uint64,
	threads int) ([]int32, error) {
	n := src.Len()
	count := landmarks(n, clusters)
	samples := medoidSamples
	if count == n {
		samples = 1
	}
	medoids := make([][]int32, samples)
	err := parallel.Try(ctx, samples, 1, threads, func(t, _, _ int) (err error) {
		medoids[t], err = medoidsOf(ctx, src, sampleObjects(n, count, seed^uint64(t)<<48), clusters)
		return err
	})
	if err != nil {
		return nil, err
	}
	var best []int32
	least := math.Inf(1)
	for _, m := range medoids {
		labels, cost, err := toNearest(ctx, src, m, threads)
		if err != nil {
			return nil, err
		}
		if best == nil || cost < least {
			best, least = labels, cost
		}
	}
	return best, nil
}

// medoidsOf finds medoids among some objects.
func medoidsOf(ctx context.Context, src dissim.Source, marks []int32, clusters int) ([]int32,
	error) {
	n := len(marks)
	d := make([]float32, n*n)
	for i, m := range marks {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		src.Row(d[i*n:i*n+n], int(m), marks)
	}
	most := slices.Max(d) // against which all are taken, lest squares overflow or vanish
	if most > 0 {
		for t, v := range d {
			d[t] = v / most * (v / most)
		}
	}
	medoids, err := pam(ctx, d, n, clusters)
	for t, m := range medoids {
		medoids[t] = marks[m]
	}
	return medoids, err
}

// toNearest returns the nearest of some medoids to each object, and the sum of the squared
// dissimilarities to them.
func toNearest(ctx context.Context, src dissim.Source, medoids []int32,
	threads int) (labels []int32, cost float64, err error) {
	const size = 1024
	n := src.Len()
	labels = make([]int32, n)
	cost, err = parallel.Sum(ctx, n, size, threads, func(lo, hi int) (cost float64) {
		row := make([]float32, len(medoids))
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			src.Row(row, i, medoids)
			labels[i] = int32(linalg.ArgMin(row))
			v := float64(row[labels[i]])
			cost += float64(v * v)
		}
		return cost
	})
	return labels, cost, err
}

// sampleObjects draws count of n objects, ascending.
func sampleObjects(n, count int, seed uint64) []int32 {
	return draw.Rising(rand.New(rand.NewPCG(seed, 0x6c616e646d61726b)), 0, n-1, count)
}

// pam finds medoids among n objects with dissimilarities d, n×n: BUILD (Kaufman and Rousseeuw
// 1990), then swaps as FasterPAM makes them (Schubert and Rousseeuw 2021), each as soon as it pays,
// until none does.
func pam(ctx context.Context, d []float32, n, clusters int) ([]int32, error) {
	medoids := build(d, n, clusters)
	s := newSwaps(d, n, medoids)
	for last, j := -1, 0; ; j = (j + 1) % n {
		if j == last || clusters == n {
			return medoids, ctx.Err()
		}
		if last < 0 {
			last = 0
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if s.try(j) {
			last = j
		}
	}
}

// build adds the object that lowers the total most, again and again.
func build(d []float32, n, clusters int) []int32 {
	nearest := slices.Repeat([]float64{math.Inf(1)}, n)
	taken := make([]bool, n)
	var medoids []int32
	for len(medoids) < clusters {
		best, least := -1, math.Inf(1)
		for j := range n {
			if taken[j] {
				continue
			}
			total := 0.0
			for i, v := range d[j*n : j*n+n] {
				total += min(nearest[i], float64(v))
			}
			if total < least {
				best, least = j, total
			}
		}
		taken[best] = true
		medoids = append(medoids, int32(best))
		for i, v := range d[best*n : best*n+n] {
			nearest[i] = min(nearest[i], float64(v))
		}
	}
	return medoids
}

// swaps holds, for each object, its nearest and second nearest medoid.
type swaps struct {
	d          []float32
	n          int
	medoids    []int32
	first      []int32 // place in medoids
	near, next []float64
	loss       []float64
	change     []float64
	isMedoid   []bool
}

func newSwaps(d []float32, n int, medoids []int32) *swaps {
	s := &swaps{
		d: d, n: n, medoids: medoids, first: make([]int32, n),
		near: make([]float64, n), next: make([]float64, n),
		loss: make([]float64, len(medoids)), change: make([]float64, len(medoids)),
		isMedoid: make([]bool, n),
	}
	for _, m := range medoids {
		s.isMedoid[m] = true
	}
	s.assign()
	return s
}

// assign finds the two nearest medoids of each object, and what the removal of each medoid would
// cost.
func (s *swaps) assign() {
	clear(s.loss)
	for i := range s.n {
		a, b := int32(-1), int32(-1)
		for k := range s.medoids {
			v := s.to(i, int32(k))
			switch {
			case a < 0 || v < s.to(i, a):
				a, b = int32(k), a
			case b < 0 || v < s.to(i, b):
				b = int32(k)
			}
		}
		s.first[i] = a
		s.near[i], s.next[i] = s.to(i, a), s.to(i, b)
		s.loss[a] += s.next[i] - s.near[i]
	}
}

// to returns the dissimilarity of an object to a medoid; to none it is infinite.
func (s *swaps) to(i int, k int32) float64 {
	if k < 0 {
		return math.Inf(1)
	}
	return float64(s.d[int(s.medoids[k])*s.n+i])
}

// try swaps object j in for the medoid that it replaces best, where that lowers the total.
func (s *swaps) try(j int) bool {
	if s.isMedoid[j] {
		return false
	}
	copy(s.change, s.loss)
	shared, total := 0.0, 0.0
	for i, v := range s.d[j*s.n : j*s.n+s.n] {
		near, next := s.near[i], s.next[i]
		total += near
		d := float64(v)
		switch {
		case d < near:
			shared += d - near
			s.change[s.first[i]] += near - next
		case d < next:
			s.change[s.first[i]] += d - next
		}
	}
	best := linalg.ArgMin(s.change)
	if s.change[best]+shared >= -1e-9*(total+s.loss[best]) {
		return false // rounding, of numbers up to the loss, must not swap for ever
	}
	s.isMedoid[s.medoids[best]] = false
	s.isMedoid[j] = true
	s.medoids[best] = int32(j)
	s.assign()
	return true
}
