package method

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/kmeans"
)

func kmeansMethod() Method {
	return Method{
		Name:          "kmeans",
		Title:         "k-means: K groups around their means",
		Source:        "Lloyd 1982; k-means++ (Arthur and Vassilvitskii 2007); k-means‖ (Bahmani et al. 2012)",
		NeedsClusters: true,
		Takes:         []string{"clusters", "starts", "max-iterations", "tolerance", "seed"},
		Default:       "one start by k-means++ (k-means‖ for many rows), at most 300 iterations",
		Fit:           fitKMeans,
	}
}

func fitKMeans(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if s.Clusters == 0 {
		return nil, &fault.Input{Problem: "k-means needs the number of clusters", Mend: "give it with --clusters"}
	}
	cfg := kmeans.Config{
		Clusters: s.Clusters, Starts: s.Starts, MaxIterations: s.MaxIterations,
		Tolerance: s.Tolerance, Seed: s.Seed, Threads: s.Threads,
	}
	if s.Progress != nil {
		cfg.Progress = func(q kmeans.Progress) {
			s.Progress((float64(q.Start) + float64(q.Iteration)/float64(q.MaxIterations)) / float64(q.Starts))
		}
	}
	fit, err := kmeans.Fit(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	order := bySize(fit.Sizes)
	out := &Outcome{
		Labels: make([]int, len(fit.Labels)), Objective: fit.Inertia,
		Iterations: fit.Iterations, Unit: "iteration", Stopped: fit.Stopped.String(),
		Model: &Model{Means: dataset.Matrix{Rows: fit.Centers.Rows, Cols: fit.Centers.Cols, F64: fit.Centers.F64}},
	}
	out.Model.ClusterOf = make([]int, len(order))
	for rank, c := range order {
		out.Model.ClusterOf[c] = rank + 1
		if fit.Sizes[c] > 0 {
			out.Clusters++
		}
	}
	for i, c := range fit.Labels {
		out.Labels[i] = out.Model.ClusterOf[c]
	}
	if empty := len(fit.Sizes) - out.Clusters; empty > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("only %d of the %d clusters have rows: the data have no more distinct rows", out.Clusters, len(fit.Sizes)))
	}
	return out, nil
}
