package layout

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/parallel"
)

// placeEpochs is in how many epochs a new object moves, unless they are asked for.
const placeEpochs = 100

// Place returns where new objects lie on a map, which stays as it is: a row of two coordinates for
// each of count. Cross has their dissimilarities to the objects of the map, in its order. Each
// starts at the mean of its nearest neighbours, weighted as [Fit] does, and moves towards them and
// away from random others; what becomes of it does not depend on the other new ones. Epochs are 100
// by default. It fails as Fit does.
func Place(ctx context.Context, points dataset.Matrix, cross dissim.Rows, count int,
	cfg Config) (dataset.Matrix, error) {
	n := points.Rows
	if points.Cols != 2 {
		return dataset.Matrix{}, fmt.Errorf("layout: a map of %d columns, want 2", points.Cols)
	}
	if n == 0 {
		return dataset.Matrix{}, fault.Inputf("give a map of one object or more",
			"new objects cannot be placed on an empty map")
	}
	if cfg.Epochs == 0 {
		cfg.Epochs = placeEpochs
	}
	// All objects of the map can be neighbours of a new one.
	if err := check(n+1, &cfg); err != nil {
		return dataset.Matrix{}, err
	}
	out := dataset.Matrix{Rows: count, Cols: 2, F64: make([]float64, 2*count)}
	old := make([]place, n)
	for i := range old {
		old[i] = place{float32(points.At(i, 0)), float32(points.At(i, 1))}
	}
	forces, all := newForces(), disjoint.Singletons(n)
	err := parallel.Try(ctx, count, measureBlock, cfg.Threads, func(_, lo, hi int) error {
		far := make([]float32, (hi-lo)*n)
		for from := 0; from < n; from += piece {
			to := min(n, from+piece)
			for i := lo; i < hi; i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				cross.Row(far[(i-lo)*n:][from:to], i, all[from:to])
			}
		}
		for i := lo; i < hi; i++ {
			row := far[(i-lo)*n:][:n]
			for j, v := range row {
				if !(v >= 0 && v <= math.MaxFloat32) {
					return fault.Inputf("dissimilarities are finite numbers from 0",
						"the dissimilarity of new object %d and object %d is %v", i+1, j+1, v)
				}
			}
			near := closest(row, cfg.Neighbours, -1)
			d, w := make([]float32, len(near)), make([]float32, len(near))
			for t, j := range near {
				d[t] = row[j]
			}
			weigh(w, d)
			for axis, v := range settle(old, near, w, forces, i, cfg) {
				out.F64[2*i+axis] = float64(v)
			}
		}
		return nil
	})
	if err != nil {
		return dataset.Matrix{}, err
	}
	return out, nil
}

// settle returns where new object i goes among the old ones.
func settle(old []place, near []int32, w []float32, forces *forces, i int, cfg Config) place {
	var at place
	var total float32
	for t, j := range near {
		at[0] += float32(w[t] * old[j][0])
		at[1] += float32(w[t] * old[j][1])
		total += w[t]
	}
	at[0], at[1] = at[0]/total, at[1]/total
	g := graph{}
	for t, j := range near {
		g.add(j, w[t])
	}
	d := descent{cfg: cfg, g: &g, now: old, forces: forces}
	for epoch := range cfg.Epochs {
		rate := (1 - float32(epoch)/float32(cfg.Epochs)) / 4
		at = d.along(at, 0, len(near), newRandom(cfg.Seed, epoch, i), epoch, rate)
	}
	return at
}
