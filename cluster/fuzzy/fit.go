package fuzzy

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/internal/weighted"
)

// Fit partitions the rows of data, which it does not change, by fuzzy c-means (Bezdek, Pattern
// Recognition with Fuzzy Objective Function Algorithms, 1981, theorem 11.1 and algorithm A11.1): it
// looks for memberships u and centres v of little
//
//	J = Σ_i Σ_c u_icᵐ ‖x_i − v_c‖²,  Σ_c u_ic = 1
//
// by turns setting u_ic = 1 / Σ_e (‖x_i − v_c‖²/‖x_i − v_e‖²)^(1/(m−1)), shared evenly among the
// centres that a row lies on, if any, and v_c = Σ u_icᵐ x_i / Σ u_icᵐ. Neither ever raises J, but
// for rounding. A centre to which every row belongs by next to nothing (uᵐ below 10⁻⁴⁵) stays where
// it is.
//
// A start draws its centres by [kmeans.Draw]. Values must be finite. It holds the memberships,
// 8·n·c bytes, and with float32 data no copy of them. When ctx is done it returns an error that
// wraps ctx's, and no result. Input that cannot be fitted is a [*fault.Input].
func Fit(ctx context.Context, data dataset.Matrix, cfg Config) (*Result, error) {
	cfg = cfg.withDefaults()
	if err := cfg.check(ctx, data); err != nil {
		return nil, err
	}
	var best *Result
	for start := range cfg.Starts {
		r, err := run(ctx, data, start, cfg)
		if err != nil {
			return nil, fit.InStart(err, "fuzzy", start)
		}
		if best == nil || r.Objective < best.Objective {
			best = r
		}
	}
	w := newWork(data, cfg)
	best.Memberships, best.Labels = make([]float64, data.Rows*cfg.Clusters),
		make([]int32, data.Rows)
	if err := w.pass(ctx, best.Centers.F64, best); err != nil {
		return nil, fmt.Errorf("fuzzy: interrupted: %w", err)
	}
	best.Objective = w.Value(0)
	return best, nil
}

// run is one start: all but the memberships.
func run(ctx context.Context, data dataset.Matrix, start int, cfg Config) (*Result, error) {
	at, err := kmeans.Draw(ctx, data, cfg.Centers, cfg.Clusters,
		rand.New(rand.NewPCG(cfg.Seed, uint64(start))), cfg.Threads)
	if err != nil {
		return nil, err
	}
	r := &Result{Centers: at, Start: start, Stopped: fit.IterationLimit}
	w := newWork(data, cfg)
	for r.Iterations < cfg.MaxIterations {
		if err := w.pass(ctx, at.F64, nil); err != nil {
			return nil, err
		}
		r.Iterations++
		fell := math.Inf(1)
		if r.Iterations > 1 {
			fell = r.Objective - w.Value(0)
		}
		r.Objective = w.Value(0)
		r.Trace = append(r.Trace, r.Objective)
		fit.Step(cfg.Options, cfg.Limits, start, r.Iterations, r.Objective)
		if fell <= 0 {
			r.Stopped = fit.Converged
			break
		} else if fell <= cfg.Tolerance*r.Objective {
			r.Stopped = fit.Tolerance
			break
		}
		w.update(at.F64)
	}
	return r, nil
}

// work is a pass over the rows, and what it adds up.
type work struct {
	*weighted.Rows
	power     float64 // 1/(m−1)
	fuzziness float64
}

func newWork(data dataset.Matrix, cfg Config) *work {
	return &work{weighted.New(data, cfg.Clusters, cfg.Threads, data.AppendRow(nil, 0),
		weighted.Values),
		1 / (cfg.Fuzziness - 1), cfg.Fuzziness}
}

// pass goes over the rows with these centres. Into, unless nil, gets memberships and labels.
func (w *work) pass(ctx context.Context, centers []float64, into *Result) error {
	relative := make([]float64, len(centers))
	for i, v := range centers {
		relative[i] = v - w.Origin[i%w.D]
	}
	return w.Each(ctx, func(s *weighted.Space, p *weighted.Part, lo, n int) {
		p.Value += w.memberships(s, n, relative)
		if into != nil {
			into.write(s, lo, n)
		} else {
			w.weigh(s, n)
			s.Add(p, n)
		}
	})
}

// update moves the centres to the weighted means.
func (w *work) update(centers []float64) {
	sums, weights := w.Sums()
	for c, weight := range weights {
		for j := 0; j < w.D && weight > 0; j++ {
			centers[c*w.D+j] = w.Origin[j] + sums[c*w.D+j]/weight
		}
	}
}

// distances sets dst, c×n, to the squared distances of rows from centres.
func distances(dst, rows, centers []float64, n, d int) {
	for c := range len(centers) / d {
		simd.SquaredDistances(dst[c*n:(c+1)*n], centers[c*d:(c+1)*d], rows)
	}
}
