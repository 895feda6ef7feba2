package bayes

import (
	"cmp"
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/prototypes"
	"github.com/kindred-go/kindred/internal/words"
)

// Config holds the parameters of [Fit]. Only Clusters must be set; the zero value of every other
// field is a documented default. Of what it embeds:
//
//   - Starts is 1 by default, and always where rows of all classes are known, as nothing is drawn
//     then. The start of greatest log-posterior is kept, the earliest among equals.
//   - MaxIterations is 200 by default.
//   - Tolerance stops a start once an iteration raises the log-posterior by at most this much a
//     row. 0: 10⁻⁶. Negative: only when it stays as it is.
//   - Known classes are below Clusters. Links mean nothing.
type Config struct {
	fit.Options
	fit.Limits
	fit.Knowledge

	// Clusters is the number of classes k, known and unknown ones, from 1 to the number of distinct
	// rows.
	Clusters int

	// Likelihood is what the values of a row are drawn by, given its class. 0: Gaussian.
	Likelihood Likelihood

	// Smoothing is added to the count of each column in each class, where values are counts;
	// otherwise it is how many rows the variance that is usual within classes counts for, beside
	// those of each class; see [Fit]. 0: 1. From 10⁻³⁰ to 10¹².
	Smoothing float64

	// UnlabelledWeight is what a row of unknown class counts beside 1 for a row of known class,
	// above 0: λ of Nigam et al., section 5.3.1. It means nothing where no class is known. From
	// 10⁻³⁰ to 10¹². 0: of 10⁻⁶, 0.001, 0.01, 0.03, 0.1, 0.3 and 1 the one under which rows of
	// known class predict each other best; 1 where a class is not known of any row, or none of two.
	UnlabelledWeight float64
}

// Likelihood names what the values of a row are drawn by.
type Likelihood int

const (
	Gaussian Likelihood = iota // each column from a normal distribution of the class
	// values are counts, or weights not below 0, of things drawn from a distribution over the
	// columns
	Multinomial
)

var likelihoods = words.Enum[Likelihood]{Type: "Likelihood",
	Words: []string{"gaussian", "multinomial"}}

// String returns gaussian or multinomial.
func (l Likelihood) String() string { return likelihoods.Name(l) }

// Result is what was learnt from n rows of d values.
type Result struct {
	// n×k: the posterior probability of each class, 1 for the class that is known
	Memberships []float64
	// the class that is known, or else the most probable one, the lowest among equals
	Labels       []int32
	Model        *Model    // what Memberships follow from
	LogPosterior float64   // equation 9 of [Model], up to a constant
	Trace        []float64 // of each iteration

	// of a row of unknown class, as given or chosen
	UnlabelledWeight float64

	Iterations int // of the start that was kept
	// fit.Converged: the log-posterior stayed; fit.Tolerance or fit.IterationLimit
	Stopped fit.Reason
	Start   int // the start that was kept, from 0
}

func (c Config) withDefaults() Config {
	c.Smoothing = cmp.Or(c.Smoothing, 1)
	c.Limits = c.Limits.Or(fit.Limits{Starts: 1, MaxIterations: 200, Tolerance: 1e-6})
	return c
}

// Smoothing and weights of rows lie between these: beyond, sums overflow or vanish.
const (
	least = 1e-30
	most  = 1e12
)

// check refuses a configuration that cannot fit the data, and data that cannot be fitted.
func (c Config) check(ctx context.Context, data dataset.Matrix) error {
	if err := data.CheckSize("data"); err != nil {
		return err
	}
	if err := cmp.Or(fit.CheckClusters("classes", c.Clusters, data.Rows),
		c.Limits.Check(),
		c.CheckKnown("classes", c.Clusters, data.Rows)); err != nil {
		return err
	}
	switch {
	case c.Likelihood < Gaussian || c.Likelihood > Multinomial:
		return fault.Inputf("", "unknown likelihood, %v", c.Likelihood)
	case !(c.Smoothing >= least && c.Smoothing <= most):
		return fault.Inputf("give a number above 0, such as 1", "the smoothing is %g",
			c.Smoothing)
	case c.UnlabelledWeight != 0 &&
		!(c.UnlabelledWeight >= least && c.UnlabelledWeight <= most):
		return fault.Inputf("give a number above 0, mostly of at most 1",
			"rows of unknown class weigh %g", c.UnlabelledWeight)
	}
	if err := values(ctx, data, c.Likelihood); err != nil {
		return err
	}
	return prototypes.Check(ctx, data, c.Clusters)
}

// largest is the largest value that is taken: sums of squares do not overflow, whatever a row
// weighs.
const largest = 1e140

// values refuses those that cannot be drawn by the likelihood.
func values(ctx context.Context, data dataset.Matrix, by Likelihood) error {
	for i := range data.Rows {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for j := range data.Cols {
			v := data.At(i, j)
			switch {
			case v-v != 0:
				return dataset.NotFinite(i, j, v)
			case by == Multinomial && v < 0:
				return &fault.Input{Row: i + 1, Column: fmt.Sprint(j + 1),
					Problem: fmt.Sprintf(
						"the multinomial likelihood takes counts, and the value %g is below 0", v),
					Fix: "use the gaussian likelihood, or give counts, unscaled"}
			case v > largest || v < -largest:
				return &fault.Input{Row: i + 1, Column: fmt.Sprint(j + 1),
					Problem: fmt.Sprintf("sums of squares of the value %g may overflow", v),
					Fix:     "scale the columns, for example to 0..1"}
			}
		}
	}
	return nil
}
