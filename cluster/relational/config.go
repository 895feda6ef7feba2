package relational

import (
	"cmp"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/words"
)

// Config is how to fit. Only Clusters must be set.
type Config struct {
	fit.Options

	// Starts is 5 by default up to 2000 objects, else 1, MaxIterations 300 and Tolerance 1e-5: a
	// start stops when no membership changes by more.
	fit.Limits

	// Clusters is the number of clusters c, from 1 to the number of objects that differ.
	Clusters int

	// Fuzziness is the exponent m of memberships, above 1. 0: 2.
	Fuzziness float64

	// Squared means that dissimilarities are squared distances as they are: R = [δ] instead of
	// [δ²].
	Squared bool
}

// SSCARDConfig is how to fit by [FitSSCARD]. Only Clusters must be set. Fuzziness of Config is not
// used: m is 2.
type SSCARDConfig struct {
	Config

	// Links weigh against dissimilarities, and, where Contradictions is [link.Keep], against each
	// other. Known means nothing.
	fit.Knowledge

	// LinkWeight multiplies α, the weight of a violated link, and is above 0. 0: 1.
	LinkWeight float64

	// Discriminant is the exponent q of the weights of relations, above 1. The higher it is the
	// more alike weights are. 0: 2.
	Discriminant float64
}

func (c Config) withDefaults(n int) Config {
	starts := 1
	if n <= 2000 {
		starts = 5
	}
	c.Fuzziness = cmp.Or(c.Fuzziness, 2)
	c.Limits = c.Limits.Or(fit.Limits{Starts: starts, MaxIterations: 300, Tolerance: 1e-5})
	return c
}

// check refuses what cannot be fitted to n objects.
func (c Config) check(n int) error {
	above := func(v, least float64) bool { return v > least && !math.IsInf(v, 0) }
	switch {
	case n == 0:
		return fault.Inputf("give at least one", "there are no objects to cluster")
	case !above(c.Fuzziness, 1):
		return fault.Inputf("give a number above 1, such as 2", "the fuzziness is %g", c.Fuzziness)
	case !above(c.Tolerance, 0):
		return fault.Inputf("give a number above 0, such as 1e-5", "the tolerance is %g",
			c.Tolerance)
	}
	return cmp.Or(fit.CheckClusters("clusters", c.Clusters, n), c.Limits.Check())
}

// tooFew is the error where there are fewer objects, of a kind, than clusters.
func tooFew(clusters, objects int, kind string) error {
	return fault.Inputf(fmt.Sprintf("ask for at most %d", objects), "%s asked for among only %s",
		words.Count(clusters, "cluster"), words.Count(objects, kind))
}
