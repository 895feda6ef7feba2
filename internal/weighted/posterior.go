package weighted

import "github.com/kindred-go/kindred/internal/elementary"

// Smallest is the logarithm of the smallest number above 0.
const Smallest = -745

// Posteriors turns the log-probabilities of n rows that Shares holds into probabilities, by their
// greatest, so that none overflows; one whose logarithm is by more than −least below that of the
// greatest becomes 0. B then has the logarithm of what each row's added up to.
func (s *Space) Posteriors(n int, least float64) {
	top, all := s.A[:n], s.B[:n]
	copy(top, s.Shares[:n])
	for c := 1; c < s.of.K; c++ {
		for i, v := range s.Shares[c*n : (c+1)*n] {
			top[i] = max(top[i], v)
		}
	}
	clear(all)
	for c := range s.of.K {
		to := s.Shares[c*n : (c+1)*n]
		for i, v := range to {
			v -= top[i]
			if v < least {
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
	for c := range s.of.K {
		to := s.Shares[c*n : (c+1)*n]
		for i, v := range to {
			to[i] = float64(v * all[i])
		}
	}
	copy(all, top)
}

// Write puts the shares of n rows from lo on, N×K, and the cluster of each that has most, the first
// of equals, where they belong.
func (s *Space) Write(memberships []float64, labels []int32, lo, n int) {
	for i := range n {
		best := 0
		row := memberships[(lo+i)*s.of.K:][:s.of.K]
		for c := range row {
			if row[c] = s.Shares[c*n+i]; row[c] > row[best] {
				best = c
			}
		}
		labels[lo+i] = int32(best)
	}
}
