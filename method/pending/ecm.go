//go:build ignore

package method

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/cluster/ecm"
	"github.com/kindred-go/kindred/cluster/eknn"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// massTakes are the flags that the evidential c-means share, and comparedTakes those of methods
// that take dissimilarities.
var (
	massTakes = []string{"clusters", "focal", "fuzziness", "noise-distance", "starts",
		"max-iterations", "tolerance", "seed"}
	comparedTakes = []string{"metric", "dissimilarity", "labels", "text", "series", "band",
		"edit-cost", "model-rows"}
)

// ecmSets is what the evidential c-means take as focal sets when nobody says.
const ecmSets = "the empty set, clusters, pairs (up to 5 clusters) and the frame as focal sets, " +
	"noise distance at the 0.95 quantile of distances"

func ecmMethods() []Method {
	shapes := []string{"set-penalty", "cluster-metric", "shared-metric"}
	return []Method{
		{
			Name: "ecm",
			Title: "ECM, evidential c-means: masses on sets of clusters by the distance " +
				"to their barycentres",
			Source:        "Masson and Denœux, Pattern Recognition 41 (2008)",
			NeedsClusters: true, Masses: true, Draws: true, Invariant: ToFactor,
			Takes:   slices.Concat(massTakes, shapes),
			Default: ecmSets + ", fuzziness 2, set penalty 1, Euclidean distances",
			Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
				p.Links = nil
				return fitECM(ctx, p, s, "ECM", ecm.Fit)
			},
		},
		{
			Name:  "cecm",
			Title: "CECM: evidential c-means under must-links and cannot-links",
			Source: "Antoine, Quost, Masson and Denœux, Computational Statistics & Data " +
				"Analysis 56 (2012), with the penalties of Soft Computing 18 (2014)",
			NeedsClusters: true, Masses: true, Links: true, Draws: true, Invariant: ToFactor,
			Takes: slices.Concat(massTakes, shapes, []string{"link-weight"}, linkTakes),
			Default: ecmSets + ", fuzziness 2, set penalty 1, links 0.05 of the objective, " +
				"Euclidean distances",
			Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
				return fitECM(ctx, p, s, "CECM", ecm.Fit)
			},
		},
		{
			Name: "ccm",
			Title: "CCM, credal c-means: evidential c-means in which a set is near what " +
				"is about as far from each of its clusters",
			Source:        "Liu, Pan, Dezert and Mercier, Knowledge-Based Systems 74 (2015)",
			NeedsClusters: true, Masses: true, Draws: true, Invariant: ToFactor,
			Takes:   massTakes,
			Default: ecmSets + ", fuzziness 2, barycentres weighed as one cluster",
			Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
				p.Links, s.Tuning.Metric = nil, ""
				return fitECM(ctx, p, s, "CCM", ecm.FitCredal)
			},
		},
		{
			Name:          "recm",
			Title:         "RECM: evidential c-means on dissimilarities",
			Source:        "Masson and Denœux, Pattern Recognition Letters 30 (2009)",
			NeedsClusters: true, Masses: true, Dissimilarity: true, Draws: true,
			Invariant: ToFactor,
			Takes:     slices.Concat(massTakes, []string{"set-penalty"}, comparedTakes),
			Default:   ecmSets + ", fuzziness 1.5, set penalty 1, the best of 5 starts",
			Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
				return fitRelationalECM(ctx, p, s, "RECM", ecm.FitRelational)
			},
		},
		{
			Name:          "mecm",
			Title:         "MECM: evidential c-means around medoids, on any dissimilarities",
			Source:        "Zhou, Martin, Pan and Liu, Knowledge-Based Systems 74 (2015)",
			NeedsClusters: true, Masses: true, Dissimilarity: true, Draws: true,
			Invariant: ToFactor,
			Takes:     slices.Concat(massTakes, []string{"set-penalty"}, comparedTakes),
			Default:   ecmSets + ", fuzziness 2, set penalty 1, the best of 5 starts",
			Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
				return fitRelationalECM(ctx, p, s, "MECM", ecm.FitMedian)
			},
		},
		{
			Name: "eknnclus",
			Title: "EK-NNclus: objects go over to the cluster of their nearest neighbours, and " +
				"the number of clusters is found",
			Source: "Denœux, Kanjanatarakul and Sriboonchitta, Knowledge-Based Systems 88 (2015)",
			Masses: true, Dissimilarity: true, Draws: true, Invariant: ToFactor,
			Takes: slices.Concat([]string{"neighbours", "quantile", "starts", "max-iterations",
				"seed"}, comparedTakes),
			Default: "3√n neighbours, scaled by the 0.95 quantile of their dissimilarities, the " +
				"best of 10 starts from 1000 clusters",
			Fit: fitEKNN,
		},
	}
}

type (
	fitter = func(ctx context.Context, data dataset.Matrix, cfg ecm.Config) (*ecm.Result,
		error)
	relationalFitter = func(ctx context.Context, src dissim.Source, cfg ecm.Config) (*ecm.Result,
		error)
)

// ecmConfig is what the settings say to all of the evidential c-means.
func ecmConfig(s Settings, name string) (ecm.Config, error) {
	if s.Clusters == 0 {
		return ecm.Config{}, needsClusters(name)
	}
	t := s.Tuning
	cfg := ecm.Config{
		Clusters: s.Clusters, SetPenalty: t.SetPenalty, Fuzziness: t.Fuzziness,
		NoiseDistance: t.NoiseDistance,
		Starts:        s.Starts, MaxIterations: s.MaxIterations, Tolerance: s.Tolerance,
		Seed:    s.Seed,
		Threads: s.Threads,
	}
	if s.Progress != nil {
		cfg.Progress = func(q ecm.Progress) {
			s.Progress((float64(q.Start) + float64(q.Iteration)/float64(q.MaxIterations)) /
				float64(q.Starts))
		}
	}
	var err error
	if s.Evidential.Focal != nil {
		cfg.Focal, err = s.Evidential.Focal(s.Clusters)
	}
	return cfg, err
}

// ecmOutcome returns the outcome of a fit, and the number that each of its clusters had.
func ecmOutcome(r *ecm.Result) (*Outcome, []int, error) {
	out, order, err := byMasses(r.Credal)
	if err != nil {
		return nil, nil, err
	}
	out.Objective, out.Measure, out.Iterations, out.Unit = r.Objective, "objective", r.Iterations,
		"iteration"
	if out.Stopped = "converged"; !r.Converged {
		out.Stopped = "stopped after " + number(r.Iterations, "iteration")
	}
	return out, order, nil
}

func fitECM(ctx context.Context, p Problem, s Settings, name string, fit fitter) (*Outcome, error) {
	cfg, err := ecmConfig(s, name)
	if err != nil {
		return nil, err
	}
	if s.Tuning.Metric != "" {
		if cfg.Metric, err = competitive.ParseMetric(s.Tuning.Metric); err != nil {
			return nil, &fault.Input{Problem: fmt.Sprintf("clusters cannot learn the metric %q",
				s.Tuning.Metric), Fix: "use euclidean, diagonal or full (--cluster-metric)"}
		}
	}
	cfg.Shared, cfg.Links, cfg.LinkWeight, cfg.Contradictions = s.Tuning.Shared, p.Links,
		s.Tuning.LinkWeight, s.Contradictions
	r, err := fit(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	out, order, err := ecmOutcome(r)
	if err != nil {
		return nil, err
	}
	out.Unmet = link.Violated(out.Labels, p.Links)
	out.Notes = append(out.Notes, clashing(len(r.Clashing), "weigh in the fit")...)
	if r.Merged > 0 {
		out.Notes = append(out.Notes,
			number(r.Merged, "cluster")+
				" have centres on those of others: a smaller --fuzziness, fewer sets (--focal "+
				"simple) or fewer clusters may part them")
	}
	out.Model = &Model{Means: r.Centers, ClusterOf: make([]int, s.Clusters), Metric: r.Metric,
		Roots: r.Roots}
	for rank, k := range order {
		out.Model.ClusterOf[k] = rank + 1
	}
	moved, err := elsewhere(ctx, p, out, s.Threads)
	if moved > 0 {
		out.Notes = append(out.Notes,
			are(moved, "row")+" not in the cluster of the nearest centre, by which a model "+
				"places rows")
	}
	return out, err
}

// elsewhere counts the rows that are not in the cluster of their nearest centre.
func elsewhere(ctx context.Context, p Problem, out *Outcome, threads int) (moved int, err error) {
	var near []int32
	if m := out.Model; m.Metric == competitive.Euclidean {
		near, err = (&kmeans.Result{Centers: m.Means}).Predict(ctx, p.Data, threads)
	} else {
		near, err = (&competitive.Result{Prototypes: m.Means, Metric: m.Metric,
			Roots: m.Roots}).Predict(ctx, p.Data, threads)
	}
	for i, k := range near {
		if out.Labels[i] != out.Model.ClusterOf[k] {
			moved++
		}
	}
	return moved, err
}

func fitRelationalECM(ctx context.Context, p Problem, s Settings, name string,
	fit relationalFitter) (*Outcome, error) {
	cfg, err := ecmConfig(s, name)
	if err != nil {
		return nil, err
	}
	src, objects, err := compared(p)
	if err != nil {
		return nil, err
	}
	cfg.Squared, cfg.Consume = objects.Metric == dissim.SqEuclidean, s.Evidential.Consume
	r, err := fit(ctx, src, cfg)
	if err != nil {
		return nil, err
	}
	out, _, err := ecmOutcome(r)
	if err != nil {
		return nil, err
	}
	if r.Lifted > 0 {
		out.Notes = append(out.Notes,
			fmt.Sprintf("the dissimilarities are no distances: %.3g was added to their squares, "+
				"as distances to centres must be real", r.Lifted))
	}
	out.Model, err = exemplars(ctx, p, out, nil, 0, s)
	return out, err
}

func fitEKNN(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	src, _, err := compared(p)
	if err != nil {
		return nil, err
	}
	r, err := eknn.Fit(ctx, src, eknn.Config{
		Neighbours: s.Tuning.Neighbours, Quantile: s.Tuning.Quantile, Starts: s.Starts,
		MaxSweeps: s.MaxIterations,
		Seed:      s.Seed, Threads: s.Threads, Progress: s.Progress,
	})
	if err != nil {
		return nil, err
	}
	var out *Outcome
	if r.Credal != nil {
		if out, _, err = byMasses(r.Credal); err != nil {
			return nil, err
		}
	} else {
		out = byLabels(r.Labels)
		out.Notes = append(out.Notes,
			fmt.Sprintf("%d clusters are too many for masses: more --neighbours find fewer",
				r.Clusters))
	}
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Estimate = r.Energy, "objective",
		r.Sweeps, "sweep", r.Clusters
	if out.Stopped = "converged"; !r.Converged {
		out.Stopped = "stopped after " + number(r.Sweeps, "sweep")
	}
	out.Model, err = exemplars(ctx, p, out, nil, 0, s)
	return out, err
}
