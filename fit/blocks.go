package fit

import (
	"fmt"

	"github.com/kindred-go/kindred/fault"
)

// CheckBlocks returns a [*fault.Input] where blocks are not some columns of d, each in one of them:
// columns that stand for one thing, as the dimensions of a text do.
func CheckBlocks(blocks [][]int, d int) error {
	in := make(map[int]int)
	for b, columns := range blocks {
		if len(columns) == 0 {
			return fault.Inputf("leave it out", "block %d has no columns", b)
		}
		for _, c := range columns {
			if c < 0 || c >= d {
				return fault.Inputf(fmt.Sprintf("name columns from 0 to %d", d-1),
					"block %d has the column %d", b, c)
			}
			if other, twice := in[c]; twice {
				return fault.Inputf("name each column once", "column %d is in block %d and in block %d",
					c, other, b)
			}
			in[c] = b
		}
	}
	return nil
}

// Join sets the variances of the columns of each block to their mean, and their covariances to 0, in
// v: the d variances where m is [Diagonal], the lower triangle row by row where it is [Full]. The
// inverse is, of all metrics A of such a form, that of least tr(A V) − ln det A, and in proportion
// to it lies that of least tr(A V) of those with ln det A = 0.
func (m Metric) Join(v []float64, d int, blocks [][]int) {
	at := func(j int) int { // of a variance
		if m == Full {
			return j*(j+1)/2 + j
		}
		return j
	}
	for _, block := range blocks {
		sum := 0.0
		for _, j := range block {
			sum += v[at(j)]
		}
		for _, j := range block {
			if m == Full {
				clear(v[j*(j+1)/2:][:j])
				for i := j + 1; i < d; i++ {
					v[i*(i+1)/2+j] = 0
				}
			}
			v[at(j)] = sum / float64(len(block))
		}
	}
}
