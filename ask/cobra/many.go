package cobra

import (
	"context"
	"sync"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/parallel"
)

// cellParts is how many super-instances a cell of BuildMany gets, about.
const cellParts = 200

// cells is the configuration of the k-means that makes the cells.
func (c Config) cells(data dataset.Matrix) kmeans.Config {
	c.SuperInstances = parallel.Count(c.count(data.Rows), cellParts)
	return c.parts(data)
}

// BuildMany is [Build] for thousands of super-instances, of which there may be any number: k-means
// makes cells of the rows, and super-instances of the rows of each cell, as many as its share of
// the rows. It takes time proportional to the rows, not to their product with the super-instances.
func BuildMany(ctx context.Context, data dataset.Matrix, cfg Config) (*SuperInstances, error) {
	if err := cfg.check(data); err != nil {
		return nil, err
	}
	count := cfg.count(data.Rows)
	if count == data.Rows {
		return singletons(ctx, data, cfg)
	}
	const coarse = 0.2 // share of the work
	report := cfg.Progress
	parts := cfg.cells(data)
	parts.Progress = fit.Part(report, 0, coarse)
	cells, err := kmeans.Fit(ctx, data, parts)
	if err != nil {
		return nil, err
	}
	rows := make([][]int, parts.Clusters)
	for i, c := range cells.Labels {
		rows[c] = append(rows[c], i)
	}
	first := make([]int, parts.Clusters+1) // super-instance of each cell
	before := 0
	for c, of := range rows {
		until := before + len(of)
		share := count*until/data.Rows - count*before/data.Rows
		before = until
		first[c+1] = first[c] + min(len(of), max(1, share))
	}
	all := &kmeans.Result{Labels: cells.Labels, Sizes: make([]int, first[len(rows)])}
	all.Centers = dataset.Matrix{Rows: len(all.Sizes), Cols: data.Cols,
		F64: make([]float64, len(all.Sizes)*data.Cols)}
	var mu sync.Mutex
	done, tell := 0, fit.Share(fit.Part(report, coarse, 1))
	err = parallel.Try(ctx, len(rows), 1, cfg.Threads, func(c, _, _ int) error {
		if len(rows[c]) == 0 {
			return nil
		}
		cell := parts
		cell.Progress, cell.Threads, cell.Sample = nil, 1, 0
		cell.Seed, cell.Clusters = cfg.Seed+uint64(c), first[c+1]-first[c]
		own, err := kmeans.Fit(ctx, data.Subset(rows[c]), cell)
		if err != nil {
			return err
		}
		copy(all.Centers.F64[first[c]*data.Cols:], own.Centers.F64)
		copy(all.Sizes[first[c]:], own.Sizes)
		for t, i := range rows[c] {
			all.Labels[i] = int32(first[c]) + own.Labels[t]
		}
		if tell != nil {
			mu.Lock()
			defer mu.Unlock()
			done++
			tell(float64(done) / float64(len(rows)))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return represent(ctx, data, all, cfg)
}
