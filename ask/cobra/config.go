package cobra

import (
	"cmp"
	"fmt"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// DefaultSuperInstances is the number of super-instances when none is given, or one per row when
// there are fewer rows. The paper runs 25, 50 and 100; about as many answers are needed.
const DefaultSuperInstances = 50

// MaxSuperInstances bounds N_S: as many answers and more are needed, and the walk looks at all
// pairs.
const MaxSuperInstances = 5000

// maxUnknowns is how many "unknown" answers between two clusters put the pair of clusters aside:
// the first, and at most two more after it. This rule is ours; the paper has no unknown answers.
const maxUnknowns = 3

// Config sets how to build super-instances and what is known before the first question.
// The zero value asks about all rows with [DefaultSuperInstances] super-instances.
type Config struct {
	// Options.Progress reports the k-means iterations while super-instances are built.
	fit.Options
	// Limits are those of the k-means that builds super-instances. Starts 0: 1. MaxIterations 0:
	// 300 up to 100 000 rows and 2²⁴ values, and 10 above, where a person waits for the first
	// question: on 10⁶×16 with 100 super-instances the inertia after 10 iterations is within 0.5 %
	// of where 142 lead. Tolerance means nothing.
	fit.Limits
	// Knowledge.Links are known before the first question, between any rows. They are applied to
	// the super-instances of their rows, in order. One that cannot hold there (both rows in one
	// super-instance and "different", or against an earlier given link) is counted as unmet.
	// Contradictions is also what to do with changed answers that contradict others: refuse them
	// (the default) or keep them out of the clustering and count them as unmet.
	fit.Knowledge

	// SuperInstances is N_S, the number of super-instances; 0 means DefaultSuperInstances. More
	// than there are rows is taken as one per row. At most MaxSuperInstances can be asked about.
	SuperInstances int
	// Askable marks the rows that may be asked about, one entry a row; nil means all. It is the
	// paper's cross-validation (§4): a medoid is taken among the askable members only, and a
	// super-instance without any joins the nearest one that has some.
	Askable []bool
}

func (c Config) check(data dataset.Matrix) error {
	if err := CheckData("cobra", data, c.Askable); err != nil {
		return err
	}
	switch {
	case c.SuperInstances < 0:
		return fault.Inputf("give a positive number",
			"%d super-instances asked for", c.SuperInstances)
	case c.Starts < 0:
		return fault.Inputf("give a positive number", "%d starts asked for", c.Starts)
	}
	for _, l := range c.Links {
		if l.A < 0 || l.B < 0 || l.A >= data.Rows || l.B >= data.Rows {
			return fmt.Errorf("cobra: given link %d–%d is outside the %d rows", l.A, l.B, data.Rows)
		}
	}
	return nil
}

// checkCount refuses more super-instances than can be asked about.
func checkCount(count int) error {
	if count > MaxSuperInstances {
		return fault.Inputf(fmt.Sprintf("give up to %d", MaxSuperInstances),
			"%d super-instances are too many to ask about", count)
	}
	return nil
}

// CheckData refuses data without values or with others than their size has, and marks of the rows
// that may be asked about (nil: all) that are not of these rows. pkg is the package, for errors.
func CheckData(pkg string, data dataset.Matrix, askable []bool) error {
	values := max(len(data.F64), len(data.F32))
	switch {
	case data.Rows == 0 || data.Cols == 0:
		return fault.Inputf("give at least one row and one feature",
			"the data are %d×%d", data.Rows, data.Cols)
	case values != data.Rows*data.Cols:
		return fmt.Errorf("%s: %d values do not make %d×%d data", pkg, values, data.Rows,
			data.Cols)
	case askable != nil && len(askable) != data.Rows:
		return fmt.Errorf("%s: Askable has %d entries for %d rows", pkg, len(askable), data.Rows)
	}
	return nil
}

// CheckErrorRate refuses a share of wrong answers that is none, or half and more.
func CheckErrorRate(rate float64) error {
	if !(rate >= 0 && rate < 0.5) {
		return fault.Inputf("give a share of wrong answers below 0.5", "an error rate of %g", rate)
	}
	return nil
}

// manyValues is how many values data have beyond which their super-instances are less than the best,
// as a person waits for the first question.
const manyValues = 1 << 24

// parts is the configuration of the k-means that builds the super-instances of the data.
func (c Config) parts(data dataset.Matrix) kmeans.Config {
	const many, few = 100_000, 10
	const seeds, wide = 1 << 14, 128
	out := kmeans.Config{
		Clusters: c.count(data.Rows),
		Limits:   fit.Limits{Starts: c.Starts, MaxIterations: c.MaxIterations},
		Options:  c.Options,
	}
	large := data.Rows*data.Cols > manyValues
	if c.MaxIterations == 0 && (large || data.Rows > many) {
		out.MaxIterations = few
	}
	// To look at as many as kmeans does takes as long as the iterations. In few columns fewer rows
	// cost a hundredth or two of the objective, in many next to nothing.
	if large && data.Cols >= wide {
		out.Sample = max(seeds, 20*out.Clusters)
	}
	return out
}

// count is the number of super-instances that n rows get.
func (c Config) count(n int) int {
	return min(cmp.Or(c.SuperInstances, DefaultSuperInstances), n)
}
