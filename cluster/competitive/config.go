package competitive

import (
	"cmp"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// Rate holds how far prototypes step. The zero value is the paper's, 0.05 and 0.002, constant,
// but for the penalty.
type Rate struct {
	Schedule Schedule `json:"schedule"`
	Penalty  Penalty  `json:"penalty"`

	Start float64 `json:"start,omitempty"` // learning rate α, in (0, 1]; 0: 0.05
	// unlearning rate β, up to 1; 0: 0.002; negative: none
	Unlearn  float64 `json:"unlearn,omitempty"`
	Exponent float64 `json:"exponent,omitempty"` // of Power, in (0, 1]; 0: 0.5
	HalfWay  float64 `json:"halfWay,omitempty"`  // of Power, in rows, from 1; 0: 10 000
	// learning rates of Harmonic and Power do not fall below it; 0: 0.0001
	Least float64 `json:"least,omitempty"`
}

// Config holds the parameters of a [Learner]. Only Clusters must be set; the zero value of every
// other field is a documented default. States keep it as JSON.
type Config struct {
	Rule     Rule `json:"rule"`
	Clusters int  `json:"clusters"` // prototypes k, from 1
	Rate     Rate `json:"rate"`

	// Metric is what distances a prototype measures. With Diagonal and Full every prototype learns
	// the covariance S of the rows that it wins, beside its place, and measures (x−μ)ᵀ M (x−μ) with
	// M = det(S)^(1/d)·S⁻¹ (Gustafson and Kessel 1979), so that all have the same volume and none
	// grows at the cost of the others; Diagonal keeps the diagonal of S alone. They are for rpcl
	// and crpcl, and Full for at most 1000 columns.
	Metric fit.Metric `json:"metric"`

	Init Init `json:"init"`

	// HalfLife is the number of rows after which a win counts half, for streams that drift:
	// frequencies, and with Harmonic the rates, then follow what came of late. 0: wins count for
	// ever. At least 1 otherwise.
	HalfLife float64 `json:"halfLife,omitempty"`

	// Remember is the number of latest rows that can still be linked. 0: 10 000. Negative: none.
	Remember int `json:"remember,omitempty"`

	// MostLinked is the number of rows kept because links name them, at least 2. 0: 4096. When
	// there are more, the sixteenth part that was linked longest ago leaves, with its links, and is
	// counted.
	MostLinked int `json:"mostLinked,omitempty"`

	// Rehearse presents one linked row again, with its partners, every so many rows. 0: never.
	Rehearse int `json:"rehearse,omitempty"`

	// Contradictions is what becomes of a link that clashes with others: [link.Refuse], or
	// [link.Keep], to learn and count it all the same.
	Contradictions link.Policy `json:"contradictions,omitempty"`

	// ActiveShare is how much of a fair share, 1/k of the rows, a prototype must be nearest to so
	// as to count as a cluster, in (0, 1]. 0: 0.1.
	ActiveShare float64 `json:"activeShare,omitempty"`

	// Seed chooses the random numbers of the starting prototypes, and of the order of rows in
	// [Fit]. Every value, 0 included, is a seed.
	Seed uint64 `json:"seed,omitempty"`
}

// MostValue is the greatest magnitude of a value of a row; rows with greater ones are refused:
// squares, times wins and the stretch of a shape, stay finite.
const MostValue = 1e120

// Bounds of what is learnt.
const (
	// prototypes lie within it: drawn about rows, or driven off from them
	reach        = 8 * MostValue
	mostSpread   = (reach + MostValue) * (reach + MostValue) // variances about prototypes
	mostClusters = 1 << 16
	mostStarts   = 1 << 16
	mostCells    = 1 << 28 // values of all prototypes, and of all their shapes
	mostKept     = 1 << 28 // rows remembered, and rows kept for links
	// columns of the metric full, which takes their cube of time to make anew
	mostTurned  = 1000
	mostCounted = 1 << 53 // rows and clocks of a state
)

// withDefaults puts the documented default in place of each zero.
func (c Config) withDefaults() Config {
	c.Rate.Start = cmp.Or(c.Rate.Start, 0.05)
	c.Rate.Unlearn = cmp.Or(c.Rate.Unlearn, 0.002)
	c.Rate.Exponent = cmp.Or(c.Rate.Exponent, 0.5)
	c.Rate.HalfWay = cmp.Or(c.Rate.HalfWay, 10_000)
	c.Rate.Least = cmp.Or(c.Rate.Least, 0.0001)
	c.ActiveShare = cmp.Or(c.ActiveShare, 0.1)
	c.Remember = cmp.Or(c.Remember, 10_000)
	c.MostLinked = cmp.Or(c.MostLinked, 4096)
	return c
}

// Check refuses a configuration that cannot learn rows of cols values: a [*fault.Input] names what
// to change.
func (c Config) Check(cols int) error {
	c = c.withDefaults()
	r := c.Rate
	switch {
	case cols < 1:
		return fault.Inputf("give at least one column", "rows of %d values cannot be learnt", cols)
	case c.Clusters < 1 || c.Clusters > mostClusters:
		return fault.Inputf(fmt.Sprintf("ask for 1 to %d", mostClusters), "%d clusters asked for",
			c.Clusters)
	case c.cells(cols) > mostCells:
		return fault.Inputf("ask for fewer clusters or a plainer metric",
			"%d clusters of %d columns take too much memory with the metric %v", c.Clusters, cols,
			c.Metric)
	case c.Rule < CRPCL || c.Rule > WinnerTakeAll:
		return fault.Inputf("", "%v is not known", c.Rule)
	case c.Metric < fit.Euclidean || c.Metric > fit.Full:
		return fault.Inputf("", "%v is not known", c.Metric)
	case c.Metric != fit.Euclidean && !c.Rule.penalises():
		return fault.Inputf("use rpcl or crpcl, or the metric euclidean",
			"%v learns no metric", c.Rule)
	case c.Metric == fit.Full && cols > mostTurned:
		return fault.Inputf("use the metric diagonal, or fewer columns",
			"the metric full takes up to %d columns, and there are %d", mostTurned, cols)
	case c.Init < PlusPlus || c.Init > Sample:
		return fault.Inputf("", "%v is not known", c.Init)
	case r.Schedule < Constant || r.Schedule > Power:
		return fault.Inputf("", "%v is not known", r.Schedule)
	case r.Penalty < Controlled || r.Penalty > Plain:
		return fault.Inputf("", "%v is not known", r.Penalty)
	case !(r.Start > 0 && r.Start <= 1):
		return fault.Inputf("give a number above 0, up to 1", "the learning rate is %v", r.Start)
	case !(r.Unlearn <= 1) || math.IsInf(r.Unlearn, 0):
		return fault.Inputf("give a number up to 1, or a negative one for none",
			"the unlearning rate is %v",
			r.Unlearn)
	case !(r.Exponent > 0 && r.Exponent <= 1):
		return fault.Inputf("give a number above 0, up to 1",
			"the exponent of the learning rate is %v",
			r.Exponent)
	case !(r.HalfWay >= 1) || math.IsInf(r.HalfWay, 0):
		return fault.Inputf("give a number of rows from 1", "the learning rate falls after %v rows",
			r.HalfWay)
	case !(r.Least > 0 && r.Least <= 1):
		return fault.Inputf("give a number above 0, up to 1",
			"the least learning rate is %v", r.Least)
	case c.HalfLife != 0 && !(c.HalfLife >= 1) || math.IsInf(c.HalfLife, 0):
		return fault.Inputf("give at least 1, or 0 for wins that count for ever",
			"the half-life is %v rows",
			c.HalfLife)
	case c.Remember > mostKept/cols:
		return fault.Inputf(fmt.Sprintf("remember at most %d", mostKept/cols),
			"%d rows of %d columns to remember", c.Remember, cols)
	case c.MostLinked < 2 || c.MostLinked > mostKept/cols:
		return fault.Inputf(fmt.Sprintf("keep 2 to %d", mostKept/cols),
			"%d rows of %d columns to keep for links", c.MostLinked, cols)
	case c.Rehearse < 0:
		return fault.Inputf("give a number of rows, or 0 for never",
			"a row is to be presented again every %d rows", c.Rehearse)
	case c.Contradictions > link.Keep:
		return fault.Inputf("", "Policy(%d) is not known", c.Contradictions)
	case !(c.ActiveShare > 0 && c.ActiveShare <= 1):
		return fault.Inputf("give a number above 0, up to 1",
			"the share of an active prototype is %v",
			c.ActiveShare)
	}
	return nil
}

// cells returns how many numbers prototypes and their shapes take, about.
func (c Config) cells(cols int) float64 {
	each := float64(cols)
	switch c.Metric {
	case fit.Diagonal:
		each *= 3
	case fit.Full:
		each *= float64(cols) + 2
	}
	return each * float64(c.Clusters)
}
