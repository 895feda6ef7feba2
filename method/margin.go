package method

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// representatives returns what stands for the clusters of an outcome, in the type of the data, and
// the cluster of each, rising.
func representatives(p Problem, o *Outcome) (x dataset.Matrix, of []int, err error) {
	if p.Data.Rows != len(o.Labels) {
		return x, nil, fmt.Errorf("method: %d rows for an outcome of %d", p.Data.Rows,
			len(o.Labels))
	}
	var from dataset.Matrix
	var which []int // rows of from
	cluster := func(i int) int { return o.Labels[i] }
	switch {
	case o.Medoids != nil:
		from, which = p.Data, slices.Clone(o.Medoids)
	case o.Model != nil && o.Model.Means.Rows > 0:
		from = o.Model.Means
		cluster = func(i int) int { return o.Model.ClusterOf[i] }
		for i := range from.Rows {
			which = append(which, i)
		}
	default:
		return x, nil, errors.New("method: nothing stands for the clusters of this outcome")
	}
	which = slices.DeleteFunc(which, func(i int) bool { return cluster(i) == 0 }) // excluded ones
	slices.SortStableFunc(which, func(a, b int) int { return cmp.Compare(cluster(a), cluster(b)) })
	for _, i := range which {
		of = append(of, cluster(i))
	}
	x = from.Subset(which)
	if p.Data.Single() && !x.Single() {
		narrow := make([]float32, len(x.F64))
		for i, v := range x.F64 {
			narrow[i] = float32(v)
		}
		x.F32, x.F64 = narrow, nil
	}
	return x, of, nil
}

// byDistance sets the certainty of each of the rows, row-major like the representatives x, whose
// clusters rise.
func byDistance[T simd.Float](ctx context.Context, c *Certainty, rows, x []T, of []int,
	threads int) error {
	k := len(of)
	if k == 0 {
		return ctx.Err()
	}
	d := len(x) / k
	cols := make([]T, len(x))
	for i := range k {
		for j := range d {
			cols[j*k+i] = x[i*d+j]
		}
	}
	first := make([]int, of[k-1]+2) // first[l] to first[l+1] are the representatives of cluster l
	for l := range first {
		first[l], _ = slices.BinarySearch(of, l)
	}
	size := max(1, min(4096, (1<<24)/(k*d))) // some milliseconds of work
	return parallel.Blocks(ctx, len(c.out.Labels), size, threads, func(_, lo, hi int) {
		square := make([]T, k)
		for i := lo; i < hi; i++ {
			label := c.out.Labels[i]
			if label == 0 {
				continue
			}
			simd.SquaredDistancesColumns(square, rows[i*d:(i+1)*d], cols, k)
			from, to := k, k // a cluster that nothing stands for
			if label+1 < len(first) {
				from, to = first[label], first[label+1]
			}
			own, _ := least(square, from, to)
			other, at := least(square, 0, from)
			if beyond, later := least(square, to, k); beyond < other {
				other, at = beyond, later
			}
			if at < 0 {
				c.Certainty[i] = 1
				continue
			}
			c.Other[i] = int32(of[at])
			if own < other {
				c.Certainty[i] = float32(1 - math.Sqrt(float64(own)/float64(other)))
			}
		}
	})
}

// least returns the least of values[from:to] and its index, the first on a tie; +Inf and −1 where
// there is none.
func least[T simd.Float](values []T, from, to int) (value T, at int) {
	value, at = T(math.Inf(1)), -1
	for i, v := range values[from:to] {
		if at < 0 || v < value {
			value, at = v, from+i
		}
	}
	return value, at
}
