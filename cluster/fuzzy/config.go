package fuzzy

import (
	"cmp"
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/prototypes"
)

// Config holds the parameters of [Fit]. Only Clusters must be set; the zero value of every other
// field is a documented default. Of [fit.Limits]:
//
//   - Starts is 1 by default, and always where Centers are given.
//   - MaxIterations is 300 by default.
//   - Tolerance stops a start once an iteration lowers the objective by at most this share of it.
//     0: 10⁻⁶. Negative: only when it stays as it is.
type Config struct {
	fit.Options
	fit.Limits

	// Clusters is the number of clusters c, from 1 to the number of distinct rows.
	Clusters int

	// Fuzziness is the exponent m of the memberships, above 1; towards 1 they become hard. At most
	// 100. 0: 2.
	Fuzziness float64

	// Centers, c×d, are where the iteration starts, instead of centres drawn by k-means++.
	Centers dataset.Matrix
}

func (c Config) withDefaults() Config {
	c.Fuzziness = cmp.Or(c.Fuzziness, 2)
	c.Limits = c.Limits.Or(fit.Limits{Starts: 1, MaxIterations: 300, Tolerance: 1e-6})
	if c.Centers.Rows > 0 {
		c.Starts = 1
	}
	return c
}

// check refuses a configuration that cannot fit the data, and data that cannot be fitted.
func (c Config) check(ctx context.Context, data dataset.Matrix) error {
	if err := cmp.Or(fit.CheckClusters("clusters", c.Clusters, data.Rows),
		c.Limits.Check()); err != nil {
		return err
	}
	switch {
	case !(c.Fuzziness > 1) || c.Fuzziness > 100:
		return fault.Inputf("give a number above 1 and at most 100, such as 2",
			"the fuzziness is %g", c.Fuzziness)
	case c.Centers.Rows != 0 && c.Centers.Rows != c.Clusters:
		return fault.Inputf("give one for each cluster",
			"%d starting centres are given for %d clusters", c.Centers.Rows, c.Clusters)
	}
	return prototypes.Check(ctx, data, c.Clusters)
}
