package bayes

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/weighted"
)

// Fit learns what the classes are like from the rows of data, which it does not change, and from
// those whose class is known (see [fit.Knowledge]). It climbs the log-posterior (equation 9)
//
//	ln p(model) + Σ_known ln π_y p(x|y) + λ Σ_others ln Σ_c π_c p(x|c)
//
// by turns of an expectation step, in which a row of unknown class belongs to each class by its
// posterior probability (equation 8, whose hard choice is replaced: under that the log-posterior
// can fall), and a maximisation step (equation 7) by these weights. It never falls, but for
// rounding.
//
// The priors are p(π) ∝ Π π_c, which makes π_c = (N_c+1)/(N+k), N_c being the weight of a class;
// for counts p(θ) ∝ Π θ_cj^α with α the smoothing, which makes θ_cj = (Σx_j + α)/(Σx + αd); and for
// variances, which is ours, p(σ²) ∝ σ^−ν · exp(−ν·u_j/(2σ²)) with ν the smoothing, which makes
// σ²_cj = (N_c·var_cj + ν·u_j)/(N_c + ν), as if ν rows more were known, of variance u_j. That is
// the variance that is usual within classes: that of the known rows about the means of their
// classes, and of one row more of v_j·k^(−2/d), with v_j the variance of the column and d the
// number of columns that are not constant; this is the scale of the prior of Fraley and Raftery
// (2007). Constant columns count for nothing.
//
// Where rows of all classes are known, the iteration starts from these alone, and nothing
// is drawn. Otherwise centres for the other classes are drawn by [kmeans.Draw] beside the means of
// those that are known (for counts among the rows divided by their sums), k-means goes on from them
// for ten iterations where none is known, and every row of unknown class starts in that of the
// nearest centre (ours).
//
// When ctx is done it returns an error that wraps ctx's, and no result. Input that cannot be
// fitted, such as values below 0 by the multinomial likelihood, is a [*fault.Input].
func Fit(ctx context.Context, data dataset.Matrix, cfg Config) (*Result, error) {
	cfg = cfg.withDefaults()
	if err := cfg.check(ctx, data); err != nil {
		return nil, err
	}
	e, err := newEM(ctx, data, cfg)
	if err != nil {
		return nil, fit.InStart(err, "bayes", 0)
	}
	if cfg.UnlabelledWeight == 0 && !e.chooses() {
		cfg.UnlabelledWeight = 1
	} else if cfg.UnlabelledWeight == 0 {
		report := cfg.Progress
		cfg.Progress = fit.Part(report, 0, 0.5)
		if cfg.UnlabelledWeight, err = e.chooseWeight(ctx, cfg); err != nil {
			return nil, fit.InStart(err, "bayes", 0)
		}
		cfg.Progress = fit.Part(report, 0.5, 1)
	}
	e.weigh(cfg.UnlabelledWeight)
	if e.complete() {
		cfg.Starts = 1 // all would be the same
	}
	var best *Result
	for start := range cfg.Starts {
		r, err := e.run(ctx, start, cfg)
		if err != nil {
			return nil, fit.InStart(err, "bayes", start)
		}
		if best == nil || r.LogPosterior > best.LogPosterior {
			best = r
		}
	}
	best.Memberships, best.Labels = make([]float64, data.Rows*cfg.Clusters),
		make([]int32, data.Rows)
	best.UnlabelledWeight = e.weight
	best.LogPosterior, err = e.expect(ctx, best.Model, best)
	if err != nil {
		return nil, fit.InStart(err, "bayes", best.Start)
	}
	return best, nil
}

// em is a fit under way.
type em struct {
	*weighted.Rows
	known     []int32 // nil: none
	counts    []int   // of each class the rows known
	labelled  int     // rows known
	weight    float64 // of a row that is not
	by        Likelihood
	smoothing float64
	variance  []float64 // of the columns; gaussian
	usual     []float64 // within classes; gaussian
}

func newEM(ctx context.Context, data dataset.Matrix, cfg Config) (*em, error) {
	e := &em{Rows: newRows(data, cfg.Clusters, cfg.Threads, cfg.Likelihood), known: cfg.Known,
		counts: make([]int, cfg.Clusters), by: cfg.Likelihood, smoothing: cfg.Smoothing}
	for _, y := range cfg.Known {
		if y >= 0 {
			e.counts[y]++
			e.labelled++
		}
	}
	e.weigh(cfg.UnlabelledWeight)
	if e.by == Gaussian {
		return e, e.columns(ctx)
	}
	return e, nil
}

// weigh sets what a row of unknown class weighs.
func (e *em) weigh(weight float64) {
	e.weight = weight
	if e.labelled == 0 {
		e.weight = 1
	}
}

// complete reports whether rows of all classes are known.
func (e *em) complete() bool {
	return !slices.Contains(e.counts, 0)
}

// class returns the class that is known of a row, or −1.
func (e *em) class(i int) int32 {
	if e.known == nil {
		return -1
	}
	return max(-1, e.known[i])
}

// columns sets the origin to the mean of the rows, and finds the variances of the columns.
func (e *em) columns(ctx context.Context) error {
	copy(e.Origin, e.Data.AppendRow(nil, 0))
	if err := e.checkSpread(ctx); err != nil {
		return err
	}
	rows, one := *e.Rows, *e
	rows.K = 1
	one.Rows, one.weight = &rows, 1
	for range 2 { // about the mean, the second time
		sums, counts, err := one.gather(ctx, func(int) int32 { return 0 })
		if err != nil {
			return err
		}
		e.variance = make([]float64, e.D)
		for j := range e.D {
			mean := sums[j] / counts[0]
			e.variance[j] = max(0, sums[e.D+j]/counts[0]-float64(mean*mean))
			e.Origin[j] += mean
		}
	}
	return e.usually(ctx)
}

// usually finds the variance of each column that is usual within classes; see [Fit].
func (e *em) usually(ctx context.Context) error {
	sums, counts, err := e.gather(ctx, e.class)
	if err != nil {
		return err
	}
	varied := 0.0
	for _, v := range e.variance {
		if v > 0 {
			varied++
		}
	}
	each := elementary.Power(float64(e.K), -2/max(1, varied))
	e.usual = make([]float64, e.D)
	for j, v := range e.variance {
		own, rows := float64(v*each), 1.0
		for c, n := range counts {
			if n > 0 {
				sum := sums[2*c*e.D+j]
				own += max(0, sums[(2*c+1)*e.D+j]-float64(sum*sum)/n)
				rows += n - 1
			}
		}
		e.usual[j] = own / rows
	}
	return nil
}

// leastSpread is the least by which the values of a column must differ from their mean: the squares
// do not vanish.
const leastSpread = 1e-130

// checkSpread refuses columns whose values differ by so little that nothing is left of the squares.
func (e *em) checkSpread(ctx context.Context) error {
	far := make([]float64, e.D)
	for i := range e.N {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for j, v := range e.Origin {
			far[j] = max(far[j], math.Abs(e.Data.At(i, j)-v))
		}
	}
	for j, v := range far {
		if v > 0 && v < leastSpread {
			return &fault.Input{Column: fmt.Sprint(j + 1),
				Problem: fmt.Sprintf("the values differ by %g at most: their squares vanish", v),
				Fix:     "scale the columns, for example to 0..1"}
		}
	}
	return nil
}

// run is one start.
func (e *em) run(ctx context.Context, start int, cfg Config) (*Result, error) {
	m, err := e.start(ctx, rand.New(rand.NewPCG(cfg.Seed, uint64(start))))
	if err != nil {
		return nil, err
	}
	r := &Result{Model: m, Start: start, Stopped: fit.IterationLimit}
	for r.Iterations < cfg.MaxIterations {
		posterior, err := e.expect(ctx, r.Model, nil)
		if err != nil {
			return nil, err
		}
		r.Iterations++
		r.Trace = append(r.Trace, posterior)
		r.LogPosterior = posterior
		fit.Step(cfg.Options, cfg.Limits, start, r.Iterations, -posterior)
		if n := len(r.Trace); n > 1 {
			if rose := posterior - r.Trace[n-2]; rose <= 0 {
				r.Stopped = fit.Converged
				break
			} else if rose <= float64(cfg.Tolerance*float64(e.N)) {
				r.Stopped = fit.Tolerance
				break
			}
		}
		r.Model = e.maximise(r.Model)
	}
	return r, nil
}

// expect goes over the rows with a model: it returns the log-posterior, and adds up what the next
// model is made of. Into, unless nil, gets memberships and labels instead.
func (e *em) expect(ctx context.Context, m *Model, into *Result) (float64, error) {
	x := newExpectation(m, e.Origin)
	err := e.Each(ctx, func(s *weighted.Space, p *weighted.Part, lo, n int) {
		x.joint(s, n)
		e.hold(s, lo, n)
		s.Posteriors(n, weighted.Smallest)
		for i, v := range s.B[:n] {
			p.Value += float64(v * e.weightOf(lo+i))
		}
		if into != nil {
			s.Write(into.Memberships, into.Labels, lo, n)
			return
		}
		e.add(s, p, lo, n)
	})
	return e.Value(e.prior(m)), err
}

// add adds n rows to the sums by their posteriors times their weights.
func (e *em) add(s *weighted.Space, p *weighted.Part, lo, n int) {
	for i := range n {
		s.A[i] = e.weightOf(lo + i)
	}
	for c := range e.K {
		for i, v := range s.Shares[c*n : (c+1)*n] {
			s.Weights[c*n+i] = float32(v * s.A[i])
		}
	}
	s.Add(p, n)
}

// hold leaves rows of known classes no other.
func (e *em) hold(s *weighted.Space, lo, n int) {
	if e.labelled == 0 {
		return
	}
	for i := range n {
		y := e.class(lo + i)
		for c := 0; y >= 0 && c < e.K; c++ {
			if int32(c) != y {
				s.Shares[c*n+i] = math.Inf(-1)
			}
		}
	}
}

// weightOf returns what a row counts.
func (e *em) weightOf(i int) float64 {
	if e.class(i) >= 0 {
		return 1
	}
	return e.weight
}
