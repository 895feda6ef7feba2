package eknn

import (
	"fmt"
	"math"

	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
)

// Config reports how to fit. The zero value of every field is a documented default.
type Config struct {
	// Neighbours is K, how many nearest neighbours speak for the cluster of an object. 0: 3√n, as
	// in kevclus-2016 §4.1. At most n−1 are taken. More make fewer and larger clusters.
	Neighbours int

	// Quantile of the dissimilarities to neighbours, above 0 and at most 1, gives their scale 1/γ:
	// a neighbour at dissimilarity d counts as a piece of evidence of mass α = exp(−γ·d^Power). 0:
	// 0.95, as in kevclus-2016 §4.1.
	Quantile float64
	Power    float64 // of dissimilarities, their quantile included. 0: 1

	// Initial is the number of clusters that objects are dealt out to at random at first. 0: n up
	// to [AllInitialUpTo] objects, each a cluster of its own, and as many as that above.
	Initial int

	// Starts is how often to start afresh; the least energy wins, the earliest among equals. 0: 10.
	Starts int

	MaxSweeps int    // of a start, each looking at every object once. 0: 1000
	Seed      uint64 // chooses the random numbers
	Threads   int    // 0: one a processor. It never changes the result

	// Progress, unless nil, hears the share of the work that is done, from 0 to 1, never from two
	// goroutines at once.
	Progress func(share float64)
}

// AllInitialUpTo is the number of objects up to which each is a cluster of its own at first.
const AllInitialUpTo = 1000

// Result is a partition of n objects.
type Result struct {
	Labels   []int32 // cluster of each object, from 0
	Clusters int     // c

	// Credal has for each object the mass function that its K neighbours amount to, on the clusters
	// alone and the frame; cluster k+1 is label k. nil where there are more clusters than
	// belief.MaxClusters.
	Credal *credal.Partition

	// Energy is −Σ w_ij over pairs in one cluster, of the network that the iteration runs down: the
	// less, the more plausible is the partition.
	Energy float64
	// the energy before the first sweep and after each, of the start that won; it never rises
	Trace []float64

	Sweeps    int  // of the start that won
	Converged bool // whether its last sweep changed no label
	Start     int  // which won, from 0
	Starts    []float64

	Neighbours int     // K, as given or chosen
	Scale      float64 // 1/γ
}

func (c Config) withDefaults(n int) Config {
	if c.Neighbours == 0 {
		c.Neighbours = int(math.Ceil(3 * math.Sqrt(float64(n))))
	}
	c.Neighbours = min(c.Neighbours, n-1)
	if c.Quantile == 0 {
		c.Quantile = 0.95
	}
	if c.Power == 0 {
		c.Power = 1
	}
	if c.Initial == 0 {
		c.Initial = AllInitialUpTo
	}
	c.Initial = min(c.Initial, n)
	if c.Starts == 0 {
		c.Starts = 10
	}
	if c.MaxSweeps == 0 {
		c.MaxSweeps = 1000
	}
	return c
}

func (c Config) check(n int) error {
	bad := func(fix, problem string, args ...any) error {
		return &fault.Input{Problem: fmt.Sprintf(problem, args...), Fix: fix}
	}
	switch {
	case n == 0:
		return bad("give at least one", "there are no objects to cluster")
	case c.Neighbours < 0 || c.Initial < 0 || c.Starts < 0 || c.MaxSweeps < 0:
		return bad("give numbers of 0 or more",
			"neighbours, initial clusters, starts and sweeps cannot be negative")
	case !(c.Quantile >= 0 && c.Quantile <= 1):
		return bad("give a number above 0 and at most 1, such as 0.95",
			"a quantile of %g cannot be used", c.Quantile)
	case !(c.Power >= 0 && c.Power <= 16):
		return bad("give a number above 0, such as 1 or 2", "a power of %g cannot be used", c.Power)
	}
	return nil
}
