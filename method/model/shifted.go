package model

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/method"
)

// shifted returns for each row the mean of least ‖W(x − μ)‖² plus offset, the first on a tie; W is
// the metric's root, the identity under Euclidean distances.
func shifted(ctx context.Context, m *method.Model, x dataset.Matrix, threads int) ([]int32, error) {
	k, d := m.Means.Rows, m.Means.Cols
	if x.Cols != d {
		return nil, fault.Inputf("give the columns that were fitted",
			"the rows have %d columns and the means %d", x.Cols, d)
	}
	metric, err := metricOf(m)
	if err != nil {
		return nil, err
	}
	nearest := make([]int32, x.Rows)
	size := len(m.Roots) / k
	err = parallel.Blocks(ctx, x.Rows, 1024, threads, func(_, lo, hi int) {
		row, gap := make([]float64, d), make([]float64, d)
		for i := lo; i < hi; i++ {
			row = x.AppendRow(row[:0], i)
			least := math.Inf(1)
			for c := range k {
				for j, v := range m.Means.F64[c*d : (c+1)*d] {
					gap[j] = row[j] - v
				}
				if sum := squareNorm(metric, m.Roots[c*size:(c+1)*size],
					gap) + m.Offsets[c]; sum < least {
					nearest[i], least = int32(c), sum
				}
			}
		}
	})
	return nearest, err
}

// squareNorm returns ‖W gap‖², W being the diagonal or the lower triangle, row by row, that root
// holds.
func squareNorm(metric fit.Metric, root, gap []float64) float64 {
	sum := 0.0
	for r, g := range gap {
		switch metric {
		case fit.Diagonal:
			g *= root[r]
		case fit.Full:
			g = 0
			for c, w := range root[r*(r+1)/2:][:r+1] {
				g = math.FMA(w, gap[c], g)
			}
		}
		sum = math.FMA(g, g, sum)
	}
	return sum
}
