package fuzzy

import (
	"math"

	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simd"
)

// space is memory for a piece of the rows.
type space struct {
	*work
	rows []float64   // piece×d, less the origin
	cols []float64   // the same, d×piece
	dist []float64   // c×piece: squared distances
	u    []float64   // c×piece: memberships
	um   []float32   // c×piece: their powers, as weights
	each [][]float32 // the rows of um
	sums []float64   // c×d
	near []float64   // piece: the least distance
	all  []float64   // piece
}

func newSpace(w *work, piece int) *space {
	return &space{work: w, rows: make([]float64, piece*w.d), cols: make([]float64, piece*w.d),
		dist: make([]float64, piece*w.c),
		u:    make([]float64, piece*w.c), um: make([]float32, piece*w.c),
		each: make([][]float32, w.c),
		sums: make([]float64, w.c*w.d),
		near: make([]float64, piece), all: make([]float64, piece)}
}

// read takes n rows from lo on.
func (s *space) read(lo, n int) {
	s.data.Less(s.rows[:n*s.d], lo, s.origin)
}

// memberships sets u for n rows, and returns what they add to the objective.
//
// A row is as if on a centre where its distance is nothing beside others. With r_c =
// (least/d_c)^(1/(m−1)), which is never above 1, u_c is r_c/Σr, and what the row adds is
// least·(Σr)^(1−m).
func (s *space) memberships(n int, centers []float64) (objective float64) {
	distances(s.dist, s.rows[:n*s.d], centers, n, s.d)
	near, all := s.near[:n], s.all[:n]
	copy(near, s.dist[:n])
	for c := 1; c < s.c; c++ {
		for i, v := range s.dist[c*n : (c+1)*n] {
			near[i] = min(near[i], v)
		}
	}
	clear(all)
	for c := range s.c {
		u := s.u[c*n : (c+1)*n]
		for i, v := range s.dist[c*n : (c+1)*n] {
			r := 1.0
			if v > near[i] {
				if r = near[i] / v; s.power != 1 && r > 0 {
					r = elementary.Power(r, s.power)
				}
			}
			u[i] = r
			all[i] += r
		}
	}
	for i, sum := range all {
		all[i] = 1 / sum
		if s.power == 1 {
			objective += float64(near[i] * all[i])
		} else {
			objective += float64(near[i] * elementary.Power(all[i], s.fuzziness-1))
		}
	}
	for c := range s.c {
		u := s.u[c*n : (c+1)*n]
		for i, v := range u {
			u[i] = float64(v * all[i])
		}
	}
	return objective
}

// add adds n rows to the sums.
//
// Weights are rounded to float32: means by them are off their places by less than 10⁻⁷ of the
// spread, and J by the square of that.
func (s *space) add(p *part, n int) {
	linalg.Transpose(s.cols, s.rows[:n*s.d], s.d)
	for c := range s.c {
		um := s.um[c*n : (c+1)*n]
		for i, v := range s.u[c*n : (c+1)*n] {
			w := float64(v * v)
			if s.power != 1 {
				w = 0
				if v > 0 {
					w = elementary.Power(v, s.fuzziness)
				}
			}
			um[i] = float32(w)
			p.weights[c] += float64(um[i])
		}
		s.each[c] = um
	}
	simd.Products(s.sums, s.each, s.cols[:n*s.d], n, s.d)
	for i, v := range s.sums {
		p.sums[i] += v
	}
}

// write puts n rows of memberships and labels where they belong.
func (s *space) write(r *Result, lo, n int) {
	for i := range n {
		best, least := 0, math.Inf(1)
		row := r.Memberships[(lo+i)*s.c:][:s.c]
		for c := range row {
			row[c] = s.u[c*n+i]
			if v := s.dist[c*n+i]; v < least {
				best, least = c, v
			}
		}
		r.Labels[lo+i] = int32(best)
	}
}
