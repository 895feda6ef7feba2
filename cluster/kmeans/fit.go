package kmeans

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/simd"
)

// Fit partitions the rows of data, which it does not change. Values must be finite.
//
// While it runs it holds a float32 copy of float64 data, half as large as the data; about 12 bytes
// a row; and at most 256 MB of sums, or 16·K·d bytes if that is more. Drawing the starting centres
// takes for a while 8 bytes a row and a sample, or by InitPlusPlus a copy of the data and 3+⌊ln K⌋
// numbers a row. With what the garbage collector leaves for later, allow as much memory again as
// the data take, and with InitPlusPlus twice.
//
// When ctx is done it returns an error that wraps ctx's, and no result. Input that cannot be fitted
// (more clusters than rows, values that are missing or so large that their squares overflow) is a
// [*fault.Input].
func Fit(ctx context.Context, data dataset.Matrix, cfg Config) (*Result, error) {
	cfg = cfg.withDefaults()
	if err := data.CheckSize("data"); err != nil {
		return nil, err
	}
	if err := cfg.check(data.Rows, data.Cols); err != nil {
		return nil, err
	}
	if data.Single() {
		return run(ctx, data.F32, data.Rows, data.Cols, cfg)
	}
	return run(ctx, data.F64, data.Rows, data.Cols, cfg)
}

func run[T simd.Float](ctx context.Context, rows []T, n, d int, cfg Config) (*Result, error) {
	e := newEngine(rows, n, d, cfg.Clusters, cfg.Threads)
	e.sample = cfg.Sample
	col, given, err := e.begin(ctx, cfg.Centers)
	if err != nil {
		return nil, interrupted(err, 0, 0)
	}
	if cfg.Spherical {
		if err := e.checkUnit(); err != nil {
			return nil, err
		}
		for c := range len(given) / d {
			toSphere(given[c*d : (c+1)*d])
		}
	}
	var best *Result
	for start := range cfg.Starts {
		centers := append([]float64(nil), given...)
		if given == nil {
			rng := rand.New(rand.NewPCG(cfg.Seed, uint64(start)))
			if centers, err = e.initialise(ctx, cfg.Init, rng); err != nil {
				return nil, interrupted(err, start, 0)
			}
		}
		r, err := e.lloyd(ctx, centers, col, start, cfg)
		if err != nil {
			return nil, err
		}
		if best == nil || r.Objective < best.Objective {
			best = r
		}
	}
	best.Distances = e.distances
	return best, nil
}

// begin readies the rows for the kernels, and returns what a pass over them finds, and the centres
// that are given; nil where there are none.
func (e *engine[T]) begin(ctx context.Context, given dataset.Matrix) (col columns,
	centers []float64, err error) {
	if col, err = e.columns(ctx); err != nil {
		return col, nil, err
	}
	if err := e.place(ctx, col); err != nil {
		return col, nil, err
	}
	centers, err = startingCenters[T](given, col)
	return col, centers, err
}

// interrupted wraps an error that can only be the context's.
func interrupted(err error, start, iteration int) error {
	if fault.IsInput(err) {
		return err
	}
	return fmt.Errorf("kmeans: %v in start %d, iteration %d: %w", fit.Interrupted, start+1,
		iteration, err)
}

// startingCenters returns the rows of m as float64, or nil when there are none.
func startingCenters[T simd.Float](m dataset.Matrix, col columns) ([]float64, error) {
	var out []float64
	for i := range m.Rows {
		out = m.AppendRow(out, i)
	}
	for i := range m.Rows {
		if at := math.Sqrt(simd.SquaredDistance(out[i*m.Cols:(i+1)*m.Cols],
			col.mean)); !fits[T](at) {
			return nil, fault.Inputf("give centres amid the data",
				"starting centre %d holds a value that is not finite, or lies too far from the "+
					"data", i+1)
		}
	}
	return out, nil
}

// lloyd iterates from centers, which it takes over.
func (e *engine[T]) lloyd(ctx context.Context, centers []float64, col columns, start int,
	cfg Config) (*Result, error) {
	s := newState(e, centers, cfg.Algorithm)
	s.spherical = cfg.Spherical
	r := &Result{Start: start, Stopped: fit.IterationLimit}
	enough := -1.0
	if cfg.Tolerance > 0 {
		enough = cfg.Tolerance * col.variance
	}
	for iteration := 1; iteration <= cfg.MaxIterations; iteration++ {
		changed, err := s.assign(ctx)
		if err != nil {
			return nil, interrupted(err, start, iteration)
		}
		r.Iterations = iteration
		inertia, err := s.inertia(ctx, col)
		if err != nil {
			return nil, interrupted(err, start, iteration)
		}
		r.Trace = append(r.Trace, inertia)
		fit.Step(cfg.Options, cfg.Limits, start, iteration, inertia)
		if changed == 0 && iteration > 1 {
			r.Stopped = fit.Converged
			break
		}
		if moved := s.update(); moved <= enough {
			r.Stopped = fit.Tolerance
			break
		}
	}
	if r.Stopped != fit.Converged {
		if _, err := s.assign(ctx); err != nil {
			return nil, interrupted(err, start, r.Iterations)
		}
	}
	inertia, err := e.inertia(ctx, s.labels, s.centers)
	if err != nil {
		return nil, interrupted(err, start, r.Iterations)
	}
	r.Objective = inertia
	r.Labels, r.EmptyRepaired = s.labels, s.repaired
	r.Centers = dataset.Matrix{Rows: e.k, Cols: e.d, F64: s.centers}
	r.Sizes = make([]int, e.k)
	for c, m := range s.counts {
		r.Sizes[c] = int(m)
	}
	return r, nil
}
