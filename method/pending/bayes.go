//go:build ignore

package method

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/cluster/bayes"
	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

func bayesMethods() []Method {
	return []Method{{
		Name: "ssnb",
		Title: "semi-supervised naive Bayes: classes as columns drawn one by one, learnt from " +
			"known and unknown rows",
		Source: "Nigam, McCallum, Thrun and Mitchell, Machine Learning 39 (2000); Yang et al., " +
			"Neurocomputing 257 (2017), equations 7 to 9",
		Labels: true, Masses: true, Draws: true, Invariant: ToFactor,
		Takes: slices.Concat(partitionTakes,
			[]string{"tolerance", "likelihood", "smoothing", "unlabelled-weight"}, linkTakes),
		Default: "normal distributions, as many classes as are known, rows of unknown class " +
			"count in full, at most 200 iterations",
		Fit: fitBayes,
	}}
}

func fitBayes(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	by, known := map[string]bayes.Likelihood{"": bayes.Gaussian, "gaussian": bayes.Gaussian,
		"multinomial": bayes.Multinomial}[s.Tuning.Likelihood]
	if !known {
		return nil, &fault.Input{Problem: fmt.Sprintf("there is no likelihood %q",
			s.Tuning.Likelihood), Fix: "use gaussian or multinomial"}
	}
	classes, k, notes, err := p.seeds(s, "naive Bayes")
	if err != nil {
		return nil, err
	}
	fit, err := bayes.Fit(ctx, p.Data, classes, bayes.Config{
		Clusters: k, Likelihood: by, Smoothing: s.Tuning.Smoothing,
		UnlabelledWeight: s.Tuning.UnlabelledWeight, Starts: s.Starts,
		MaxIterations: s.MaxIterations, Tolerance: s.Tolerance, Seed: s.Seed, Threads: s.Threads,
		Progress: s.Progress,
	})
	if err != nil {
		return nil, err
	}
	means := fit.Model.Means
	if by == bayes.Multinomial {
		means = dataset.Matrix{Rows: k, Cols: p.Data.Cols, F64: fit.Model.LogTheta}
	}
	out, err := byDegrees(fit.Memberships, fit.Labels, means)
	if err != nil {
		return nil, err
	}
	out.Model.Offsets = fit.Model.Offsets()
	if by == bayes.Gaussian {
		out.Model.Metric, out.Model.Roots = competitive.Diagonal, fit.Model.Roots()
	}
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Stopped = -fit.LogPosterior,
		"negative log-posterior", fit.Iterations, "iteration", fit.Stopped.String()
	out.Unmet = link.Violated(out.Labels, p.Links)
	out.Notes = append(notes, out.Notes...)
	if alone := knownAlone(out, classes); alone != 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("cluster %s has rows of known class alone: the "+
			"rows of unknown class drew the others to themselves; --unlabelled-weight 0.01 "+
			"counts those less", either(alone)))
	}
	return out, nil
}

// knownAlone returns the clusters that have rows, all of them of known class, where other rows are
// not; none where no class is known.
func knownAlone(out *Outcome, classes []int32) (alone belief.Set) {
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
