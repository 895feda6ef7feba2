package bayes

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	return []method.Method{{
		Name: "ssnb",
		Title: "semi-supervised naive Bayes: classes as columns drawn one by one, learnt from " +
			"known and unknown rows",
		Source: "Nigam, McCallum, Thrun and Mitchell, Machine Learning 39 (2000); Yang et al., " +
			"Neurocomputing 257 (2017), equations 7 to 9",
		Labels:    true,
		Masses:    true,
		Degrees:   true,
		Draws:     true,
		Invariant: method.ToFactor,
		Configure: func(set *param.Set) method.Steps {
			c := &Config{}
			c.declare(set)
			return method.Steps{Fit: c.outcome}
		},
	}}
}

func (c *Config) declare(set *param.Set) {
	method.ClassClusters(set, &c.Clusters)
	param.Enum(set, &c.Likelihood, Gaussian, param.Param{Name: "likelihood", Basic: true,
		Choices: likelihoods.Words,
		Help: "what the values of a class are drawn by: a normal distribution of each column, " +
			"or counts of the columns"})
	set.Float(&c.Smoothing, param.Param{Name: "smoothing", Above: true, Default: "1",
		Help: "rows that the usual variances count for in each class, or what is added to counts"})
	set.Float(&c.UnlabelledWeight, param.Param{Name: "unlabelled-weight", Above: true, Max: 1,
		Example: "0.01", Auto: "the one under which rows of known class predict each other best",
		Help: "weight of a row of unknown class, beside 1 of one whose class is known"})
	method.Starts(set, &c.Starts, param.Param{Default: "1"})
	method.MaxIterations(set, &c.MaxIterations, param.Param{Default: "200"})
	method.Tolerance(set, &c.Tolerance, param.Param{Default: "1e-6",
		Help: "a start ends once an iteration raises the log-posterior by less a row"})
	method.Seed(set, &c.Seed)
}

func (c *Config) outcome(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	classes, k, notes, err := p.Seeds(c.Clusters, "naive Bayes")
	if err != nil {
		return nil, err
	}
	cfg := *c
	cfg.Options, cfg.Clusters, cfg.Known = p.Options(c.Seed), k, classes
	r, err := Fit(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	means := r.Model.Means
	if c.Likelihood == Multinomial {
		means = dataset.Matrix{Rows: k, Cols: p.Data.Cols, F64: r.Model.LogTheta}
	}
	out, err := method.ByDegrees(r.Memberships, r.Labels, means, method.Degrees{})
	if err != nil {
		return nil, err
	}
	out.Model.Offsets = r.Model.offsets()
	if c.Likelihood == Gaussian {
		out.Model.Metric, out.Model.Roots = "diagonal", r.Model.roots()
	}
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Stopped = -r.LogPosterior,
		"negative log-posterior", r.Iterations, "iteration", r.Stopped.String()
	out.Unmet = link.Violated(out.Labels, p.Links)
	out.Notes = append(notes, out.Notes...)
	known := func(y int32) bool { return y >= 0 }
	if c.UnlabelledWeight == 0 && slices.ContainsFunc(classes, known) {
		out.Notef("a row of unknown class weighs %g: under this weight rows of known class "+
			"predict each other best", r.UnlabelledWeight)
	}
	if alone := knownAlone(out, classes); alone != 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("cluster %s has rows of known class alone: the "+
			"rows of unknown class drew the others to themselves; --unlabelled-weight 0.01 "+
			"counts those less", method.Either(alone)))
	}
	return out, nil
}

// knownAlone returns the clusters that have rows, all of them of known class, where other rows are
// not; none where no class is known.
func knownAlone(out *method.Outcome, classes []int32) (alone belief.Set) {
	var known, unknown belief.Set
	for i, c := range classes {
		if l := out.Labels[i]; l > 0 && l <= belief.MaxClusters && c >= 0 {
			known |= belief.Singleton(l - 1)
		} else if l > 0 && l <= belief.MaxClusters {
			unknown |= belief.Singleton(l - 1)
		}
	}
	if unknown == 0 {
		return 0
	}
	return known &^ unknown
}
