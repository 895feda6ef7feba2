package model

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/method"
)

// Degrees returns how far each row that the table keeps after preparation belongs to each cluster,
// a row each that adds up to 1, and which rows those are (nil: all). It is an error unless the
// model has degrees.
func Degrees(ctx context.Context, m *method.Model, t *dataset.Table, threads int) (
	degrees dataset.Matrix, rows []int32, err error) {
	if m.Degrees == nil {
		return degrees, nil, &fault.Input{Problem: "the model has no degrees of membership",
			Fix: "fit gmm, ssnb or fcm, or predict clusters alone"}
	}
	x, rows, err := m.Encoding.Apply(ctx, t)
	if err != nil {
		return degrees, nil, err
	}
	degrees = dataset.Matrix{Rows: x.Rows, Cols: m.Means.Rows,
		F64: make([]float64, x.Rows*m.Means.Rows)}
	err = scores(ctx, m, x, threads, func(i int, score []float64) {
		share(score, m.Degrees.Fuzziness)
		to := degrees.F64[i*degrees.Cols:][:degrees.Cols]
		for c, v := range score {
			to[m.ClusterOf[c]-1] += v
		}
	})
	return degrees, rows, err
}

// share turns the scores of a row into its degrees.
func share(score []float64, fuzziness float64) {
	least := score[linalg.ArgMin(score)]
	for c, v := range score {
		switch {
		case v <= least:
			score[c] = 1
		case fuzziness == 0:
			score[c] = elementary.Exp(float64((least - v) / 2))
		case least == 0:
			score[c] = 0
		default:
			score[c] = elementary.Power(least/v, 1/(fuzziness-1))
		}
	}
	linalg.Divide(score, linalg.Sum(score))
}

// shifted returns for each row the mean of least score, the first on a tie.
func shifted(ctx context.Context, m *method.Model, x dataset.Matrix, threads int) ([]int32, error) {
	nearest := make([]int32, x.Rows)
	err := scores(ctx, m, x, threads, func(i int, score []float64) {
		nearest[i] = int32(linalg.ArgMin(score))
	})
	return nearest, err
}

// scores calls do, on several threads, for each row with its scores: ‖W(x − μ)‖² plus offset of
// each mean. W is the metric's root, the identity under Euclidean distances.
func scores(ctx context.Context, m *method.Model, x dataset.Matrix, threads int,
	do func(i int, score []float64)) error {
	k, d := m.Means.Rows, m.Means.Cols
	if x.Cols != d {
		return fault.Inputf("give the columns that were fitted",
			"the rows have %d columns and the means %d", x.Cols, d)
	}
	metric, err := metricOf(m)
	if err != nil {
		return err
	}
	size := len(m.Roots) / k
	return parallel.Blocks(ctx, x.Rows, 1024, threads, func(_, lo, hi int) {
		row, gap, score := make([]float64, d), make([]float64, d), make([]float64, k)
		for i := lo; i < hi; i++ {
			row = x.AppendRow(row[:0], i)
			for c := range k {
				for j, v := range m.Means.F64[c*d : (c+1)*d] {
					gap[j] = row[j] - v
				}
				score[c] = squareNorm(metric, m.Roots[c*size:(c+1)*size], gap)
				if m.Offsets != nil {
					score[c] += m.Offsets[c]
				}
			}
			do(i, score)
		}
	})
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
