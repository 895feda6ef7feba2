package constrained

import (
	"cmp"
	"context"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/prototypes"
	"github.com/kindred-go/kindred/link"
)

// Config holds the parameters that all methods of this package share. Only Clusters must be set;
// the zero value of every other field is a documented default. Of what it embeds:
//
//   - Starts is by default 5 up to 20 000 rows of methods that learn from links, whose starts come
//     to different ends more often, and otherwise 1.
//   - MaxIterations is 100 by default. Tolerance means nothing.
//   - Links that contradict each other are kept under [link.Keep] to weigh against each other;
//     COP-k-means leaves those out that contradict earlier ones. [FitSeeded] learns from Known
//     alone, which means nothing to the other methods.
type Config struct {
	fit.Options
	fit.Limits
	fit.Knowledge

	// Clusters is the number of clusters k, from 1 to the number of distinct rows.
	Clusters int
}

// Result is a partition of n rows of d values into at most k clusters: of the iterations of a
// start, the one with the least objective, and of the starts that with the least.
type Result struct {
	Labels    []int32        // cluster of each row, from 0
	Centers   dataset.Matrix // k×d, float64
	Sizes     []int          // rows in each cluster; a cluster may be empty
	Objective float64        // what the method minimises, of Labels and Centers
	Violated  []link.Link    // links that the partition breaks, in the order given

	Iterations int        // of the start that was kept
	Stopped    fit.Reason // Converged: the labels repeated. Otherwise IterationLimit
	Trace      []float64  // the objective of each partition seen, of the start that was kept
	Start      int        // the start that was kept, from 0

	Clashing []*link.Contradiction // links that contradict earlier ones
}

// severalBelow is the number of rows up to which several starts are the default.
const severalBelow = 20_000

// withDefaults puts the documented default in place of each zero, for a method that learns from
// links.
func (c Config) withDefaults(n int) Config {
	c.Limits = c.Limits.Or(standard(n))
	return c
}

// standard returns the default limits for so many rows.
func standard(n int) fit.Limits {
	limits := fit.Limits{Starts: 1, MaxIterations: 100}
	if n <= severalBelow {
		limits.Starts = 5
	}
	return limits
}

// check refuses a configuration that cannot fit the data, and data that cannot be fitted.
func (c Config) check(ctx context.Context, data dataset.Matrix) error {
	if err := cmp.Or(fit.CheckClusters("clusters", c.Clusters, data.Rows),
		c.Limits.Check(), c.Contradictions.Check()); err != nil {
		return err
	}
	return prototypes.Check(ctx, data, c.Clusters)
}

// problem is what all starts of a fit share.
type problem struct {
	*table
	cfg      Config // with defaults
	set      *link.Set
	clashing []*link.Contradiction
}

// prepare completes and checks a configuration.
func prepare(ctx context.Context, data dataset.Matrix, cfg Config) (*problem, error) {
	cfg = cfg.withDefaults(data.Rows)
	if err := cfg.check(ctx, data); err != nil {
		return nil, err
	}
	set, clashing, err := link.Build(data.Rows, cfg.Links, cfg.Contradictions)
	if err != nil {
		return nil, err
	}
	return &problem{newTable(data, cfg.Clusters, cfg.Threads), cfg, set, clashing}, nil
}

// fit runs all starts and keeps the result of least objective.
func (p *problem) fit(ctx context.Context,
	run func(start int, rng *rand.Rand) (*Result, error)) (*Result, error) {
	var best *Result
	for start := range p.cfg.Starts {
		r, err := run(start, rand.New(rand.NewPCG(p.cfg.Seed, uint64(start))))
		if err != nil {
			return nil, fit.InStart(err, "constrained", start)
		}
		if r.Start = start; best == nil || r.Objective < best.Objective {
			best = r
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	best.Sizes = make([]int, p.k)
	for _, c := range best.Labels {
		best.Sizes[c]++
	}
	best.Clashing, best.Violated = p.clashing, link.Violated(best.Labels, p.cfg.Links)
	return best, nil
}

// better keeps a partition if it is the best of its start so far, and reports whether it is.
func (r *Result) better(labels []int32, centers []float64, d int, objective float64) bool {
	best := len(r.Trace) == 0 || objective < r.Objective
	if best {
		r.Objective = objective
		r.Labels = append(r.Labels[:0], labels...)
		r.Centers = dataset.Matrix{Rows: len(centers) / d, Cols: d,
			F64: append(r.Centers.F64[:0], centers...)}
	}
	r.Trace = append(r.Trace, objective)
	return best
}
