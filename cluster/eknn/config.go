package eknn

import (
	"cmp"
	"math"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// Config is how to fit. The zero value works.
type Config struct {
	fit.Options

	// Starts is 10 by default, and MaxIterations, which bounds the sweeps of a start, 1000: each
	// looks at every object once. Tolerance means nothing.
	fit.Limits

	// Neighbours is K, how many nearest neighbours vote for the cluster of an object. 0: 3√n, as
	// in kevclus-2016 §4.1. At most n−1 are taken. More make fewer and larger clusters.
	Neighbours int

	// Quantile is the quantile of the dissimilarities to neighbours, above 0 and at most 1, that is
	// their scale 1/γ: a neighbour at dissimilarity d counts as a piece of evidence of mass α =
	// exp(−γ·d^Power). 0: 0.95, as in kevclus-2016 §4.1.
	Quantile float64

	// Power is the exponent of dissimilarities, their quantile included, above 0 and at most 16.
	// 0: 1.
	Power float64

	// Initial is the number of clusters that objects are dealt out to at random at first. 0: up to
	// 1000 objects each is a cluster of its own, and above that there are 1000 clusters.
	Initial int
}

// allInitialUpTo is the number of objects up to which each is a cluster of its own at first.
const allInitialUpTo = 1000

func (c Config) withDefaults(n int) Config {
	c.Neighbours = cmp.Or(c.Neighbours, int(math.Ceil(3*math.Sqrt(float64(n)))))
	c.Neighbours = min(c.Neighbours, n-1)
	c.Quantile = cmp.Or(c.Quantile, 0.95)
	c.Power = cmp.Or(c.Power, 1)
	c.Initial = min(cmp.Or(c.Initial, allInitialUpTo), n)
	c.Limits = c.Limits.Or(fit.Limits{Starts: 10, MaxIterations: 1000})
	return c
}

func (c Config) check(n int) error {
	switch {
	case n == 0:
		return fault.Inputf("give at least one", "there are no objects to cluster")
	case c.Neighbours < 0 || c.Initial < 0:
		return fault.Inputf("give numbers of 0 or more",
			"neighbours and initial clusters cannot be negative")
	case !(c.Quantile >= 0 && c.Quantile <= 1):
		return fault.Inputf("give a number above 0 and at most 1, such as 0.95",
			"a quantile of %g cannot be used", c.Quantile)
	case !(c.Power >= 0 && c.Power <= 16):
		return fault.Inputf("give a number above 0, such as 1 or 2",
			"a power of %g cannot be used", c.Power)
	}
	return c.Limits.Check()
}
