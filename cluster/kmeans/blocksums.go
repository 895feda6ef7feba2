package kmeans

import "math"

// Sums adds up vectors and keeps apart what rounding would lose (Neumaier 1974, ZAMM 54, method
// IV): the result is good to about the last digit however many are added, and hardly depends on how
// they are grouped.
type Sums struct{ sum, lost []float64 }

// NewSums returns n sums of nothing.
func NewSums(n int) *Sums {
	both := make([]float64, 2*n)
	return &Sums{sum: both[:n:n], lost: both[n:]}
}

// Add adds a vector as long as the sums are many.
func (s *Sums) Add(values []float64) {
	for i, v := range values {
		s.add(i, v)
	}
}

func (s *Sums) add(i int, v float64) {
	was := s.sum[i]
	sum := was + v
	if math.Abs(was) >= math.Abs(v) {
		s.lost[i] += (was - sum) + v
	} else {
		s.lost[i] += (v - sum) + was
	}
	s.sum[i] = sum
}

// Values returns the sums.
func (s *Sums) Values() []float64 {
	out := make([]float64, len(s.sum))
	for i, v := range s.sum {
		out[i] = v + s.lost[i]
	}
	return out
}
