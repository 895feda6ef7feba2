package bayes

import (
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/weighted"
)

// newRows takes nothing from the rows unless an origin is set; for a gaussian likelihood it also
// sums their squares.
func newRows(data dataset.Matrix, k, threads int, by Likelihood) *weighted.Rows {
	return weighted.New(data, k, threads, make([]float64, data.Cols), by == Gaussian)
}

// posteriors turns log-probabilities of n rows into probabilities, by their greatest, so that none
// overflows. B then has the logarithm of what they added up to.
func posteriors(s *weighted.Space, k, n int) {
	top, all := s.A[:n], s.B[:n]
	copy(top, s.Shares[:n])
	for c := 1; c < k; c++ {
		for i, v := range s.Shares[c*n : (c+1)*n] {
			top[i] = max(top[i], v)
		}
	}
	clear(all)
	for c := range k {
		to := s.Shares[c*n : (c+1)*n]
		for i, v := range to {
			v -= top[i]
			if v < -745 {
				v = 0
			} else {
				v = elementary.Exp(v)
			}
			to[i] = v
			all[i] += v
		}
	}
	for i, v := range all {
		all[i] = 1 / v
		top[i] += elementary.Log(v)
	}
	for c := range k {
		to := s.Shares[c*n : (c+1)*n]
		for i, v := range to {
			to[i] = float64(v * all[i])
		}
	}
	copy(all, top)
}

// write puts n rows of posteriors and labels where they belong.
func write(s *weighted.Space, k int, memberships []float64, labels []int32, lo, n int) {
	for i := range n {
		best := 0
		row := memberships[(lo+i)*k:][:k]
		for c := range row {
			if row[c] = s.Shares[c*n+i]; row[c] > row[best] {
				best = c
			}
		}
		labels[lo+i] = int32(best)
	}
}
