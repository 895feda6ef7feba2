package gmm

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/weighted"
)

// Fit fits a Gaussian mixture to the rows of data, which it does not change, by expectation and
// maximisation: it looks for weights π, means μ and covariances Σ of great
//
//	ln L = Σ_i ln Σ_c π_c exp E ln N(x_i + e; μ_c, Σ_c)
//
// by turns setting memberships u_ic to the shares of the components in the inner sum, and the
// components to the weighted moments of the rows, with ε added to every variance. e is noise of
// variance ε ([Config.Regularisation]), which keeps ln L bounded; with little ε it is the
// log-likelihood of the mixture. No step lowers it, but for rounding.
//
// Each of several starts begins with a partition of k-means from centres drawn by [kmeans.Draw]; one
// alone with the best of ten, up to 20 000 rows. Values must be
// finite. It holds the memberships, 8·n·K bytes, and with float32 data no copy of them. When ctx is
// done it returns an error that wraps ctx's, and no result. Input that cannot be fitted is a
// [*fault.Input].
func Fit(ctx context.Context, data dataset.Matrix, cfg Config) (*Result, error) {
	cfg = cfg.withDefaults()
	if err := cfg.check(ctx, data); err != nil {
		return nil, err
	}
	var best *Result
	var kept *work
	for start := range cfg.Starts {
		r, w, err := run(ctx, data, start, cfg)
		if err != nil {
			return nil, fit.InStart(err, "gmm", start)
		}
		if best == nil || r.LogLikelihood > best.LogLikelihood {
			best, kept = r, w
		}
	}
	best.Memberships, best.Labels = make([]float64, data.Rows*cfg.Clusters),
		make([]int32, data.Rows)
	if err := kept.write(ctx, best); err != nil {
		return nil, fmt.Errorf("gmm: interrupted: %w", err)
	}
	best.Mixture = kept.mixture()
	return best, nil
}

// newWork returns a work without components.
func newWork(ctx context.Context, data dataset.Matrix, cfg Config) (*work, error) {
	k, d := cfg.Clusters, data.Cols
	first := data.AppendRow(nil, 0)
	origin, _, err := moments(ctx, weighted.New(data, 1, cfg.Threads, first, weighted.Values))
	if err != nil {
		return nil, err
	}
	for j := range origin {
		origin[j] += first[j]
	}
	second := weighted.Squares
	if cfg.Covariance == Tied {
		second = weighted.Products
	}
	_, squares, err := moments(ctx, weighted.New(data, 1, cfg.Threads, origin, second))
	if err != nil {
		return nil, err
	}
	w := &work{Rows: weighted.New(data, k, cfg.Threads, origin, powers(cfg.Covariance)),
		kind: cfg.Covariance, weights: make([]float64, k), means: make([]float64, k*d),
		base: make([]float64, k)}
	covariances := k
	if w.kind == Tied {
		covariances, w.total, w.shifted = 1, squares, make([]float64, k*d)
	}
	w.cov = make([]float64, covariances*w.size())
	w.root = make([]float64, len(w.cov))
	variance := 0.0
	for j := range d {
		at := j
		if w.kind == Tied {
			at = j*(j+1)/2 + j
		}
		variance += squares[at] / float64(data.Rows) / float64(d)
	}
	if variance-variance != 0 {
		return nil, tooFar()
	}
	if w.floor = float64(cfg.Regularisation * variance); w.floor < 1e-300 {
		w.floor = cfg.Regularisation // all rows are equal, or as good as
	}
	return w, nil
}

// run is one start: all but the memberships.
func run(ctx context.Context, data dataset.Matrix, start int, cfg Config) (*Result, *work, error) {
	w, err := newWork(ctx, data, cfg)
	if err != nil {
		return nil, nil, err
	}
	labels, err := begin(ctx, data, start, cfg)
	if err != nil {
		return nil, nil, err
	}
	if err := w.gather(ctx, labels); err != nil {
		return nil, nil, err
	}
	w.maximise()
	r := &Result{Start: start, Stopped: fit.IterationLimit}
	for r.Iterations < cfg.MaxIterations {
		if err := w.expect(ctx); err != nil {
			return nil, nil, err
		}
		r.Iterations++
		before := r.LogLikelihood
		r.LogLikelihood = w.Value(0)
		if r.LogLikelihood-r.LogLikelihood != 0 {
			return nil, nil, tooFar()
		}
		r.Trace = append(r.Trace, r.LogLikelihood)
		fit.Step(cfg.Options, cfg.Limits, start, r.Iterations, -r.LogLikelihood)
		if r.Iterations > 1 {
			rose := (r.LogLikelihood - before) / float64(data.Rows)
			if rose <= 0 {
				r.Stopped = fit.Converged
				break
			} else if rose <= cfg.Tolerance {
				r.Stopped = fit.Tolerance
				break
			}
		}
		w.maximise()
	}
	return r, w, nil
}

// kmeansRows is the number of rows up to which a start alone begins with the best of ten partitions.
const kmeansRows = 20_000

// begin returns the partition that a start begins with.
func begin(ctx context.Context, data dataset.Matrix, start int, cfg Config) ([]int32, error) {
	at := cfg.Means
	if at.Rows > 0 {
		return (&kmeans.Result{Centers: at}).Predict(ctx, data, cfg.Threads)
	}
	if cfg.Starts == 1 {
		c := kmeans.Config{Clusters: cfg.Clusters,
			Options: fit.Options{Seed: cfg.Seed, Threads: cfg.Threads}}
		if data.Rows <= kmeansRows {
			c.Starts = 10
		}
		r, err := kmeans.Fit(ctx, data, c)
		if err != nil {
			return nil, err
		}
		return r.Labels, nil
	}
	at, err := kmeans.Draw(ctx, data, at, cfg.Clusters,
		rand.New(rand.NewPCG(cfg.Seed, uint64(start))), cfg.Threads)
	if err != nil {
		return nil, err
	}
	r, err := kmeans.Fit(ctx, data, kmeans.Config{Clusters: cfg.Clusters, Centers: at,
		Options: fit.Options{Threads: cfg.Threads}})
	if err != nil {
		return nil, err
	}
	return r.Labels, nil
}

// gather sums the rows of each label.
func (w *work) gather(ctx context.Context, labels []int32) error {
	return w.Each(ctx, func(s *weighted.Space, p *weighted.Part, lo, n int) {
		clear(s.Weights[:n*w.K])
		for i, c := range labels[lo : lo+n] {
			s.Weights[int(c)*n+i] = 1
		}
		s.Add(p, n)
	})
}

// expect sums the rows by how much they belong to each component, and the log-likelihood.
func (w *work) expect(ctx context.Context) error {
	return w.Each(ctx, func(s *weighted.Space, p *weighted.Part, _, n int) {
		w.densities(s, n)
		s.Posteriors(n, negligible)
		for _, v := range s.B[:n] {
			p.Value += v
		}
		for i, u := range s.Shares[:n*w.K] {
			s.Weights[i] = float32(u)
		}
		s.Add(p, n)
	})
}

// write sets memberships, labels, log-likelihood and entropy to those of the components.
func (w *work) write(ctx context.Context, r *Result) error {
	err := w.Each(ctx, func(s *weighted.Space, p *weighted.Part, lo, n int) {
		w.densities(s, n)
		s.Posteriors(n, negligible)
		for _, v := range s.B[:n] {
			p.Value += v
		}
		s.Write(r.Memberships, r.Labels, lo, n)
		p.Weights[0] += entropy(s.Shares[:n*w.K])
	})
	if err != nil {
		return err
	}
	r.LogLikelihood = w.Value(0)
	_, sums := w.Sums()
	r.Entropy = sums[0]
	return nil
}

// mixture returns the components.
func (w *work) mixture() Mixture {
	m := Mixture{Covariance: w.kind, Weights: w.weights, Covariances: w.cov, Floor: w.floor,
		Means: dataset.Matrix{Rows: w.K, Cols: w.D, F64: w.means}}
	for i := range w.means {
		w.means[i] += w.Origin[i%w.D]
	}
	return m
}
