package competitive

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/link"
)

// FitConfig holds the parameters of [Fit]. Its fields mean what those of [fit.Options],
// [fit.Limits] and [fit.Knowledge] mean; the seed and the policy for contradictions are fields of
// Config, which states keep as JSON. What Config has about memory means nothing to a fit.
type FitConfig struct {
	Config

	Links  []link.Link // between rows from 0; of several for one pair the last counts
	Epochs int         // passes over the rows; 0: 100
	// Starts is the number of starts, of which the one with the least Objective is kept, the first
	// on a tie; at most 65536; 0: 1.
	Starts int
	// Threads is the number of starts that run at the same time, and of goroutines that label. 0:
	// one per processor. It never changes the result.
	Threads int

	// InitialPrototypes, k×d, is where every start begins, instead of by Init.
	InitialPrototypes dataset.Matrix

	// InOrder presents rows as they lie, as a stream would. Otherwise every epoch has an order of
	// its own, drawn at random.
	InOrder bool

	// Progress, if set, is called after every epoch, by one goroutine at a time: an iteration is an
	// epoch of any start.
	Progress func(fit.Progress)
}

// Result is what [Fit] learnt.
type Result struct {
	Labels     []int32        // the nearest prototype of each row, from 0
	Prototypes dataset.Matrix // k×d, float64
	Wins       []float64      // competitions won, a prototype; see Snapshot
	// sum of the squared distances of rows to the nearest prototype, in its metric
	Objective float64
	// the same for each epoch, of rows as they were presented, before each was learnt
	Trace []float64

	// Active reports which prototypes are nearest to at least ActiveShare/k of the rows.
	Active []bool

	Violated []link.Link           // must-links between labels, cannot-links within one
	Clashing []*link.Contradiction // links that contradict others, and were kept
	Starts   []StartResult         // in order
	Start    int                   // the start that was kept, from 0
	Seconds  float64               // that learning took, of all starts together

	// Metric, and for Diagonal and Full the factor W of each prototype's M = WᵀW: k×d, or k lower
	// triangles row by row.
	Metric fit.Metric
	Roots  []float64
}

// StartResult is what one start came to.
type StartResult struct {
	Labels    []int32
	Objective float64
}

// Fit learns the rows of data, which it does not change, in several epochs. Links that contradict
// each other are a [*link.Contradiction] unless Contradictions is [link.Keep]; each row is
// presented with the links given, not with what they entail.
//
// It holds 4 bytes a row for labels of each start, and for each start under way 4 for the order,
// and 4 more under links. When ctx is done it returns ctx's error. Configurations, data and links
// that cannot be are a [*fault.Input].
func Fit(ctx context.Context, data dataset.Matrix, cfg FitConfig) (*Result, error) {
	cfg.Config = cfg.withDefaults()
	cfg.Epochs = cmp.Or(cfg.Epochs, 100)
	cfg.Starts = cmp.Or(cfg.Starts, 1)
	if err := cfg.check(data); err != nil {
		return nil, err
	}
	_, clashing, err := link.Build(data.Rows, cfg.Links, cfg.Contradictions)
	if err != nil {
		return nil, err
	}
	pass := &pass{data: data, cfg: cfg}
	if cfg.Rule.links() {
		pass.ties = newTies(data, cfg.Links)
	}
	runs := make([]run, cfg.Starts)
	var mu sync.Mutex
	done := 0
	report := func() {
		if cfg.Progress != nil {
			mu.Lock()
			defer mu.Unlock()
			done++
			all := cfg.Starts * cfg.Epochs
			cfg.Progress(fit.Progress{Share: float64(done) / float64(all), Iteration: done,
				MaxIterations: all})
		}
	}
	// A start that fails keeps its error, so that which is reported does not depend on threads.
	if err := parallel.Blocks(ctx, cfg.Starts, 1, cfg.Threads, func(start, _, _ int) {
		runs[start] = pass.learn(ctx, start, report)
	}); err != nil {
		return nil, fmt.Errorf("competitive: interrupted while learning: %w", err)
	}
	r := &Result{Clashing: clashing, Metric: cfg.Metric}
	best := -1
	for start, run := range runs {
		if run.err != nil {
			return nil, run.err
		}
		labels, objective, err := label(ctx, run.end, data, cfg.Threads)
		if err != nil {
			return nil, fmt.Errorf("competitive: interrupted while labelling: %w", err)
		}
		r.Seconds += run.seconds
		r.Starts = append(r.Starts, StartResult{labels, objective})
		if best < 0 || objective < r.Starts[best].Objective {
			best = start
		}
	}
	r.keep(best, runs[best], cfg)
	r.Violated = link.Violated(r.Labels, link.Latest(cfg.Links))
	return r, nil
}

// keep takes over what one start came to.
func (r *Result) keep(start int, run run, cfg FitConfig) {
	r.Start, r.Labels, r.Objective, r.Trace = start, r.Starts[start].Labels,
		r.Starts[start].Objective, run.trace
	r.Prototypes, r.Wins = run.end.Prototypes, run.end.Wins
	r.Roots = run.end.roots()
	counts := make([]int64, cfg.Clusters)
	for _, l := range r.Labels {
		counts[l]++
	}
	r.Active = shared(counts, cfg.ActiveShare)
}

// check refuses what cannot be learnt.
func (c FitConfig) check(data dataset.Matrix) error {
	if err := c.Config.Check(data.Cols); err != nil {
		return err
	}
	p := c.InitialPrototypes
	switch {
	case c.Epochs < 0:
		return fault.Inputf("ask for at least 1, or 0 for 100", "%d epochs asked for", c.Epochs)
	case c.Starts < 0 || c.Starts > mostStarts:
		return fault.Inputf(fmt.Sprintf("ask for 1 to %d, or 0 for 1", mostStarts),
			"%d starts asked for",
			c.Starts)
	case p.Rows != 0 && (p.Rows != c.Clusters || p.Cols != data.Cols):
		return fault.Inputf("give one row for each cluster, one column for each feature",
			"the initial prototypes are %d×%d where %d×%d are needed", p.Rows, p.Cols, c.Clusters,
			data.Cols)
	case int64(data.Rows) >= 1<<31:
		return fault.Inputf("take a sample", "%d rows are too many for one fit", data.Rows)
	}
	if p.Rows != 0 {
		if err := whole(p); err != nil {
			return err
		}
	}
	return whole(data)
}

// label labels all rows, and sums their squared distances.
func label(ctx context.Context, s *Snapshot, data dataset.Matrix, threads int) (labels []int32,
	objective float64, err error) {
	const size = 512 // rows in a sum
	step := between(len(s.Prototypes.F64)+len(s.roots()), size)
	labels = make([]int32, data.Rows)
	objective, err = parallel.Sum(ctx, data.Rows, size, threads, func(lo, hi int) (sum float64) {
		row := make([]float64, 0, data.Cols)
		for i := lo; i < hi; i++ {
			if i%step == 0 && ctx.Err() != nil {
				return sum
			}
			row = data.AppendRow(row[:0], i)
			near := s.rank(row)
			labels[i] = near.first
			sum += near.near
		}
		return sum
	})
	return labels, objective, err
}

// Predict labels rows by the nearest prototype, as Fit does. Data needs as many columns as the
// prototypes have. Threads ≤ 0 means one per processor. Only Prototypes, Metric and Roots are used.
func (r *Result) Predict(ctx context.Context, data dataset.Matrix, threads int) ([]int32, error) {
	s, err := r.model()
	if err != nil {
		return nil, err
	}
	if data.Rows == 0 {
		return []int32{}, nil
	}
	if err := data.CheckCols("prototypes", r.Prototypes.Cols); err != nil {
		return nil, err
	}
	if err := whole(data); err != nil {
		return nil, err
	}
	labels, _, err := label(ctx, s, data, threads)
	if err != nil {
		return nil, fmt.Errorf("competitive: interrupted while labelling: %w", err)
	}
	return labels, nil
}
