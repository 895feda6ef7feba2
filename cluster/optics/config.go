package optics

import (
	"cmp"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// DefaultMinPoints and DefaultXi are what zero values of [Config] stand for.
const (
	DefaultMinPoints = 10
	DefaultXi        = 0.2
)

// Extraction is how clusters are cut out of the order.
type Extraction uint8

const (
	Xi  Extraction = iota // by the steepness of the valleys of the reachability plot
	Eps                   // at one radius, as DBSCAN
)

// Config is how to fit. The zero value works.
type Config struct {
	fit.Options // nothing is drawn: Seed means nothing

	// MinPoints is the number of objects, itself among them, that a core object has within its core
	// distance, at least 2. 0: [DefaultMinPoints], or all objects where there are fewer.
	MinPoints int

	// MaxEps is the greatest distance that is looked at, in the units of the data. 0: no limit.
	MaxEps float64

	// Extraction is how clusters are found. Xi is the relative steepness that ends a valley, in (0,
	// 1); 0: [DefaultXi]. Eps is the radius of extraction by Eps, above 0 and at most MaxEps; 0:
	// MaxEps, and where that is 0, too, a [*fault.Input].
	Extraction Extraction
	Xi         float64
	Eps        float64

	// MinClusterSize is the least number of objects of a cluster of extraction by Xi, at least 2.
	// 0: a twentieth of the objects, but at least MinPoints, as small valleys are ripples of the
	// sample.
	MinClusterSize int

	// AllowUnlinked keeps objects at the end of a cluster of extraction by Xi that were not reached
	// from it, as the paper has it. By default such ends are cut off (the predecessor correction of
	// Schubert and Gertz, 2018).
	AllowUnlinked bool
}

// withDefaults returns the configuration for n objects, or what is wrong with it.
func (c Config) withDefaults(n int) (Config, error) {
	switch {
	case n < 2:
		return c, fault.Inputf("give at least 2", "%d objects cannot be ordered by density", n)
	case c.MinPoints < 0 || c.MinPoints == 1:
		return c, fault.Inputf("give min-points of at least 2, or leave it out",
			"%d objects cannot make a neighbourhood dense", c.MinPoints)
	case c.MinPoints > n:
		return c, fault.Inputf(fmt.Sprintf("give min-points of at most %d", n),
			"%d objects are to be near each other, and there are %d", c.MinPoints, n)
	case c.MinClusterSize < 0 || c.MinClusterSize == 1 || c.MinClusterSize > n:
		return c, fault.Inputf(fmt.Sprintf("give min-cluster-size from 2 to %d, or leave it out", n),
			"a cluster of at least %d of %d objects cannot be found", c.MinClusterSize, n)
	case !(c.MaxEps >= 0):
		return c, fault.Inputf("give MaxEps above 0, or leave it out", "the radius %g is none",
			c.MaxEps)
	case !(c.Xi >= 0 && c.Xi < 1):
		return c, fault.Inputf("give Xi above 0 and below 1", "the steepness %g is none", c.Xi)
	case !(c.Eps >= 0) || math.IsInf(c.Eps, 1):
		return c, fault.Inputf("give Eps above 0", "the radius %g is none", c.Eps)
	case c.Extraction > Eps:
		return c, fault.Inputf("give Xi or Eps", "there is no extraction %d", c.Extraction)
	}
	c.MinPoints = cmp.Or(c.MinPoints, min(DefaultMinPoints, n))
	c.MaxEps = cmp.Or(c.MaxEps, math.Inf(1))
	c.Xi = cmp.Or(c.Xi, DefaultXi)
	c.Eps = cmp.Or(c.Eps, c.MaxEps)
	c.MinClusterSize = cmp.Or(c.MinClusterSize, max(c.MinPoints, n/20))
	if c.Extraction == Eps && (c.Eps > c.MaxEps || math.IsInf(c.Eps, 1)) {
		return c, fault.Inputf("give Eps above 0 and at most MaxEps",
			"clusters cannot be cut at the radius %g of an order up to %g", c.Eps, c.MaxEps)
	}
	return c, nil
}
