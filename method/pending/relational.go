//go:build ignore

package method

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/cluster/relational"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

var relationalTakes = slices.Concat([]string{"clusters", "starts", "max-iterations", "tolerance",
	"seed"}, comparedTakes)

// relationalMethods find fuzzy clusters of objects known by their dissimilarities.
func relationalMethods() []Method {
	return []Method{
		{
			Name: "rfcm",
			Title: "relational fuzzy c-means: memberships from dissimilarities, whether " +
				"points have them as distances or not",
			Source: "Hathaway, Davenport and Bezdek 1989; β-spread: Hathaway and Bezdek 1994",
			Takes:  append([]string{"fuzziness"}, relationalTakes...),
			Default: "fuzziness 2; 5 starts up to 2000 rows, else 1; at most 300 " +
				"iterations, tolerance 1e-5; dissimilarities are taken as distances, and squared",
			NeedsClusters: true,
			Dissimilarity: true,
			Masses:        true,
			Draws:         true,
			Invariant:     ToFactor,
			Fit:           fitRFCM,
		},
		{
			Name: "sscard",
			Title: "SSCARD: relational fuzzy c-means that weighs must-links and " +
				"cannot-links against dissimilarities",
			Source: "Frigui and Hwang 2007, put together from its kin PCCA (Grira, " +
				"Crucianu and Boujemaa 2008)",
			Takes: slices.Concat([]string{"link-weight"}, relationalTakes, linkTakes),
			Default: "as rfcm; a link to a row that is wholly in one cluster outweighs any " +
				"distance",
			NeedsClusters: true,
			Dissimilarity: true,
			Masses:        true,
			Links:         true,
			Draws:         true,
			Invariant:     ToFactor,
			Fit:           fitSSCARD,
		},
	}
}

// relationalConfig returns the settings, and the dissimilarities.
func relationalConfig(p Problem, s Settings) (dissim.Source, relational.Config, error) {
	src, objects, err := compared(p)
	return src, relational.Config{
		Clusters: s.Clusters, Fuzziness: s.Tuning.Fuzziness,
		Squared: objects.Metric == dissim.SqEuclidean, Starts: s.Starts,
		MaxIterations: s.MaxIterations, Tolerance: s.Tolerance, Seed: s.Seed, Threads: s.Threads,
		Progress: s.Progress,
	}, err
}

func fitRFCM(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if s.Clusters == 0 {
		return nil, needsClusters("relational fuzzy c-means")
	}
	src, cfg, err := relationalConfig(p, s)
	if err != nil {
		return nil, err
	}
	fit, err := relational.Fit(ctx, src, cfg)
	if err != nil {
		return nil, err
	}
	return relationalOutcome(ctx, p, fit, s)
}

func fitSSCARD(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if s.Clusters == 0 {
		return nil, needsClusters("SSCARD")
	}
	src, cfg, err := relationalConfig(p, s)
	if err != nil {
		return nil, err
	}
	fit, err := relational.FitSSCARD(ctx, []dissim.Source{src}, p.Links,
		relational.SSCARDConfig{Config: cfg, LinkWeight: s.Tuning.LinkWeight,
			Contradictions: s.Contradictions})
	if err != nil {
		return nil, err
	}
	out, err := relationalOutcome(ctx, p, fit, s)
	if err != nil {
		return nil, err
	}
	out.Unmet = link.Violated(out.Labels, p.Links)
	out.Notes = append(out.Notes, clashing(len(fit.Clashing), "weigh in the fit")...)
	return out, nil
}

func relationalOutcome(ctx context.Context, p Problem, r *relational.Result, s Settings) (*Outcome,
	error) {
	out, _, err := byMemberships(r.Memberships, r.Clusters)
	if err != nil {
		return nil, err
	}
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Stopped = r.Objective, "objective",
		r.Iterations, "iteration", "converged"
	if !r.Converged {
		out.Stopped = "stopped after " + words.Count(r.Iterations, "iteration")
	}
	if r.Beta > 0 {
		out.Notes = append(out.Notes,
			"no points have these dissimilarities as distances: "+words.Round(r.Beta)+
				" is added to their squares (β-spread)")
	}
	out.Model, err = exemplars(ctx, p, out, nil, 0, s)
	return out, err
}
