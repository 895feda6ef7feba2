package kmeans

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// Medoids returns for each centre the row of its cluster nearest to it, the lowest among equals;
// with the mean as the centre that is the row of least summed squared distance to its cluster.
// Labels name each row's cluster, from 0 to centers.Rows−1. Only rows that candidates marks can
// stand for a cluster, or all when it is nil; a cluster without one gets −1. Threads ≤ 0 means one
// per processor.
func Medoids(ctx context.Context, data dataset.Matrix, labels []int32, centers dataset.Matrix,
	candidates []bool, threads int) ([]int, error) {
	if err := data.CheckSize("rows"); err != nil {
		return nil, err
	}
	if err := centers.CheckSize("centres"); err != nil {
		return nil, err
	}
	switch {
	case len(labels) != data.Rows:
		return nil, fmt.Errorf("kmeans: %d labels for %d rows", len(labels), data.Rows)
	case candidates != nil && len(candidates) != data.Rows:
		return nil, fmt.Errorf("kmeans: %d candidate marks for %d rows", len(candidates), data.Rows)
	}
	if err := data.CheckCols("centres", centers.Cols); err != nil {
		return nil, err
	}
	for i, l := range labels {
		if l < 0 || int(l) >= centers.Rows {
			return nil, fmt.Errorf("kmeans: label %d of row %d is not one of %d clusters", l, i+1,
				centers.Rows)
		}
	}
	if data.Single() {
		return medoids(ctx, data.F32, labels, centers, candidates, threads)
	}
	return medoids(ctx, data.F64, labels, centers, candidates, threads)
}

func medoids[T simd.Float](ctx context.Context, rows []T, labels []int32, centers dataset.Matrix,
	candidates []bool, threads int) ([]int, error) {
	n, d, k := len(labels), centers.Cols, centers.Rows
	c := make([]T, 0, k*d)
	for i := range k {
		for j := range d {
			c = append(c, T(centers.At(i, j)))
		}
	}
	dist := make([]T, n)
	err := parallel.Blocks(ctx, n, blockRows(n, d, k), threads, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			if candidates == nil || candidates[i] {
				l := int(labels[i])
				dist[i] = simd.SquaredDistance(rows[i*d:(i+1)*d], c[l*d:(l+1)*d])
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := slices.Repeat([]int{-1}, k)
	for i, l := range labels {
		if candidates != nil && !candidates[i] {
			continue
		}
		if m := out[l]; m < 0 || dist[i] < dist[m] {
			out[l] = i
		}
	}
	return out, nil
}
