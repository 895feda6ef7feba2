package evclus

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/internal/parallel"
)

// landmarks is how many objects medoids are sought among: all where there are few.
func landmarks(n, clusters int) int {
	if n <= 500 {
		return n
	}
	return min(n, max(200, 20*clusters))
}

// nearestMedoids starts a fit: PAM on the squared dissimilarities of random landmarks, and every object to the
// nearest medoid, the first on a tie. A start from here meets the best basin known far more
// often than random masses do.
func nearestMedoids(ctx context.Context, src dissim.Source, clusters int, seed uint64, threads int) ([]int32, error) {
	n := src.Len()
	count := landmarks(n, clusters)
	marks := sampleObjects(n, count, seed)
	d := make([]float32, count*count)
	err := parallel.Blocks(ctx, count, 8, threads, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := d[i*count : i*count+count]
			src.Row(row, int(marks[i]), marks)
		}
	})
	if err != nil {
		return nil, err
	}
	most := slices.Max(d) // against which all are taken, lest squares overflow or vanish
	if most > 0 {
		for t, v := range d {
			d[t] = v / most * (v / most)
		}
	}
	medoids, err := pam(ctx, d, count, clusters)
	if err != nil {
		return nil, err
	}
	for i, m := range medoids {
		medoids[i] = marks[m]
	}
	labels := make([]int32, n)
	err = parallel.Blocks(ctx, n, 1024, threads, func(_, lo, hi int) {
		row := make([]float32, clusters)
		for i := lo; i < hi; i++ {
			src.Row(row, i, medoids)
			for k, v := range row {
				if v < row[labels[i]] {
					labels[i] = int32(k)
				}
			}
		}
	})
	return labels, err
}

// sampleObjects draws count of n objects, ascending.
func sampleObjects(n, count int, seed uint64) []int32 {
	draw := rand.New(rand.NewPCG(seed, 0x6c616e646d61726b))
	out := make([]int32, 0, count)
	for i := range n {
		if draw.IntN(n-i) < count-len(out) {
			out = append(out, int32(i))
		}
	}
	return out
}

// pam finds medoids among n objects with dissimilarities d, n×n: BUILD (Kaufman and Rousseeuw 1990), then swaps as
// FasterPAM makes them (Schubert and Rousseeuw 2021), each as soon as it pays, until none does.
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
	nearest := make([]float64, n)
	for i := range nearest {
		nearest[i] = math.Inf(1)
	}
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
	d             []float32
	n             int
	medoids       []int32
	first, second []int32 // places in medoids
	loss          []float64
	change        []float64
	isMedoid      []bool
}

func newSwaps(d []float32, n int, medoids []int32) *swaps {
	s := &swaps{
		d: d, n: n, medoids: medoids, first: make([]int32, n), second: make([]int32, n),
		loss: make([]float64, len(medoids)), change: make([]float64, len(medoids)), isMedoid: make([]bool, n),
	}
	for _, m := range medoids {
		s.isMedoid[m] = true
	}
	s.assign()
	return s
}

// assign finds the two nearest medoids of each object, and what the removal of each medoid would cost.
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
		s.first[i], s.second[i] = a, b
		s.loss[a] += s.to(i, b) - s.to(i, a)
	}
}

// to gives the dissimilarity of an object to a medoid; to none it is infinite.
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
		near, next := s.to(i, s.first[i]), s.to(i, s.second[i])
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
	best := 0
	for k, v := range s.change {
		if v < s.change[best] {
			best = k
		}
	}
	if s.change[best]+shared >= -1e-9*total {
		return false // rounding alone must not swap for ever
	}
	s.isMedoid[s.medoids[best]] = false
	s.isMedoid[j] = true
	s.medoids[best] = int32(j)
	s.assign()
	return true
}
