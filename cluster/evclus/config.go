package evclus

import (
	"cmp"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// Transform turns a dissimilarity d into the conflict δ in [0, 1] that it calls for.
type Transform uint8

// The transforms.
const (
	Exponential Transform = iota // δ = 1 − exp(−γ d²), γ = −ln α / d0² (kevclus-2016 eqs. 14, 15)
	Linear                       // δ = min(1, d/d0)
	// δ = share of the dissimilarities used that are below d, equal ones counted half, to 1/4096:
	// for ordinal ones; d0 means nothing
	Rank
)

// Stress is the criterion that is minimised.
type Stress uint8

// The criteria.
const (
	Conflict Stress = iota // η Σ (κ − δ)² (kevclus-2016 eqs. 12, 22)
	Sammon                 // (1/Σd) Σ (aκ + b − d)²/d with a and b free (cevclus-2013 eq. 13)
)

// Optimizer is how it is minimised.
type Optimizer uint8

// The optimisers.
const (
	IRQP     Optimizer = iota // row by row, a quadratic programme each (kevclus-2016 Algorithm 1)
	Gradient                  // on softmax parameters with a step size each (cevclus-2013 App. A)
)

// Start is where a fit begins.
type Start uint8

// The starts.
const (
	// from medoids of samples, other ones for each start; random masses after the first where the
	// sample is all objects
	Medoids Start = iota
	Random        // random masses
	// Config.Initial, then random masses; of a descent by gradients under links the random ones are
	// fitted under the links alone
	Given
)

// Constraints is how links enter the fit.
type Constraints uint8

// The ways.
const (
	// Propagate where some of the links predict the others better than the fit without links does,
	// otherwise Soft
	Choose    Constraints = iota
	Anchor                // from the fit without links, only the linked rows move
	Propagate             // each end lends its link to its neighbours, and all rows move
	// the paper's: all rows move under ξ/(2L) a link (cevclus-2013 eq. 19)
	Penalty
	// as Anchor, by weights under which rows stay that are far from all other clusters
	Soft
)

// D0 is the dissimilarity from which two objects plausibly belong to different clusters
// (kevclus-2016 eq. 15). The zero value is the 0.9 quantile of the dissimilarities used, or what
// Auto makes it where that is smaller and there are more than 8 clusters, or it is less than half.
type D0 struct {
	Value    float64 // > 0: this dissimilarity
	Quantile float64 // in (0, 1], where Value is 0: a quantile of the dissimilarities used
	Auto     bool    // chosen so that the mean δ agrees with the sizes of the starting clusters
}

// Config is how to fit. Every zero value is the documented default; only Clusters is needed.
type Config struct {
	Clusters int          // c, from 2 to n and at most 63
	Focal    []belief.Set // nil: ∅, singletons, Ω
	// K > 0: then refit with the pairs that are mutual K nearest clusters (kevclus-2016 §5); 0: no
	// second step
	Pairs    int
	Partners int // k: partners a row (k-EVCLUS); 0: all pairs (EVCLUS); n−1 or more: n−1

	D0        D0
	Tail      float64 // α in (0, 1): δ(d0) = 1 − α; 0: 0.05
	Transform Transform
	Stress    Stress
	Optimizer Optimizer

	// Constraints is how the links enter. Their plausibilities count (soft links).
	Constraints Constraints
	LinkWeight  float64 // ξ, the weight of the links; 0: 1
	fit.Knowledge

	Start   Start // Medoids by default
	Initial *credal.Partition
	// Limits: Starts 0: 1; the lowest objective wins, the first on a tie. MaxIterations bounds the
	// sweeps, or gradient steps, of a start and step; 0: 1000. Tolerance is ε; 0: 1e-5.
	fit.Limits

	// Consume allows a dissim.Dense source to be overwritten, so that there is one matrix in
	// memory; links that propagate then see it through the transform.
	Consume bool
	// Options: Progress counts sweeps, and Share is an estimate.
	fit.Options
}

// check refuses a configuration that cannot fit n objects.
func (c Config) check(n int) error {
	switch {
	case n < 3:
		return fault.Inputf("give more",
			"%d objects are too few for an evidential partition: there must be 3 or more", n)
	case c.Clusters < 2:
		return fault.Inputf("ask for 2 or more", "%d clusters leave nothing to separate",
			c.Clusters)
	case c.Clusters > n:
		return fault.Inputf(fmt.Sprintf("ask for %d or fewer", n),
			"%d clusters cannot be found among %d objects", c.Clusters, n)
	case c.Clusters > belief.MaxClusters:
		return fault.Inputf(fmt.Sprintf("ask for %d or fewer", belief.MaxClusters),
			"%d clusters are too many", c.Clusters)
	case c.Partners < 0:
		return fault.Inputf("give 1 or more, or 0 for all pairs", "%d partners cannot be drawn",
			c.Partners)
	case !(c.D0.Value >= 0) || math.IsInf(c.D0.Value, 1):
		return badD0(c.D0.Value)
	case !(c.D0.Quantile >= 0 && c.D0.Quantile <= 1):
		return fault.Inputf("give a number from 0 to 1, such as 0.9",
			"a quantile of %g cannot be used", c.D0.Quantile)
	case !(c.Tail >= 0 && c.Tail < 1):
		return fault.Inputf("give a number between 0 and 1, such as 0.05",
			"a tail of %g cannot be used", c.Tail)
	case !(c.LinkWeight >= 0) || math.IsInf(c.LinkWeight, 1):
		return fault.Inputf("give a number above 0, such as 1",
			"a weight of links of %g cannot be used", c.LinkWeight)
	case !(c.Tolerance >= 0 && c.Tolerance < 1):
		return fault.Inputf("give a number between 0 and 1, such as 1e-5",
			"a tolerance of %g cannot be used", c.Tolerance)
	case c.Pairs < 0:
		return fault.Inputf("give a number of 0 or more", "pairs cannot be negative")
	case c.Transform > Rank || c.Stress > Sammon || c.Optimizer > Gradient ||
		c.Start > Given || c.Constraints > Soft:
		return fault.Inputf("use the constants of this package",
			"a transform, stress, optimiser, start or way of links is unknown")
	case c.Stress == Sammon && c.Optimizer != Gradient:
		return fault.Inputf("minimise it by gradients (--optimizer gradient), or take the "+
			"conflict stress",
			"the Sammon stress has no row programmes: its scale a and shift b are free")
	case c.Optimizer == Gradient && c.Constraints != Choose && c.Constraints != Penalty:
		return fault.Inputf("leave the way of links out, or fit row by row (--optimizer irqp)",
			"gradients take links as penalties alone")
	}
	return c.Limits.Check()
}

// withDefaults puts the documented default in place of each zero.
func (c Config) withDefaults() Config {
	c.Tail = cmp.Or(c.Tail, 0.05)
	c.LinkWeight = cmp.Or(c.LinkWeight, 1)
	c.Limits = c.Limits.Or(fit.Limits{Starts: 1, MaxIterations: 1000, Tolerance: 1e-5})
	return c
}

func badD0(d0 float64) error {
	return fault.Inputf("give a number above 0, or a quantile from 0 to 1 at which "+
		"dissimilarities are above 0",
		"d0 is %g: it is the dissimilarity from which objects belong to different clusters", d0)
}
