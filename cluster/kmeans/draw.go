package kmeans

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// Draw draws k centres for an iteration to start from, k×d float64, as [Fit] does by [InitAuto].
// The rows of given, if any, are the first of them; the others are then drawn by greedy k-means++
// as if those had been drawn before, from the rows or from a sample of [PlusPlusRows] of them.
// There may be equal ones where fewer than k rows are distinct. Values must be finite. It fails
// when ctx is done, and with a *fault.Input for data or centres that cannot be fitted. Threads ≤ 0
// means one per processor.
func Draw(ctx context.Context, data, given dataset.Matrix, k int, rng *rand.Rand,
	threads int) (dataset.Matrix, error) {
	if err := data.CheckSize("data"); err != nil {
		return dataset.Matrix{}, err
	}
	if given.Rows > k || given.Rows > 0 && given.Cols != data.Cols {
		return dataset.Matrix{}, fault.Inputf("",
			"there are more starting centres than clusters, or of other columns than the data")
	}
	if err := (Config{Clusters: k}).check(data.Rows, data.Cols); err != nil {
		return dataset.Matrix{}, err
	}
	centers, err := drawn(ctx, data, given, nil, k, threads, rng)
	if err != nil {
		return dataset.Matrix{}, interrupted(err, 0, 0)
	}
	return centers, nil
}

// drawn draws k centres from rows, of which each stands for so many, unless stands is nil, or, with
// stands nil, beside those given.
func drawn(ctx context.Context, data, given dataset.Matrix, stands []float64, k, threads int,
	rng *rand.Rand) (dataset.Matrix, error) {
	var at []float64
	var err error
	if data.Single() {
		at, err = drawCenters(ctx, data.F32, data, given, stands, k, threads, rng)
	} else {
		at, err = drawCenters(ctx, data.F64, data, given, stands, k, threads, rng)
	}
	if err != nil {
		return dataset.Matrix{}, err
	}
	return dataset.Matrix{Rows: k, Cols: data.Cols, F64: at}, nil
}

func drawCenters[T simd.Float](ctx context.Context, rows []T, data, given dataset.Matrix,
	stands []float64, k, threads int, rng *rand.Rand) ([]float64, error) {
	e := newEngine(rows, data.Rows, data.Cols, k, threads)
	col, err := e.columns(ctx)
	if err != nil {
		return nil, err
	}
	e.middle, e.radius = col.mean, col.radius
	at, err := startingCenters[T](given, col)
	if err != nil || given.Rows == k {
		return at, err
	}
	switch {
	case stands != nil:
		return e.oversample(ctx, stands, rng)
	case given.Rows == 0:
		return e.initialise(ctx, InitAuto, rng)
	}
	sample, stands, err := e.coreset(ctx, PlusPlusRows, rng)
	if err != nil {
		return nil, err
	}
	s := newSeeder(e, sample.rows, stands)
	if err := s.beside(ctx, at); err != nil {
		return nil, err
	}
	more, err := s.further(ctx, rng, nil, k-given.Rows, s.trials())
	return append(at, e.values(sample.rows, more)...), err
}

// beside sets the distances to those from the nearest of centres.
func (s *seeder[T]) beside(ctx context.Context, centers []float64) error {
	d := s.e.d
	s.e.distances += int64(s.n) * int64(len(centers)/d)
	err := parallel.Blocks(ctx, len(s.sums), 4, s.e.threads, func(_, first, last int) {
		center, dist := make([]T, d), make([]T, seedBlock)
		for b := first; b < last; b++ {
			lo, hi := b*seedBlock, min(s.n, (b+1)*seedBlock)
			for at := range slices.Chunk(centers, d) {
				for j, v := range at {
					center[j] = T(v)
				}
				simd.SquaredDistancesColumns(dist[:hi-lo], center, s.cols[lo*d:hi*d], hi-lo)
				for i, v := range dist[:hi-lo] {
					if &at[0] == &centers[0] || v < s.dist[lo+i] {
						s.dist[lo+i] = v
					}
				}
			}
		}
	})
	s.fillSums(s.dist)
	return err
}
