package mds

import (
	"cmp"
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Classical returns the classical scaling of the objects of src, which nothing refines: quickly
// made, as the start of other maps. Landmarks (0: up to 200) are scaled as [Fit] does, and the
// others are placed by their squared dissimilarities to them (de Silva and Tenenbaum, Sparse
// multidimensional scaling using landmark points, 2004, §2.3). Rows are as in [Result.Points]. It
// fails as Fit does.
func Classical(ctx context.Context, src dissim.Source, cfg Config) (dataset.Matrix, error) {
	n := src.Len()
	cfg.Landmarks = cmp.Or(cfg.Landmarks, 200)
	if err := check(n, &cfg); err != nil {
		return dataset.Matrix{}, err
	}
	f := &fit{src: src, cfg: cfg, n: n, landmarks: choose(n, cfg.Landmarks, cfg.Seed)}
	if err := f.read(ctx); err != nil {
		return dataset.Matrix{}, err
	}
	fitted, err := f.classical(ctx)
	if err != nil {
		return dataset.Matrix{}, err
	}
	points, err := f.triangulate(ctx, fitted)
	if err != nil {
		return dataset.Matrix{}, err
	}
	turn(points, cfg.Dimensions)
	return f.matrix(points), nil
}

// Turn moves points in the plane, or in one or three dimensions, as those of [Result.Points] lie.
func Turn(x dataset.Matrix) {
	points := make([]point, x.Rows)
	for i := range points {
		copy(points[i][:], x.F64[i*x.Cols:(i+1)*x.Cols])
	}
	turn(points, x.Cols)
	for i := range points {
		copy(x.F64[i*x.Cols:(i+1)*x.Cols], points[i][:])
	}
}

// triangulate returns the points of all objects: x_k = ½ Σ_l y_lk (mean d²_l − d²_l) / Σ_l y²_lk,
// over the landmarks l, with y their points, d the dissimilarities to them and their means among
// the landmarks. Along their axes the y are orthogonal, and have the mean 0.
func (f *fit) triangulate(ctx context.Context, y []point) ([]point, error) {
	size := len(y)
	means := make([]float64, size)
	var length point
	for l, p := range y {
		for _, d := range f.d[l*size : (l+1)*size] {
			means[l] += float64(float64(d)*float64(d)) / float64(size)
		}
		for k, v := range p {
			length[k] += float64(v * v)
		}
	}
	points := make([]point, f.n)
	err := parallel.Try(ctx, f.n, 4*placeRows, f.cfg.Threads, func(_, lo, hi int) error {
		row := make([]float32, size)
		for i := lo; i < hi; i++ {
			if err := f.fetch(ctx, row, i, f.landmarks); err != nil {
				return err
			}
			for l, d := range row {
				gap := means[l] - float64(float64(d)*float64(d))
				for k, v := range y[l] {
					points[i][k] += float64(v * gap)
				}
			}
			for k, v := range length {
				if v == 0 {
					points[i][k] = 0
				} else {
					points[i][k] /= 2 * v
				}
			}
		}
		return nil
	})
	return points, err
}
