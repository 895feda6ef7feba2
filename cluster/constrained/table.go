package constrained

import (
	"context"
	"math/rand/v2"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// table is the rows of a fit, gone through in blocks.
type table struct {
	data    dataset.Matrix
	n, d, k int
	block   int // rows in one
	threads int
	origin  []float64 // the first row: sums are taken about it
}

// newTable cuts the rows into at most 64 blocks of at least 512.
func newTable(data dataset.Matrix, k, threads int) *table {
	block := max(512, (data.Rows+63)/64)
	return &table{data: data, n: data.Rows, d: data.Cols, k: k, block: block, threads: threads,
		origin: data.AppendRow(nil, 0)}
}

func (t *table) centers(values []float64) dataset.Matrix {
	return dataset.Matrix{Rows: len(values) / t.d, Cols: t.d, F64: values}
}

// draw returns centres to start from, of which those given are the first.
func (t *table) draw(ctx context.Context, given []float64, rng *rand.Rand) ([]float64, error) {
	drawn, err := kmeans.Draw(ctx, t.data, t.centers(given), t.k, rng, t.threads)
	return drawn.F64, err
}

// nearest returns the nearest centre of each row, the lowest among equals.
func (t *table) nearest(ctx context.Context, centers []float64) ([]int32, error) {
	return (&kmeans.Result{Centers: t.centers(centers)}).Predict(ctx, t.data, t.threads)
}

// blocks runs do on pieces of each block as float64, in order within the block.
func (t *table) blocks(ctx context.Context, do func(block, lo, hi int, rows []float64)) error {
	const piece = 256
	return parallel.Blocks(ctx, t.n, t.block, t.threads, func(b, lo, hi int) {
		var space []float64
		for ; lo < hi && ctx.Err() == nil; lo += piece {
			to := min(hi, lo+piece)
			if !t.data.Single() {
				do(b, lo, to, t.data.F64[lo*t.d:to*t.d])
				continue
			}
			space = space[:0]
			for _, v := range t.data.F32[lo*t.d : to*t.d] {
				space = append(space, float64(v))
			}
			do(b, lo, to, space)
		}
	})
}

// sums adds up the rows of each cluster, less the origin, and counts them.
func (t *table) sums(ctx context.Context, labels []int32) (sums, counts []float64, err error) {
	parts := parallel.Count(t.n, t.block)
	partSums, partCounts := make([]float64, parts*t.k*t.d), make([]float64, parts*t.k)
	err = t.blocks(ctx, func(b, lo, hi int, rows []float64) {
		simd.Accumulate(partSums[b*t.k*t.d:(b+1)*t.k*t.d], rows, t.origin, labels[lo:hi])
		for _, c := range labels[lo:hi] {
			partCounts[b*t.k+int(c)]++
		}
	})
	return added(partSums, t.k*t.d), added(partCounts, t.k), err
}

// added adds up the parts, each of so many values, in order.
func added(parts []float64, size int) []float64 {
	for at := size; at < len(parts); at++ {
		parts[at%size] += parts[at]
	}
	return parts[:size]
}

// distortion sums the squared distances of rows from the centres of their clusters.
func (t *table) distortion(ctx context.Context, labels []int32, centers []float64) (float64,
	error) {
	sums := make([]float64, parallel.Count(t.n, t.block))
	err := t.blocks(ctx, func(b, lo, hi int, rows []float64) {
		for i, c := range labels[lo:hi] {
			sums[b] += simd.SquaredDistance(rows[i*t.d:(i+1)*t.d], centers[int(c)*t.d:][:t.d])
		}
	})
	return added(sums, 1)[0], err
}

// update moves the centres of clusters with weight to sums over counts, from the origin.
func (t *table) update(centers, sums, counts []float64) {
	for c, m := range counts {
		for j := 0; j < t.d && m > 0; j++ {
			centers[c*t.d+j] = t.origin[j] + sums[c*t.d+j]/m
		}
	}
}
