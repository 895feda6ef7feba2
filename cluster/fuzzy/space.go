package fuzzy

import (
	"math"

	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/weighted"
)

// memberships sets the shares u of n rows, with their distances as spare, and returns what they
// add to the objective.
//
// A row is as if on a centre where its distance is nothing beside others. With r_c =
// (least/d_c)^(1/(m−1)), which is never above 1, u_c is r_c/Σr, and what the row adds is
// least·(Σr)^(1−m).
func (w *work) memberships(s *weighted.Space, n int, centers []float64) (objective float64) {
	distances(s.Spare, s.Rows[:n*w.D], centers, n, w.D)
	near, all := s.A[:n], s.B[:n]
	copy(near, s.Spare[:n])
	for c := 1; c < w.K; c++ {
		for i, v := range s.Spare[c*n : (c+1)*n] {
			near[i] = min(near[i], v)
		}
	}
	clear(all)
	for c := range w.K {
		u := s.Shares[c*n : (c+1)*n]
		for i, v := range s.Spare[c*n : (c+1)*n] {
			r := 1.0
			if v > near[i] {
				if r = near[i] / v; w.power != 1 && r > 0 {
					r = elementary.Power(r, w.power)
				}
			}
			u[i] = r
			all[i] += r
		}
	}
	for i, sum := range all {
		all[i] = 1 / sum
		if w.power == 1 {
			objective += float64(near[i] * all[i])
		} else {
			objective += float64(near[i] * elementary.Power(all[i], w.fuzziness-1))
		}
	}
	for c := range w.K {
		u := s.Shares[c*n : (c+1)*n]
		for i, v := range u {
			u[i] = float64(v * all[i])
		}
	}
	return objective
}

// weigh sets the weights of n rows to the powers of their shares.
func (w *work) weigh(s *weighted.Space, n int) {
	for i, v := range s.Shares[:n*w.K] {
		power := float64(v * v)
		if w.power != 1 {
			power = 0
			if v > 0 {
				power = elementary.Power(v, w.fuzziness)
			}
		}
		s.Weights[i] = float32(power)
	}
}

// write puts n rows of memberships and labels where they belong.
func (r *Result) write(s *weighted.Space, lo, n int) {
	for i := range n {
		best, least := 0, math.Inf(1)
		k := r.Centers.Rows
		row := r.Memberships[(lo+i)*k:][:k]
		for c := range row {
			row[c] = s.Shares[c*n+i]
			if v := s.Spare[c*n+i]; v < least {
				best, least = c, v
			}
		}
		r.Labels[lo+i] = int32(best)
	}
}
