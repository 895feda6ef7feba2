// Package mds brings objects that are known by their dissimilarities into the plane, by metric
// multidimensional scaling: the distances between the points are to be close to the
// dissimilarities.
//
// [Fit] minimises the raw stress by majorisation (SMACOF; Borg and Groenen, Modern Multidimensional
// Scaling, 2nd ed., ch. 8) from the classical scaling of Torgerson (ch. 12). Large sets are fitted
// through landmarks.
package mds

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Config reports how to fit. Every zero value is the documented default.
type Config struct {
	Dimensions int // of the points: 1 to 3; 0: 2

	// Landmarks is the number of objects that are fitted together, drawn at random; the others are
	// placed one by one by their dissimilarities to them. 0: all objects up to 1000, and 1000
	// beyond; as many as there are objects, or more: all. Time grows with its square, as does
	// memory, 4 bytes per pair.
	Landmarks int

	MaxIterations int     // of the landmarks; 0: 300
	Tolerance     float64 // stop when the raw stress falls by less than this share of it; 0: 1e-6
	// draws landmarks, the start of the eigenvectors, and the pairs of an estimated stress
	Seed     uint64
	Threads  int // 0: one per processor; never changes the result
	Progress func(Progress)
}

// Progress reports how far a fit is.
type Progress struct {
	Iteration int     // iterations of the landmarks so far
	Placed    int     // objects placed beside them
	Stress1   float64 // of the landmarks
	Share     float64 // a guess of the work done, from 0 to 1, that never falls
}

// Result is a fit.
type Result struct {
	// Points has a row per object. The origin is the mean, the axes are the principal axes, the
	// widest first, and the object farthest out on an axis, the first of several, has a positive
	// coordinate there. The scale is that of the dissimilarities.
	Points dataset.Matrix

	// Stress1 is Kruskal's stress-1, √(Σ (d_ij − ‖x_i − x_j‖)² / Σ ‖x_i − x_j‖²) over pairs i < j
	// (Borg and Groenen eq. 3.3, with the dissimilarities themselves as disparities). With fewer
	// landmarks than objects it is an estimate from up to StressPairs random pairs of all objects.
	// Where all points coincide it is 0 when all dissimilarities are 0, and 1 otherwise.
	Stress1     float64
	StressPairs int // pairs that Stress1 was computed from

	Landmarks      []int   // ascending; every object when all were fitted together
	LandmarkStress float64 // stress-1 of the landmarks alone

	Trace      []float64 // LandmarkStress of the start and after each iteration; it never rises
	Iterations int
	Converged  bool // false: MaxIterations ended it
}

const defaultLandmarks = 1000

// point has the coordinates of an object; those beyond the dimensions asked for are 0.
type point [3]float64

// minus returns p − q.
func (p point) minus(q point) point { return point{p[0] - q[0], p[1] - q[1], p[2] - q[2]} }

// times returns p stretched by a factor.
func (p point) times(by float64) point { return point{p[0] * by, p[1] * by, p[2] * by} }

// norm2 returns the square of the length of p.
func (p point) norm2() float64 {
	return float64(p[0]*p[0]) + float64(p[1]*p[1]) + float64(p[2]*p[2])
}

// Fit places the objects of src. Dissimilarities need not be a metric.
//
// It fails with a [*fault.Input] when there is no object, the config makes no sense, or a
// dissimilarity is negative or not finite; and with ctx's error when ctx is done.
func Fit(ctx context.Context, src dissim.Source, cfg Config) (*Result, error) {
	n := src.Len()
	if err := check(n, &cfg); err != nil {
		return nil, err
	}
	f := &fit{src: src, cfg: cfg, n: n, landmarks: choose(n, cfg.Landmarks, cfg.Seed)}
	if err := f.read(ctx); err != nil {
		return nil, err
	}
	start, err := f.classical(ctx)
	if err != nil {
		return nil, err
	}
	out := &Result{Landmarks: make([]int, len(f.landmarks))}
	for i, l := range f.landmarks {
		out.Landmarks[i] = int(l)
	}
	fitted, err := f.majorise(ctx, start, out)
	if err != nil {
		return nil, err
	}
	points, err := f.place(ctx, fitted, out)
	if err != nil {
		return nil, err
	}
	turn(points, cfg.Dimensions)
	out.Points = f.matrix(points)
	out.Stress1, out.StressPairs = out.LandmarkStress, n*(n-1)/2
	if len(f.landmarks) < n {
		out.Stress1, out.StressPairs, err = f.estimate(ctx, points)
	}
	if err != nil {
		return nil, err
	}
	f.report(Progress{Iteration: out.Iterations, Placed: n - len(f.landmarks),
		Stress1: out.LandmarkStress, Share: 1})
	return out, nil
}

// matrix returns points as rows.
func (f *fit) matrix(points []point) dataset.Matrix {
	m := dataset.Matrix{Rows: f.n, Cols: f.cfg.Dimensions,
		F64: make([]float64, 0, f.n*f.cfg.Dimensions)}
	for _, p := range points {
		m.F64 = append(m.F64, p[:f.cfg.Dimensions]...)
	}
	return m
}

// check refuses what makes no sense and fills in defaults.
func check(n int, cfg *Config) error {
	switch {
	case n == 0:
		return fault.Inputf("give at least one", "there are no objects to place")
	case cfg.Dimensions < 0 || cfg.Dimensions > 3:
		return fault.Inputf("ask for 1 to 3, or 0 for 2", "cannot place points in %d dimensions",
			cfg.Dimensions)
	case cfg.Landmarks < 0 || cfg.Landmarks > 0 && cfg.Landmarks < 3:
		return fault.Inputf("ask for at least 3, or 0 for up to 1000",
			"%d landmarks do not hold a picture", cfg.Landmarks)
	case cfg.MaxIterations < 0:
		return fault.Inputf("give a number from 1, or 0 for 300", "cannot stop after %d iterations",
			cfg.MaxIterations)
	case !(cfg.Tolerance >= 0 && cfg.Tolerance < 1):
		return fault.Inputf("give a number from 0 to below 1, 0 for 1e-6",
			"the tolerance %v cannot be met", cfg.Tolerance)
	}
	cfg.Dimensions = cmp.Or(cfg.Dimensions, 2)
	cfg.Landmarks = min(n, cmp.Or(cfg.Landmarks, defaultLandmarks))
	cfg.MaxIterations = cmp.Or(cfg.MaxIterations, 300)
	cfg.Tolerance = cmp.Or(cfg.Tolerance, 1e-6)
	return nil
}

// choose returns count of n objects, ascending: a simple random sample.
func choose(n, count int, seed uint64) []int32 {
	return draw.Rising(rand.New(rand.NewPCG(seed, 0x6c616e64)), 0, n-1, count)
}

// fit is a fit under way.
type fit struct {
	src       dissim.Source
	cfg       Config
	n         int
	landmarks []int32
	d         []float32 // L×L dissimilarities of the landmarks
	square    float64   // Σ d² over all ordered pairs
}

// report reports the progress of the fit.
func (f *fit) report(p Progress) {
	if f.cfg.Progress != nil {
		f.cfg.Progress(p)
	}
}

// blockRows makes blocks of about 2¹⁶ pairs from rows of a length.
func blockRows(length int) int { return max(1, (1<<16)/max(1, length)) }

// fetchPiece is how many dissimilarities are fetched at a time: what one costs is not known, and
// ctx is to be seen in time.
const fetchPiece = 64

// fetch sets row to the dissimilarities of object i to others, and refuses what is none. It stops
// when ctx is done.
func (f *fit) fetch(ctx context.Context, row []float32, i int, others []int32) error {
	for lo := 0; lo < len(row); lo += fetchPiece {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(len(row), lo+fetchPiece)
		f.src.Row(row[lo:hi], i, others[lo:hi])
	}
	return verify(row, i, others)
}

// read fetches the dissimilarities among the landmarks.
func (f *fit) read(ctx context.Context) error {
	size := len(f.landmarks)
	f.d = make([]float32, size*size)
	block := blockRows(size)
	squares := make([]float64, parallel.Count(size, block))
	err := parallel.Try(ctx, size, block, f.cfg.Threads, func(b, lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := f.d[i*size : (i+1)*size]
			if err := f.fetch(ctx, row, int(f.landmarks[i]), f.landmarks); err != nil {
				return err
			}
			row[i] = 0
			for _, v := range row {
				squares[b] += float64(float64(v) * float64(v))
			}
		}
		return nil
	})
	for _, s := range squares {
		f.square += s
	}
	return err
}

// verify refuses what is no dissimilarity of object i and others.
func verify(row []float32, i int, others []int32) error {
	for t, v := range row {
		if !(v >= 0 && v <= math.MaxFloat32) {
			return fault.Inputf("dissimilarities are finite numbers from 0",
				"the dissimilarity of objects %d and %d is %v", i+1, others[t]+1, v)
		}
	}
	return nil
}
