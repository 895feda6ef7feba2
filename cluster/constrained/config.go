package constrained

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/prototypes"
	"github.com/kindred-go/kindred/link"
)

// Config is what all methods of this package take. Only Clusters must be set; the zero value of
// every other field is a documented default.
type Config struct {
	// Clusters is the number of clusters k, from 1 to the number of distinct rows.
	Clusters int

	// Starts is the number of times to start afresh, each with random numbers of its own; the
	// partition with the least objective is kept, the earliest among equals. 0: 5 of methods that
	// learn from links, whose starts come to different ends more often, for up to 20 000 rows;
	// otherwise 1.
	Starts int

	// MaxIterations bounds the iterations of a start. 0: 100.
	MaxIterations int

	// Contradictions says what becomes of links that contradict each other: refused, or kept, to
	// weigh against each other where a method weighs links (COP-k-means leaves those out that
	// contradict earlier ones).
	Contradictions link.Policy

	Seed    uint64 // chooses the random numbers
	Threads int    // 0: one a processor. It never changes the result

	// Progress, unless nil, is called after every iteration with the share of the work done, from 0
	// to 1, were every start to take all its iterations. The fit waits for it.
	Progress func(share float64)
}

// Result is a partition of n rows of d values into at most k clusters: of the iterations of a
// start, the one with the least objective, and of the starts that with the least.
type Result struct {
	Labels    []int32        // cluster of each row, from 0
	Centers   dataset.Matrix // k×d, float64
	Sizes     []int          // rows in each cluster; a cluster may be empty
	Objective float64        // what the method minimises, of Labels and Centers as they stand
	Violated  []link.Link    // links that the partition breaks, in the order given

	Iterations int           // of the winning start
	Stopped    kmeans.Reason // Converged: the labels repeated. Otherwise IterationLimit
	Trace      []float64     // the objective of each partition seen, of the winning start
	Start      int           // which start won, from 0

	Clashing []*link.Contradiction // links that contradict earlier ones
}

// severalBelow is the number of rows up to which several starts are the default.
const severalBelow = 20_000

// withDefaults puts the documented default in place of each zero, for a method that learns from
// links.
func (c Config) withDefaults(n int) Config {
	if c.Starts == 0 {
		c.Starts = 1
		if n <= severalBelow {
			c.Starts = 5
		}
	}
	if c.MaxIterations == 0 {
		c.MaxIterations = 100
	}
	return c
}

// check refuses a configuration that cannot fit the data, and data that cannot be fitted.
func (c Config) check(ctx context.Context, data dataset.Matrix) error {
	switch {
	case c.Clusters < 1:
		return &fault.Input{Problem: fmt.Sprintf("%d clusters asked for", c.Clusters),
			Fix: "ask for at least 1"}
	case c.Clusters > data.Rows:
		return &fault.Input{Problem: fmt.Sprintf("%d clusters asked for and only %d rows given",
			c.Clusters, data.Rows),
			Fix: fmt.Sprintf("ask for at most %d", data.Rows)}
	case c.Starts < 0:
		return &fault.Input{Problem: fmt.Sprintf("%d starts asked for", c.Starts),
			Fix: "ask for at least 1, or 0 for the default"}
	case c.MaxIterations < 0:
		return &fault.Input{Problem: fmt.Sprintf("at most %d iterations asked for",
			c.MaxIterations), Fix: "ask for at least 1, or 0 for the default"}
	case c.Contradictions > link.Keep:
		return &fault.Input{Problem: fmt.Sprintf("unknown policy for contradictions, %d",
			c.Contradictions)}
	}
	return prototypes.Check(ctx, data, c.Clusters)
}

// fitStarts starts as often as asked for and keeps the result of least objective.
func fitStarts(ctx context.Context, cfg Config,
	fit func(start int, rng *rand.Rand) (*Result, error)) (*Result, error) {
	var best *Result
	for start := range cfg.Starts {
		r, err := fit(start, rand.New(rand.NewPCG(cfg.Seed, uint64(start))))
		if fault.IsInput(err) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("constrained: interrupted in start %d: %w", start+1, err)
		}
		if r.Start = start; best == nil || r.Objective < best.Objective {
			best = r
		}
	}
	best.Sizes = make([]int, cfg.Clusters)
	for _, c := range best.Labels {
		best.Sizes[c]++
	}
	return best, ctx.Err()
}

// tell reports progress after an iteration, counted from 1.
func (c Config) tell(start, iteration int) {
	if c.Progress != nil {
		c.Progress((float64(start) +
			float64(min(iteration, c.MaxIterations))/float64(c.MaxIterations)) / float64(c.Starts))
	}
}

// better keeps a partition if it is the best of its start so far.
func (r *Result) better(labels []int32, centers []float64, d int, objective float64) {
	if len(r.Trace) == 0 || objective < r.Objective {
		r.Objective = objective
		r.Labels = append(r.Labels[:0], labels...)
		r.Centers = dataset.Matrix{Rows: len(centers) / d, Cols: d,
			F64: append(r.Centers.F64[:0], centers...)}
	}
	r.Trace = append(r.Trace, objective)
}

// violated returns the links that labels break.
func violated(labels []int32, links []link.Link) []link.Link {
	var out []link.Link
	for _, l := range links {
		if same := labels[l.A] == labels[l.B]; l.Kind == link.MustLink && !same ||
			l.Kind == link.CannotLink && same {
			out = append(out, l)
		}
	}
	return out
}
