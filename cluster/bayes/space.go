package bayes

import (
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simd"
)

// piece is the number of rows that are gone through at a time.
const piece = 128

// work is the rows in blocks.
type work struct {
	data    dataset.Matrix
	n, d, k int
	block   int
	threads int
	// taken from the rows: the first, so that sums of squares keep their digits; zeros for counts
	origin []float64
}

// newWork cuts the rows into at most 64 blocks of at least 512. Rows are as they are unless an
// origin is set.
func newWork(data dataset.Matrix, k, threads int) *work {
	return &work{data: data, n: data.Rows, d: data.Cols, k: k, block: max(512, (data.Rows+63)/64),
		threads: threads, origin: make([]float64, data.Cols)}
}

// space is memory for a piece of the rows.
type space struct {
	*work
	rows    []float64   // piece×d, less the origin
	scaled  []float64   // the same
	joint   []float64   // k×piece: log-probabilities, then posteriors
	top     []float64   // piece
	all     []float64   // piece
	weights []float32   // k×piece
	each    [][]float32 // its rows
	cols    []float64   // 2d×piece: values, and their squares
	sums    []float64   // k×2d
}

func newSpace(w *work) *space {
	return &space{work: w, rows: make([]float64, piece*w.d), scaled: make([]float64, piece*w.d),
		joint: make([]float64, piece*w.k),
		top:   make([]float64, piece), all: make([]float64, piece),
		weights: make([]float32, piece*w.k), each: make([][]float32, w.k),
		cols: make([]float64, 2*piece*w.d), sums: make([]float64, 2*w.k*w.d)}
}

// read takes n rows from lo on.
func (s *space) read(lo, n int) {
	s.data.Less(s.rows[:n*s.d], lo, s.origin)
}

// posteriors turns log-probabilities of n rows into probabilities, by their greatest, so that none
// overflows. All then has the logarithm of what they added up to.
func (s *space) posteriors(n int) {
	top, all := s.top[:n], s.all[:n]
	copy(top, s.joint[:n])
	for c := 1; c < s.k; c++ {
		for i, v := range s.joint[c*n : (c+1)*n] {
			top[i] = max(top[i], v)
		}
	}
	clear(all)
	for c := range s.k {
		to := s.joint[c*n : (c+1)*n]
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
	for c := range s.k {
		to := s.joint[c*n : (c+1)*n]
		for i, v := range to {
			to[i] = float64(v * all[i])
		}
	}
	copy(all, top)
}

// write puts n rows of posteriors and labels where they belong.
func (s *space) write(memberships []float64, labels []int32, lo, n int) {
	for i := range n {
		best := 0
		row := memberships[(lo+i)*s.k:][:s.k]
		for c := range row {
			if row[c] = s.joint[c*n+i]; row[c] > row[best] {
				best = c
			}
		}
		labels[lo+i] = int32(best)
	}
}

// add adds n rows, by their posteriors times weight, to the sums.
//
// Weights are rounded to float32: the model is off its best by less than 10⁻⁷ of the spread, and
// the log-posterior by the square of that.
func (s *space) add(p *part, n int, squares bool, weight func(i int) float64) {
	f := s.d
	linalg.Transpose(s.cols, s.rows[:n*s.d], s.d)
	if squares {
		f *= 2
		for i, v := range s.cols[:n*s.d] {
			s.cols[n*s.d+i] = float64(v * v)
		}
	}
	for i := range n {
		s.top[i] = weight(i)
	}
	for c := range s.k {
		to := s.weights[c*n : (c+1)*n]
		for i, v := range s.joint[c*n : (c+1)*n] {
			to[i] = float32(v * s.top[i])
			p.counts[c] += float64(to[i])
		}
		s.each[c] = to
	}
	simd.Products(s.sums[:s.k*f], s.each, s.cols[:n*f], n, f)
	for i, v := range s.sums[:s.k*f] {
		p.sums[i] += v
	}
}
