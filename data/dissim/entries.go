package dissim

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
)

const entryFix = "give finite dissimilarities ≥ 0"

// entryProblem explains why a dissimilarity cannot be taken; "" when it can.
func entryProblem(v float64) string {
	switch {
	case v != v:
		return "the value is missing (NaN)"
	case v < 0:
		return number(v) + " is negative"
	case math.IsInf(v, 0):
		return "the value is infinite"
	case v > math.MaxFloat32:
		return number(v) + " is too large for a 32-bit number"
	case v > 0 && float32(v) == 0:
		return number(v) + " is too small for a 32-bit number"
	}
	return ""
}

func diagonalFault(v float64, j int) *fault.Input {
	return &fault.Input{Column: strconv.Itoa(j + 1),
		Problem: "the object's dissimilarity to itself is " + number(v) + ", not 0",
		Fix:     "give dissimilarities, not similarities, with zeros on the diagonal"}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// entries is what a part of a matrix holds off the diagonal once it is symmetric.
type entries struct {
	low, high float32
	largest   float64 // asymmetry, at row < column
	row, col  int
}

// join takes in another part. Of equal asymmetries the first by row and column stays.
func (e *entries) join(f entries) {
	e.low, e.high = min(e.low, f.low), max(e.high, f.high)
	if f.largest > e.largest || f.largest > 0 && f.largest == e.largest &&
		(f.row < e.row || f.row == e.row && f.col < e.col) {
		e.largest, e.row, e.col = f.largest, f.row, f.col
	}
}

// finish makes a matrix as read symmetric, in place, and refuses one that distinguishes nothing.
func (m *Dense) finish(ctx context.Context, name string, threads int) (Report, error) {
	n := m.N
	parts := make([]entries, parallel.Count(n, mirrorTile))
	none := entries{low: math.MaxFloat32}
	err := parallel.Blocks(ctx, n, mirrorTile, threads, func(b, top, bottom int) {
		found := none
		for left := 0; left < bottom; left += mirrorTile {
			for i := top; i < bottom; i++ {
				for j := left; j < min(i, left+mirrorTile); j++ {
					v, w := m.D[i*n+j], m.D[j*n+i]
					if v != w {
						apart := math.Abs(float64(v) - float64(w))
						v = float32((float64(v) + float64(w)) / 2)
						m.D[i*n+j], m.D[j*n+i] = v, v
						found.join(entries{low: v, high: v, largest: apart, row: j, col: i})
					}
					found.low, found.high = min(found.low, v), max(found.high, v)
				}
			}
		}
		parts[b] = found
	})
	if err != nil {
		return Report{}, err
	}
	all := none
	for _, p := range parts {
		all.join(p)
	}
	switch {
	case all.high == 0:
		return Report{}, &fault.Input{File: name, Problem: "all dissimilarities are zero",
			Fix: "give objects that differ"}
	case all.low == all.high:
		value := strconv.FormatFloat(float64(all.low), 'g', -1, 32)
		return Report{}, &fault.Input{File: name,
			Problem: "all dissimilarities are equal (" + value +
				"), so there is nothing to group by",
			Fix: "use dissimilarities that distinguish objects"}
	}
	report := Report{Rows: n}
	if all.largest > 0 {
		i, j := all.row+1, all.col+1
		report.Asymmetric, report.Largest, report.Row, report.Column = true, all.largest, i, j
		report.Notes = append(report.Notes,
			fmt.Sprintf("the matrix is not symmetric, so the means of both directions are used; "+
				"the largest difference, %.6g, is between row %d, column %d and row %d, column %d",
				all.largest, i, j, j, i))
	}
	return report, nil
}
