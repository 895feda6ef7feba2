package ecm

import (
	"cmp"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// pairsUpTo is the number of clusters up to which pairs are focal sets by default. This is ours:
// the papers take all sets where clusters are few.
const pairsUpTo = 5

// Config is how to fit. Only Clusters must be set.
type Config struct {
	fit.Options

	// Starts is 1 by default, and 5 for [FitRelational] and [FitMedian], which often end in poor
	// minima; it is taken as 1 where Centers or Medoids are given. MaxIterations is 1000, and
	// Tolerance 10⁻⁷: a start stops when the objective falls by less than this share of it twice
	// running.
	fit.Limits

	// Links are for [Fit], each weighed by its plausibility (ours); where Contradictions is
	// [link.Keep] they weigh against each other. Known means nothing.
	fit.Knowledge

	// Clusters is their number c, from 1 to the number of objects and to [belief.MaxClusters].
	Clusters int

	// Focal are the sets that masses go to, at most [belief.MaxFocal]; each cluster must be in one.
	// Without the empty set nothing is noise. nil: [belief.Pairs] up to 5 clusters (all sets where
	// there are at most 3), [belief.Simple] above.
	Focal []belief.Set

	// SetPenalty is the exponent α of |A|^α, by which larger sets cost more, at most 100. 0: 1; for
	// no penalty set a tiny number. [FitCredal] has none.
	SetPenalty float64

	// Fuzziness is the exponent β of masses, above 1 and at most 100; near 1 masses are almost
	// hard. 0: 2, and for [FitRelational] 1.5.
	Fuzziness float64

	// NoiseDistance is δ, in units of the data: objects much farther from all prototypes are noise.
	// 0: the 0.95 quantile of the distances between objects. kevclus-2016 §4.1 has this for δ² in
	// RECM; that the quantile is of squared distances is our reading, which has units, and that the
	// other methods take the same is ours.
	NoiseDistance float64

	// Barycentre is γ, what [FitCredal] weighs the distance to the barycentre of a set by, beside 1
	// for that to each of its clusters; and [FitMedian] the dissimilarity to the prototype of a
	// set, beside that to its nearest cluster. 0: 1, and for [FitMedian] 0.5.
	Barycentre float64

	// Spread is η of [FitMedian]: what the mean dissimilarity of a set's prototype to the medoids
	// weighs beside the variance of the two. 0: 1.
	Spread float64

	// Metric is, for [Fit], what clusters learn of how their columns vary. The zero value is
	// Euclidean: nothing.
	Metric fit.Metric

	// Shared makes all clusters learn one metric.
	Shared bool

	// LinkWeight is ξ, the share of the objective that is that of links, above 0 and below 1. 0:
	// 0.05. That is ours: at 0.5, as in the paper's experiments, the few rows that have links are
	// so sure of their clusters beside the others that they draw the centres to themselves. On wine
	// 5 to 20 links then make the partition worse than none; at 0.05 all links but a few are
	// honoured, too.
	LinkWeight float64

	// Squared means, for [FitRelational], that dissimilarities are squared distances.
	Squared bool

	// Consume lets [FitRelational] overwrite a [*dissim.Dense], which saves a copy.
	Consume bool

	// Centers, c×d, are the prototypes that [Fit] and [FitCredal] start from. Empty: drawn.
	Centers dataset.Matrix

	// Medoids, c different objects, are those that [FitRelational] and [FitMedian] start from. nil:
	// drawn.
	Medoids []int
}

// withDefaults puts the documented default in place of each zero, for a method with these of its
// own.
func (c Config) withDefaults(beta, barycentre float64, starts int) Config {
	c.SetPenalty = cmp.Or(c.SetPenalty, 1)
	c.Fuzziness = cmp.Or(c.Fuzziness, beta)
	c.Barycentre = cmp.Or(c.Barycentre, barycentre)
	c.Spread = cmp.Or(c.Spread, 1)
	c.LinkWeight = cmp.Or(c.LinkWeight, 0.05)
	c.Limits = c.Limits.Or(fit.Limits{Starts: starts, MaxIterations: 1000, Tolerance: 1e-7})
	if c.Centers.Rows > 0 || len(c.Medoids) > 0 {
		c.Starts = 1
	}
	return c
}

// check refuses a configuration that cannot fit n objects.
func (c Config) check(n int) error {
	finite := func(v float64) bool { return v-v == 0 }
	switch {
	case n == 0:
		return fault.Inputf("give at least one", "there are no objects to cluster")
	case c.Clusters > belief.MaxClusters:
		return fault.Inputf(fmt.Sprintf("ask for %d or fewer", belief.MaxClusters),
			"%d clusters are too many for a credal partition", c.Clusters)
	case !(c.SetPenalty >= 0 && c.SetPenalty <= 100):
		return fault.Inputf("give a number from 0 to 100, such as 1",
			"a set penalty of %g cannot be used", c.SetPenalty)
	case !(c.Fuzziness > 1 && c.Fuzziness <= 100):
		return fault.Inputf("give a number above 1 and at most 100, such as 2",
			"a fuzziness of %g cannot be used", c.Fuzziness)
	case !(c.NoiseDistance >= 0) || !finite(c.NoiseDistance):
		return fault.Inputf("give a distance above 0, or none for the default",
			"a noise distance of %g cannot be used", c.NoiseDistance)
	case !(c.Barycentre > 0) || !finite(c.Barycentre) || !(c.Spread > 0) || !finite(c.Spread):
		return fault.Inputf("give numbers above 0, such as 1",
			"weights of %g for the barycentre and %g for the spread cannot be used", c.Barycentre,
			c.Spread)
	case !(c.LinkWeight > 0 && c.LinkWeight < 1):
		return fault.Inputf("give a number between 0 and 1, such as 0.05",
			"a weight of links of %g cannot be used: it is the share of the objective that is "+
				"theirs", c.LinkWeight)
	case !(c.Tolerance > 0 && c.Tolerance < 1):
		return fault.Inputf("give a number between 0 and 1, such as 1e-7",
			"a tolerance of %g cannot be used", c.Tolerance)
	case c.Metric < fit.Euclidean || c.Metric > fit.Full ||
		c.Contradictions > link.Keep:
		return fault.Inputf("use the constants of their packages",
			"the metric or the policy for contradictions does not exist")
	}
	return cmp.Or(fit.CheckClusters("clusters", c.Clusters, n), c.Limits.Check())
}
