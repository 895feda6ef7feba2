package competitive

import (
	"math"

	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simd"
)

// shapes are the metrics that prototypes learn. Each keeps the covariance S of the rows it has won,
// where later rows count more, and measures (x−μ)ᵀ M (x−μ) with M = det(S')^(1/d)·S'⁻¹, S' being S
// and a little of what it started from.
type shapes struct {
	full bool
	k, d int

	start []float64 // variances that S starts from, d
	cov   []float64 // S of each: the diagonal, or the lower triangle row by row
	// W of each, with M = WᵀW: the diagonal, or the lower triangle; made anew every fresh wins
	root []float64
	wins []int64 // of each, that S has learnt

	lower, next, gap []float64 // scratch
}

const (
	// fresh is the number of wins after which a prototype's metric is made anew of its S.
	fresh = 8

	// ridge is the share of the starting variances that keeps S' from vanishing in a direction.
	ridge = 0.01

	// steepest bounds the values of a metric, so that no sum of distances along its axes overflows.
	// Only numbers hundreds of orders of magnitude apart come near it, and such a metric is not
	// taken.
	steepest = 1e180
)

// size returns the number of values that S takes.
func (s *shapes) size() int {
	if s.full {
		return s.d * (s.d + 1) / 2
	}
	return s.d
}

// newShapes starts all metrics from the same variances, above 0.
func newShapes(metric fit.Metric, k int, start []float64) *shapes {
	s := &shapes{full: metric == fit.Full, k: k, d: len(start), start: start,
		wins: make([]int64, k), gap: make([]float64, len(start))}
	size := s.size()
	s.cov, s.root = make([]float64, k*size), make([]float64, k*size)
	s.lower, s.next = make([]float64, size), make([]float64, size)
	for c, v := range start {
		s.cov[s.diagonal(c)], s.root[s.diagonal(c)] = v, 1
	}
	s.renew(0)
	for j := 1; j < k; j++ {
		copy(s.cov[j*size:], s.cov[:size])
		copy(s.root[j*size:], s.root[:size])
	}
	return s
}

// diagonal returns where the variance of column c lies.
func (s *shapes) diagonal(c int) int {
	if s.full {
		return c*(c+1)/2 + c
	}
	return c
}

// pace returns the rate at which S learns beside the rate of its prototype: it has more to learn.
func (s *shapes) pace(rate float64) float64 {
	if s.full {
		return rate / float64(1+s.d)
	}
	return rate / 4
}

// learn takes x, which prototype j at place learns at a rate, into S.
func (s *shapes) learn(j int, x, place []float64, rate float64) {
	size, a := s.size(), s.pace(rate)
	cov := s.cov[j*size : (j+1)*size]
	for c, v := range x {
		s.gap[c] = v - place[c]
	}
	at := 0
	for r, v := range s.gap {
		from := r
		if s.full {
			from = 0
		}
		for c := from; c <= r; c++ {
			cov[at] = math.FMA(a, float64(v*s.gap[c])-cov[at], cov[at])
			at++
		}
	}
	if s.wins[j]++; s.wins[j]%fresh == 0 {
		s.renew(j)
	}
}

// renew makes W of S; where that would be too steep, or no number, W stays.
func (s *shapes) renew(j int) {
	size := s.size()
	root := s.next
	copy(s.lower, s.cov[j*size:(j+1)*size])
	for c, v := range s.start {
		s.lower[s.diagonal(c)] += float64(ridge * v)
	}
	if s.full {
		l := linalg.Lower{N: s.d, A: s.lower}
		// Rounding can leave nothing of a pivot where columns depend on each other; it is then what
		// the ridge adds.
		l.Factor(func(row int, left float64) (float64, bool) {
			return max(left, float64(ridge*s.start[row])), true
		})
		copy(root, l.A)
		linalg.Lower{N: s.d, A: root}.Invert()
	} else {
		for c, v := range s.lower {
			s.lower[c] = math.Sqrt(v)
			root[c] = 1 / s.lower[c]
		}
	}
	// √det(S')^(1/d), the geometric mean of the diagonal, from its logarithms.
	sum := 0.0
	for c := range s.d {
		sum += logarithm(s.lower[s.diagonal(c)])
	}
	scale := exponential(sum / float64(s.d))
	for i := range root {
		root[i] *= scale
	}
	if simd.Within(root, steepest) {
		copy(s.root[j*size:], root)
	}
}

// distances sets dst to the squared distances of x to all prototypes.
func (s *shapes) distances(dst, x []float64, at *simd.Padded) {
	for j := range s.k {
		dst[j] = s.measure(j, x, at.Row(j), s.gap)
	}
}

// measure returns the squared distance of x to prototype j at place, in its metric. Gap is scratch
// memory.
func (s *shapes) measure(j int, x, place, gap []float64) float64 {
	const most = 1e280 // where a row lies beyond all measure from a flat shape
	size, sum := s.size(), 0.0
	root := s.root[j*size : (j+1)*size]
	for c, v := range x {
		gap[c] = v - place[c]
	}
	if !s.full {
		for c, v := range gap {
			gap[c] = float64(v * root[c])
		}
		return min(linalg.Dot(gap, gap), most)
	}
	for r := range s.d {
		v := linalg.Dot(root[r*(r+1)/2:][:r+1], gap[:r+1])
		sum = math.FMA(v, v, sum)
	}
	return min(sum, most)
}
