package gmm

import (
	"cmp"
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/prototypes"
	"github.com/kindred-go/kindred/internal/words"
)

// Config holds the parameters of [Fit]. Only Clusters must be set; the zero value of every other
// field is a documented default. Of [fit.Limits]:
//
//   - Starts is 1 by default, and always where Means are given.
//   - MaxIterations is 300 by default.
//   - Tolerance stops a start once an iteration raises the log-likelihood per row by at most this.
//     0: 10⁻⁴. Negative: only when it stays as it is.
type Config struct {
	fit.Options
	fit.Limits

	// Clusters is the number of components K, from 1 to the number of distinct rows.
	Clusters int

	// Covariance is which covariances components have. 0: Full.
	Covariance Covariance

	// Regularisation is ε as a share of the mean variance of the columns: a row counts as a Gaussian
	// of variance ε about it, so that no component shrinks to a point. Above 0, at most 1. 0: 10⁻⁶.
	Regularisation float64

	// Means, K×d, are where the iteration starts, instead of k-means: rows belong to the nearest.
	Means dataset.Matrix
}

// Covariance is which covariances the components of a mixture have.
type Covariance int

const (
	Full      Covariance = iota // any, each component its own
	Diagonal                    // a variance for each column, each component its own
	Tied                        // any, the same for all
	Spherical                   // one variance for all columns, each component its own
)

// CovarianceNames returns the words of the covariances, in order.
func CovarianceNames() []string { return []string{"full", "diagonal", "tied", "spherical"} }

var covariances = words.Enum[Covariance]{Type: "Covariance", What: "covariance",
	Words: CovarianceNames()}

// String returns the word of flags: full, diagonal, tied or spherical.
func (c Covariance) String() string { return covariances.Name(c) }

func (c Config) withDefaults() Config {
	c.Regularisation = cmp.Or(c.Regularisation, 1e-6)
	c.Limits = c.Limits.Or(fit.Limits{Starts: 1, MaxIterations: 300, Tolerance: 1e-4})
	if c.Means.Rows > 0 {
		c.Starts = 1
	}
	return c
}

// mostSize is the most values that the covariances of a mixture may have: 1 GiB of them.
const mostSize = 1 << 27

// check refuses a configuration that cannot fit the data, and data that cannot be fitted.
func (c Config) check(ctx context.Context, data dataset.Matrix) error {
	if err := cmp.Or(fit.CheckClusters("clusters", c.Clusters, data.Rows),
		c.Limits.Check()); err != nil {
		return err
	}
	switch {
	case c.Covariance < Full || c.Covariance > Spherical:
		return fault.Inputf("", "unknown covariance, %v", c.Covariance)
	case !(c.Regularisation > 0 && c.Regularisation <= 1):
		return fault.Inputf("give a number above 0 and at most 1, such as 1e-6",
			"the regularisation is %g", c.Regularisation)
	case c.Means.Rows != 0 && (c.Means.Rows != c.Clusters || c.Means.Cols != data.Cols):
		return fault.Inputf("give one row for each cluster, one column for each feature",
			"the starting means are %d×%d where %d×%d is needed", c.Means.Rows, c.Means.Cols,
			c.Clusters, data.Cols)
	case c.Covariance == Full && c.Clusters*data.Cols*(data.Cols+1)/2 > mostSize:
		return fault.Inputf("give --covariance diagonal, or fewer columns",
			"%d full covariances of %d columns are too large", c.Clusters, data.Cols)
	}
	return prototypes.Check(ctx, data, c.Clusters)
}
