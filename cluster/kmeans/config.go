package kmeans

import (
	"cmp"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/words"
)

// Config holds the parameters of [Fit]. Only Clusters must be set; the zero value of every other
// field is a documented default. Of [fit.Limits]:
//
//   - Starts is 1 by default, and always where Centers are given.
//   - MaxIterations is 300 by default.
//   - Tolerance stops an iteration whose centres moved by a sum of squares of at most Tolerance
//     times the mean variance of the columns. 0: 10⁻⁴. Negative: only when the labels repeat.
type Config struct {
	fit.Options
	fit.Limits

	// Clusters is the number of centres K, from 1 to the number of rows.
	Clusters int

	// Centers, K×d, are where the iteration starts, instead of Init.
	Centers dataset.Matrix

	// Init chooses how starting centres are drawn. 0: InitAuto.
	Init Init

	// Sample is how many rows InitParallel looks at where there are more. 0: [SampleRows].
	Sample int

	// Spherical keeps centres at length 1, for rows of length 1: ‖x − c‖² is then
	// 2 − 2 cos(x, c), so that the inertia is 2 Σ(1 − cos) (spherical k-means, Dhillon and
	// Modha 2001).
	Spherical bool

	// Algorithm chooses how nearest centres are found. It never changes the result, only the time
	// and Result.Distances. 0: Auto.
	Algorithm Algorithm
}

// Init names a way to draw starting centres.
type Init int

const (
	// InitAuto is InitPlusPlus up to [PlusPlusRows] rows and InitParallel above.
	InitAuto Init = iota

	// InitPlusPlus is greedy k-means++ on all rows: each centre is the best of 2+⌊ln K⌋ rows drawn
	// with probability proportional to the squared distance from the centres so far.
	InitPlusPlus

	// InitParallel is k-means‖: five rounds that draw about 2K rows each, from which greedy
	// k-means++ picks, every drawn row weighing as many rows as it is nearest to. Of more than m =
	// max([PlusPlusRows], 20·K) rows it looks at m: half drawn uniformly, half in proportion to the
	// squared distance from the mean, so that rows far out are seen, and each weighted by how many
	// it represents (lightweight coresets, Bachem et al. 2018).
	InitParallel
)

// PlusPlusRows is the number of rows up to which InitAuto takes greedy k-means++, whose cost is
// that of 2+⌊ln K⌋ iterations or more, and the least number of rows InitParallel draws.
const PlusPlusRows = 1 << 16

var inits = words.Enum[Init]{Type: "Init", Words: []string{"auto", "k-means++", "k-means‖"}}

// String returns the name of the method in the field.
func (i Init) String() string { return inits.Name(i) }

// Algorithm names a way to find nearest centres.
type Algorithm int

const (
	// Auto is Lloyd, and with many centres or columns goes over to Hamerly once few rows change
	// cluster, for as long as that pays.
	Auto Algorithm = iota

	// Lloyd computes all distances.
	Lloyd

	// Hamerly keeps bounds for each row and skips those whose centre cannot have changed (Hamerly
	// 2010), with room for rounding, so the labels are Lloyd's. It holds 4 bytes a row more.
	Hamerly
)

var algorithms = words.Enum[Algorithm]{Type: "Algorithm",
	Words: []string{"auto", "Lloyd", "Hamerly"}}

// String returns the algorithm's name.
func (a Algorithm) String() string { return algorithms.Name(a) }

// withDefaults puts the documented default in place of each zero.
func (c Config) withDefaults() Config {
	c.Limits = c.Limits.Or(fit.Limits{Starts: 1, MaxIterations: 300, Tolerance: 1e-4})
	if c.Centers.Rows > 0 {
		c.Starts = 1
	}
	return c
}

// check refuses a configuration that cannot fit n rows of d values.
func (c Config) check(n, d int) error {
	if n == 0 || d == 0 {
		return fault.Inputf("", "k-means needs data, and got %d rows of %d columns", n, d)
	}
	if err := cmp.Or(fit.CheckClusters("clusters", c.Clusters, n), c.Limits.Check()); err != nil {
		return err
	}
	switch {
	case c.Centers.Rows != 0 && (c.Centers.Rows != c.Clusters || c.Centers.Cols != d):
		return fault.Inputf("give one row for each cluster, one column for each feature",
			"the starting centres are %d×%d where %d×%d is needed", c.Centers.Rows, c.Centers.Cols,
			c.Clusters, d)
	case c.Sample < 0 || c.Sample > 0 && c.Sample < c.Clusters:
		return fault.Inputf("give at least as many rows as there are clusters",
			"a sample of %d rows to draw %d starting centres from", c.Sample, c.Clusters)
	case c.Init < InitAuto || c.Init > InitParallel:
		return fault.Inputf("", "unknown way to start, %v", c.Init)
	case c.Algorithm < Auto || c.Algorithm > Hamerly:
		return fault.Inputf("", "unknown algorithm, %v", c.Algorithm)
	}
	return c.Centers.CheckSize("starting centres")
}
