//go:build ignore

package method

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// linkTakes are the flags of links, for methods that do not ask.
var linkTakes = []string{"links", "random-links", "labelled-per-class", "labelled-share", "deduce",
	"contradictions"}

func lcvqeMethod() Method {
	return Method{
		Name:  "lcvqe",
		Title: "LCVQE: k-means that weighs must-links and cannot-links against distances",
		Source: "Pelleg and Baras, ECML 2007; Covões, Hruschka and Ghosh, IEEE TNNLS 24 " +
			"(2013), equations A.1 to A.6",
		NeedsClusters: true,
		Takes: append([]string{"clusters", "starts", "max-iterations", "seed", "init"},
			linkTakes...),
		Default: "ten starts by k-means++ up to 20 000 rows, above that one, at most 100 " +
			"iterations, the best partition seen",
		Fit:       fitLCVQE,
		Links:     true,
		Draws:     true,
		Invariant: ToFactor,
	}
}

func fitLCVQE(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if s.Clusters == 0 {
		return nil, needsClusters("LCVQE")
	}
	cfg := kmeans.LCVQEConfig{
		Clusters: s.Clusters, Starts: s.startsOf(p), MaxIterations: s.MaxIterations,
		Contradictions: s.Contradictions,
		Init: map[competitive.Init]kmeans.LCVQEInit{
			competitive.Gaussian: kmeans.PrototypesGaussian,
			competitive.Sample:   kmeans.PrototypesSample,
		}[s.Learning.Init],
		Seed: s.Seed, Threads: s.Threads,
	}
	cfg.Progress = s.iterations()
	fit, err := kmeans.FitLCVQE(ctx, p.Data, p.Links, cfg)
	if err != nil {
		return nil, err
	}
	out := nearest(fit.Labels, fit.Prototypes)
	out.Objective, out.Measure, out.Iterations, out.Unit = fit.Objective, "objective",
		fit.Iterations, "iteration"
	out.Stopped, out.Unmet = fit.Stopped.String(), fit.Violated
	out.Notes = append(out.Notes, clashing(len(fit.Clashing), "weigh in the fit")...)
	if fit.Moved > 0 {
		out.Notes = append(out.Notes,
			are(fit.Moved, "linked row")+
				" put by links, not by the nearest prototype, as a model places rows")
	}
	if fit.Objective < fit.Trace[len(fit.Trace)-1]*(1-1e-9) { // the trace is rounded
		out.Notes = append(out.Notes,
			fmt.Sprintf("the objective rose after iteration %d, whose partition is kept", fit.Best))
	}
	out.Notes = append(out.Notes, without(out.Clusters, s.Clusters)...)
	return out, nil
}

// needsClusters is the fault of a method that is not told the number of clusters.
func needsClusters(name string) error {
	return &fault.Input{Problem: name + " needs the number of clusters",
		Fix: "give it with --clusters"}
}

// clashing says that links contradict others, and what all of them do.
func clashing(n int, do string) []string {
	if n == 0 {
		return nil
	}
	verb := "contradict"
	if n == 1 {
		verb = "contradicts"
	}
	return []string{fmt.Sprintf("%s %s others; all links %s", words.Count(n, "link"), verb, do)}
}

// without says that prototypes have no rows.
func without(with, prototypes int) []string {
	if with == prototypes {
		return nil
	}
	return []string{fmt.Sprintf(
		"only %d of the %d clusters have rows: none is nearest to the other prototypes", with,
		prototypes)}
}
