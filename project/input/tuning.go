package input

import (
	"math"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
)

// Tuning are the parameters of single methods, as their flags set them.
type Tuning struct {
	method.Tuning

	given func(flag string) bool
}

func (t *Tuning) flags(fs *pflag.FlagSet) {
	t.given = fs.Changed
	fs.Float64Var(&t.Eps, "eps", 0,
		"radius of a neighbourhood in density methods, as features are scaled (default: from the "+
			"data)")
	fs.IntVar(&t.MinPoints, "min-points", 0,
		"rows within --eps, itself among them, that make a row a core of a cluster (default: by "+
			"the number of features)")
	fs.BoolVar(&t.NewClusters, "new-clusters", false,
		"mdbscan: cluster the rows that no known class claims, too")
	fs.IntVar(&t.Neighbours, "neighbours", 0,
		"nearest neighbours that spectral methods, eknnclus and others look at (default: by the "+
			"method)")
	fs.Float64Var(&t.Bandwidth, "bandwidth", 0,
		"σ of the similarities exp(−d²/2σ²) in spectral methods (default: from the data)")
	fs.IntVar(&t.Dimensions, "eigenvectors", 0,
		"eigenvectors that spectral methods lay rows out by (default: by the method)")
	fs.StringVar(&t.Graph, "graph", "",
		"how spectral methods find neighbours: exact or approximate (default: by the number of "+
			"rows)")
	fs.Float64Var(&t.Fuzziness, "fuzziness", 0,
		"exponent of memberships or masses in fuzzy and evidential c-means, above 1 (default 2)")
	fs.Float64Var(&t.SetPenalty, "set-penalty", 0,
		"α of the evidential c-means: how much large focal sets are shunned (default: by the "+
			"method)")
	fs.Float64Var(&t.NoiseDistance, "noise-distance", 0,
		"δ of the evidential c-means: the distance from which a row counts as an outlier "+
			"(default: from the data)")
	fs.Float64Var(&t.LinkWeight, "link-weight", 0,
		"weight of a violated link in methods that bargain with links (default: by the method)")
	fs.StringVar(&t.Metric, "cluster-metric", "",
		"distances that mpckmeans, ecm and cecm learn: euclidean, diagonal or full (default: by "+
			"the method)")
	fs.BoolVar(&t.Shared, "shared-metric", false,
		"learn one metric for all clusters, not one for each")
	fs.StringVar(&t.Linkage, "linkage", "",
		"of agglomerative clustering: "+strings.Join(linkages,
			", ")+" (default: ward for rows of features, average for other dissimilarities)")
	fs.Float64Var(&t.Cut, "cut", 0,
		"height at which agglomerative clustering cuts the tree, in place of -k")
	fs.StringVar(&t.Likelihood, "likelihood", "",
		"of ssnb: gaussian or multinomial (default gaussian)")
	fs.Float64Var(&t.Smoothing, "smoothing", 0,
		"of ssnb: what is added to counts, or to variances as a share of those of all rows "+
			"(default: 1 and 1e-9)")
	fs.Float64Var(&t.UnlabelledWeight, "unlabelled-weight", 0,
		"of ssnb: weight of a row of unknown class, beside 1 of one whose class is known "+
			"(default 1)")
	fs.Float64Var(&t.Quantile, "quantile", 0,
		"of eknnclus: quantile of the dissimilarities to neighbours that scales them (default 0.95)")
	fs.Float64Var(&t.ErrorRate, "error-rate", 0,
		"share of wrong answers that ncobras (default 0.1) and kin (default: none) reckon with; "+
			"0: the default")
}

var linkages = []string{"single", "complete", "average", "weighted", "ward", "centroid", "median"}

// settings checks the flags. Errors are a [fault.Setting].
func (t *Tuning) settings() (method.Tuning, error) {
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 0) }
	for _, c := range []struct {
		flag  string
		value float64
		fits  func(float64) bool
		give  string
	}{
		{"eps", t.Eps, positive, "a number above 0, in units of the scaled features"},
		{"bandwidth", t.Bandwidth, positive, "a number above 0"},
		{"fuzziness", t.Fuzziness, func(v float64) bool { return v > 1 && v <= 100 },
			"a number above 1, such as 2"},
		{"set-penalty", t.SetPenalty, func(v float64) bool { return v >= 0 && v <= 100 },
			"a number of 0 or more, such as 1"},
		{"noise-distance", t.NoiseDistance, positive, "a number above 0"},
		{"link-weight", t.LinkWeight, positive, "a number above 0, such as 1"},
		{"cut", t.Cut, positive, "a height above 0"},
		{"smoothing", t.Smoothing, positive, "a number above 0"},
		{"unlabelled-weight", t.UnlabelledWeight, func(v float64) bool { return v > 0 && v <= 1 },
			"a number above 0 and at most 1"},
		{"quantile", t.Quantile, func(v float64) bool { return v > 0 && v <= 1 },
			"a number above 0 and at most 1, such as 0.95"},
		{"error-rate", t.ErrorRate, func(v float64) bool { return v >= 0 && v < 0.5 },
			"a share from 0 to below 0.5, such as 0.1"},
	} {
		if (t.given(c.flag) || c.value != 0) && !c.fits(c.value) {
			return t.Tuning, fault.Settingf("--%s is %g: give %s", c.flag, c.value, c.give)
		}
	}
	for _, c := range []struct {
		flag         string
		value, least int
	}{{"min-points", t.MinPoints, 1}, {"neighbours", t.Neighbours, 1},
		{"eigenvectors", t.Dimensions, 1}} {
		if (t.given(c.flag) || c.value != 0) && c.value < c.least {
			return t.Tuning, fault.Settingf("--%s is %d: give %d or more", c.flag, c.value, c.least)
		}
	}
	for _, c := range []struct {
		flag, value string
		choices     []string
	}{
		{"graph", t.Graph, []string{"exact", "approximate"}},
		{"cluster-metric", t.Metric, []string{"euclidean", "diagonal", "full"}},
		{"linkage", t.Linkage, linkages},
		{"likelihood", t.Likelihood, []string{"gaussian", "multinomial"}},
	} {
		if c.value != "" && !slices.Contains(c.choices, c.value) {
			_, err := one[int](c.flag, c.value, c.choices)
			return t.Tuning, err
		}
	}
	return t.Tuning, nil
}
