package kmeans

import (
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// LCVQEConfig holds the parameters of [FitLCVQE]. Only Clusters must be set; the zero value of
// every other field is a documented default. Of what it embeds:
//
//   - Starts is 1 by default, and always where Prototypes are given.
//   - MaxIterations is 100 by default. Tolerance means nothing.
//   - Links that contradict each other are all kept under [link.Keep], and weigh against each
//     other. Known classes mean nothing.
type LCVQEConfig struct {
	fit.Options
	fit.Limits
	fit.Knowledge

	// Clusters is the number of prototypes k, from 1 to the number of distinct rows.
	Clusters int

	// Prototypes, k×d, are where the iteration starts, instead of Init.
	Prototypes dataset.Matrix

	// Init chooses how initial prototypes are drawn. 0: PrototypesPlusPlus.
	Init LCVQEInit
}

// LCVQEInit names a way to draw initial prototypes.
type LCVQEInit int

const (
	// k-means++ (k-means‖ for many rows), as [Fit] does by [InitAuto]
	PrototypesPlusPlus LCVQEInit = iota
	// from the normal distribution with the mean and covariance of a fifth of the rows, as in
	// competitive-learning-2013 §IV
	PrototypesGaussian
	PrototypesSample // k distinct rows
)

var lcvqeInits = words.Enum[LCVQEInit]{Type: "LCVQEInit",
	Words: []string{"plusplus", "gaussian", "sample"}}

// String returns plusplus, gaussian or sample.
func (i LCVQEInit) String() string { return lcvqeInits.Name(i) }

// LCVQEResult is a partition of n rows of d values into at most k clusters: of all that the
// iteration has seen, the one of least objective.
//
// Labels and Objective are those of Prototypes: a row is in the cluster of the prototype
// nearest to it, unless a link has moved it. Where the labels repeated at once after the best
// partition the prototypes are also what equations A.4 to A.6 make of it.
type LCVQEResult struct {
	Labels     []int32        // cluster of each row, from 0
	Prototypes dataset.Matrix // k×d, float64
	Sizes      []int          // rows in each cluster; a cluster may be empty
	// J, equation A.1: half the sum of squared distances, and what violated links cost
	Objective float64
	Moved     int         // rows that a link has put elsewhere than their nearest prototype
	Violated  []link.Link // links that the partition breaks, in the order given

	Iterations int        // of the start that was kept
	Best       int        // iteration whose partition this is, from 1, of the start that was kept
	Stopped    fit.Reason // Converged: the labels repeated. Otherwise IterationLimit
	// J of each partition seen, to about ten digits; one more than Iterations after IterationLimit
	Trace []float64

	Start    int                   // the start that was kept, from 0
	Starts   []LCVQEStart          // what each start came to, in order
	Clashing []*link.Contradiction // links that contradict earlier ones; kept all the same
	Seconds  float64               // of the iterations of all starts, drawing prototypes aside
}

// LCVQEStart is what one start came to.
type LCVQEStart struct {
	Labels     []int32
	Objective  float64
	Violated   int // links
	Iterations int
}

// Predict returns for each row of data the nearest of the prototypes, the lowest among equals;
// links play no part. Data needs as many columns as the prototypes have. Threads ≤ 0 means one per
// processor. Only Prototypes is used.
func (r *LCVQEResult) Predict(ctx context.Context, data dataset.Matrix, threads int) ([]int32,
	error) {
	return (&Result{Centers: r.Prototypes}).Predict(ctx, data, threads)
}

// withDefaults puts the documented default in place of each zero.
func (c LCVQEConfig) withDefaults() LCVQEConfig {
	c.Limits = c.Limits.Or(fit.Limits{Starts: 1, MaxIterations: 100})
	if c.Prototypes.Rows > 0 {
		c.Starts = 1
	}
	return c
}

// check refuses a configuration that cannot fit n rows of d values.
func (c LCVQEConfig) check(n, d int) error {
	if c.Init < PrototypesPlusPlus || c.Init > PrototypesSample {
		return fault.Inputf("", "unknown way to start, %v", c.Init)
	}
	return Config{Clusters: c.Clusters, Centers: c.Prototypes, Limits: c.Limits}.check(n, d)
}
