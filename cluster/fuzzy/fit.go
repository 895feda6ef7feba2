package fuzzy

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
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
		if fault.IsInput(err) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("fuzzy: interrupted in start %d: %w", start+1, err)
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
	best.Objective = w.objective()
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
			fell = r.Objective - w.objective()
		}
		r.Objective = w.objective()
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

// work is the rows in blocks, and what a pass over them adds up.
type work struct {
	data      dataset.Matrix
	c, d      int
	threads   int
	block     int
	power     float64 // 1/(m−1)
	fuzziness float64
	origin    []float64 // the first row: sums are taken about it
	parts     []part
}

// part is the sums of a block.
type part struct {
	objective float64
	weights   []float64 // c: Σ uᵐ
	sums      []float64 // c×d: Σ uᵐ(x − origin)
}

func newWork(data dataset.Matrix, cfg Config) *work {
	w := &work{data: data, c: cfg.Clusters, d: data.Cols, threads: cfg.Threads,
		block: max(512, (data.Rows+63)/64),
		power: 1 / (cfg.Fuzziness - 1), fuzziness: cfg.Fuzziness, origin: data.AppendRow(nil, 0)}
	w.parts = make([]part, parallel.Count(data.Rows, w.block))
	for b := range w.parts {
		w.parts[b] = part{weights: make([]float64, w.c), sums: make([]float64, w.c*w.d)}
	}
	return w
}

// pass goes over the rows with these centres. Into, unless nil, gets memberships and labels.
func (w *work) pass(ctx context.Context, centers []float64, into *Result) error {
	const piece = 128
	relative := make([]float64, len(centers))
	for i, v := range centers {
		relative[i] = v - w.origin[i%w.d]
	}
	return parallel.Blocks(ctx, w.data.Rows, w.block, w.threads, func(b, lo, hi int) {
		p := &w.parts[b]
		p.objective = 0
		clear(p.weights)
		clear(p.sums)
		s := newSpace(w, piece)
		for ; lo < hi && ctx.Err() == nil; lo += piece {
			n := min(hi, lo+piece) - lo
			s.read(lo, n)
			p.objective += s.memberships(n, relative)
			if into != nil {
				s.write(into, lo, n)
			} else {
				s.add(p, n)
			}
		}
	})
}

// objective adds up the blocks.
func (w *work) objective() (sum float64) {
	for b := range w.parts {
		sum += w.parts[b].objective
	}
	return sum
}

// update moves the centres to the weighted means.
func (w *work) update(centers []float64) {
	weights, sums := make([]float64, w.c), make([]float64, w.c*w.d)
	for b := range w.parts {
		for c, v := range w.parts[b].weights {
			weights[c] += v
		}
		for i, v := range w.parts[b].sums {
			sums[i] += v
		}
	}
	for c, weight := range weights {
		for j := 0; j < w.d && weight > 0; j++ {
			centers[c*w.d+j] = w.origin[j] + sums[c*w.d+j]/weight
		}
	}
}

// distances sets dst, c×n, to the squared distances of rows from centres.
func distances(dst, rows, centers []float64, n, d int) {
	for c := range len(centers) / d {
		simd.SquaredDistances(dst[c*n:(c+1)*n], centers[c*d:(c+1)*d], rows)
	}
}
