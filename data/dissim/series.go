package dissim

import (
	"math"
	"strconv"

	"github.com/kindred-go/kindred/fault"
)

// Series returns the dynamic time warping distances among series, which may differ in length: the
// least sum of |xᵢ−yⱼ| along a path from (1,1) to (n,m) by steps of one in i, in j or in both
// (Sakoe and Chiba 1978, without weights).
//
// With band > 0 the path keeps to |j − ⌊i(m−1)/(n−1)⌋| ≤ band, i and j from 0 and i in the longer
// series; 0 is no limit. It fails with a [*fault.Input] when a series is empty or holds a value
// that is not finite, or when band is negative.
func Series(series [][]float64, band int) (Source, error) {
	rows, err := SeriesTo(series, series, band)
	return sourceOf(rows, len(series), err)
}

// SeriesTo returns the distances from each series of from to those of to, as [Series] does.
func SeriesTo(from, to [][]float64, band int) (Rows, error) {
	if band < 0 {
		return nil, &fault.Input{Problem: "the band of time warping is " + strconv.Itoa(band),
			Fix: "give the steps that series may be apart, or 0 for no limit"}
	}
	for _, series := range [][][]float64{from, to} {
		if err := checkSequences(series, "series"); err != nil {
			return nil, err
		}
	}
	return objects[[]float64]{from, to,
		func(a, b []float64, s *scratch) float64 { return dtw(a, b, band, s) }}, nil
}

// checkSequences refuses sequences that are empty, hold values that are not finite, or reach too
// far.
func checkSequences(all [][]float64, what string) error {
	for i, x := range all {
		if len(x) == 0 {
			return &fault.Input{Row: i + 1, Problem: "the " + what + " is empty",
				Fix: "give at least one value, or leave the row out"}
		}
		for j, v := range x {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &fault.Input{Row: i + 1, Column: strconv.Itoa(j + 1),
					Problem: "the " + what + " holds a value that is not a finite number",
					Fix:     "fix it or leave the row out"}
			}
			if math.Abs(v) > 1e30 {
				return &fault.Input{Row: i + 1, Column: strconv.Itoa(j + 1),
					Problem: number(v) + " is too large for sums in 32-bit numbers",
					Fix:     "scale the values"}
			}
		}
	}
	return nil
}

// dtw fills the table of the least costs row by row, the longer series down, so that a row is
// short.
func dtw(a, b []float64, band int, s *scratch) float64 {
	if len(a) < len(b) {
		a, b = b, a
	}
	n, m := len(a), len(b)
	row := s.numbers(m + 1) // row[j+1] is the least cost that ends at j
	for j := range row {
		row[j] = math.Inf(1)
	}
	row[0] = 0
	for i, x := range a {
		from, to := warpWindow(i, n, m, band)
		diagonal := row[from]   // cost at (i−1, from−1); 0 before the first cell
		row[from] = math.Inf(1) // there is none at (i, from−1)
		left := math.Inf(1)
		for j := from; j < to; j++ {
			up := row[j+1]
			left = math.Abs(x-b[j]) + min(diagonal, up, left)
			diagonal = up
			row[j+1] = left
		}
	}
	return row[m]
}

// warpWindow returns the columns [from, to) of row i of n×m, n ≥ m, that lie within the band around
// the diagonal. Windows of neighbouring rows meet, as the diagonal rises by at most one column a
// row.
func warpWindow(i, n, m, band int) (from, to int) {
	if band == 0 || n == 1 {
		return 0, m
	}
	middle := i * (m - 1) / (n - 1)
	return max(0, middle-band), min(m, middle+band+1)
}
