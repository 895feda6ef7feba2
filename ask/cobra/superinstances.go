package cobra

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// SuperInstances is an over-clustering of n rows into N_S small groups that are answered for by one
// representative each.
type SuperInstances struct {
	Of      []int32        // super-instance of each row, from 0; length n
	Medoids []int          // row that represents each super-instance; length N_S
	Means   dataset.Matrix // N_S×d means; a new row belongs to the nearest
	Sizes   []int          // rows in each super-instance
	Joined  int            // super-instances without an askable row that joined another
}

// Len is the number of super-instances, N_S.
func (s *SuperInstances) Len() int { return len(s.Medoids) }

// maxValue keeps squared distances finite.
const maxValue = 1e150

// CheckValues returns a [*fault.Input] where distances between rows may not be finite.
func CheckValues(data dataset.Matrix) error {
	for i := range data.Rows {
		for j := range data.Cols {
			if v := data.At(i, j); !(math.Abs(v) < maxValue) {
				return &fault.Input{Row: i + 1,
					Problem: fmt.Sprintf("the value %g of feature %d cannot be measured with", v,
						j+1), Fix: "give finite values, or scale them"}
			}
		}
	}
	return nil
}

// Build over-clusters the data by k-means and picks the medoids (Algorithm 1, line 1). The medoid
// is the member nearest the mean, which minimises the sum of squared Euclidean distances.
func Build(ctx context.Context, data dataset.Matrix, cfg Config) (*SuperInstances, error) {
	if err := cfg.check(data); err != nil {
		return nil, err
	}
	if err := checkCount(cfg.count(data.Rows)); err != nil {
		return nil, err
	}
	if cfg.count(data.Rows) == data.Rows {
		return singletons(ctx, data, cfg)
	}
	fit, err := kmeans.Fit(ctx, data, cfg.parts(data))
	if err != nil {
		return nil, err
	}
	return represent(ctx, data, fit, cfg)
}

// singletons makes every row its own super-instance.
func singletons(ctx context.Context, data dataset.Matrix, cfg Config) (*SuperInstances, error) {
	if err := CheckValues(data); err != nil {
		return nil, err
	}
	s := &SuperInstances{Of: make([]int32, data.Rows), Medoids: make([]int, data.Rows),
		Sizes: make([]int, data.Rows)}
	for i := range s.Of {
		s.Of[i], s.Medoids[i], s.Sizes[i] = int32(i), i, 1
		if cfg.Askable != nil && !cfg.Askable[i] {
			s.Medoids[i] = -1
		}
	}
	s.Means = widen(data)
	return s.join(ctx, cfg.Threads)
}

func represent(ctx context.Context, data dataset.Matrix, fit *kmeans.Result,
	cfg Config) (*SuperInstances, error) {
	medoids, err := kmeans.Medoids(ctx, data, fit.Labels, fit.Centers, cfg.Askable, cfg.Threads)
	if err != nil {
		return nil, err
	}
	s := &SuperInstances{Of: fit.Labels, Medoids: medoids, Means: fit.Centers, Sizes: fit.Sizes}
	return s.join(ctx, cfg.Threads)
}

// join merges each super-instance that has no medoid into the nearest that has one, and drops those
// that are empty.
func (s *SuperInstances) join(ctx context.Context, threads int) (*SuperInstances, error) {
	target := make([]int, len(s.Medoids))
	kept := 0
	for i, m := range s.Medoids {
		target[i] = -1
		if m >= 0 {
			target[i] = kept
			kept++
		}
	}
	if kept == 0 {
		return nil, errors.New("cobra: no row may be asked about: Askable is false everywhere")
	}
	if kept == len(s.Medoids) {
		return s, nil
	}
	d := s.Means.Cols
	out := &SuperInstances{Of: s.Of, Medoids: make([]int, 0, kept), Sizes: make([]int, kept)}
	means := make([]float64, 0, kept*d)
	for i, m := range s.Medoids {
		if m >= 0 {
			out.Medoids = append(out.Medoids, m)
			means = append(means, s.Means.F64[i*d:(i+1)*d]...)
		}
	}
	var joined []int
	for i, size := range s.Sizes {
		if size > 0 && target[i] < 0 {
			joined = append(joined, i)
		}
	}
	out.Joined = len(joined)
	err := parallel.Blocks(ctx, len(joined), 16, threads, func(_, lo, hi int) {
		for _, i := range joined[lo:hi] {
			target[i] = nearestMean(s.Means.F64[i*d:(i+1)*d], means)
		}
	})
	if err != nil {
		return nil, err
	}
	for row, of := range out.Of {
		out.Of[row] = int32(target[of])
		out.Sizes[target[of]]++
	}
	// A joined super-instance moves the mean of its host: the weighted mean of both.
	sums := make([]float64, kept*d)
	for i, size := range s.Sizes {
		if size == 0 {
			continue
		}
		for j, v := range s.Means.F64[i*d : (i+1)*d] {
			sums[target[i]*d+j] += float64(float64(size) * v)
		}
	}
	for i, size := range out.Sizes {
		for j := range d {
			sums[i*d+j] /= float64(size)
		}
	}
	out.Means, err = dataset.NewMatrix(kept, d, sums)
	return out, err
}

func nearestMean(x, means []float64) int {
	best, at := math.Inf(1), 0
	for i := 0; i*len(x) < len(means); i++ {
		if s := linalg.SquaredDistance(x, means[i*len(x):(i+1)*len(x)]); s < best {
			best, at = s, i
		}
	}
	return at
}

// widen returns the matrix in float64, without a copy where it already is.
func widen(m dataset.Matrix) dataset.Matrix {
	if m.F32 == nil {
		return m
	}
	wide := dataset.Matrix{Rows: m.Rows, Cols: m.Cols, F64: make([]float64, len(m.F32))}
	for i, v := range m.F32 {
		wide.F64[i] = float64(v)
	}
	return wide
}
