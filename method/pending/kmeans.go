//go:build ignore

package method

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
)

func kmeansMethod() Method {
	return Method{
		Name:  "kmeans",
		Title: "k-means: K groups around their means",
		Source: "Lloyd 1982; k-means++ (Arthur and Vassilvitskii 2007); k-means‖ (Bahmani " +
			"et al. 2012)",
		NeedsClusters: true,
		Takes:         []string{"clusters", "starts", "max-iterations", "tolerance", "seed"},
		Default: "ten starts by k-means++ up to 20 000 rows, above that one (by k-means‖ " +
			"for many), at most 300 iterations",
		Fit:       fitKMeans,
		Draws:     true,
		Invariant: ToFactor,
	}
}

func fitKMeans(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if s.Clusters == 0 {
		return nil, needsClusters("k-means")
	}
	cfg := kmeans.Config{
		Clusters: s.Clusters, Starts: s.startsOf(p), MaxIterations: s.MaxIterations,
		Tolerance: s.Tolerance, Seed: s.Seed, Threads: s.Threads,
	}
	cfg.Progress = s.iterations()
	fit, err := kmeans.Fit(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	out := nearest(fit.Labels, fit.Centers)
	out.Objective, out.Iterations, out.Unit, out.Stopped = fit.Inertia, fit.Iterations, "iteration",
		fit.Stopped.String()
	if out.Clusters < s.Clusters {
		out.Notes = append(out.Notes,
			fmt.Sprintf("only %d of the %d clusters have rows: the data have no more distinct rows",
				out.Clusters, s.Clusters))
	}
	return out, nil
}

// startsOf returns the number of starts of methods that one poor start can mislead: where none is
// given ten, of which each is quick, up to 20 000 rows.
func (s Settings) startsOf(p Problem) int {
	if s.Starts == 0 && p.Data.Rows <= 20_000 {
		return 10
	}
	return s.Starts
}

// nearest returns the outcome of a method that places rows by the nearest mean, given the label of
// each row from 0: clusters are numbered by size, those without rows last and not counted.
func nearest(labels []int32, means dataset.Matrix) *Outcome {
	sizes := make([]int, means.Rows)
	for _, c := range labels {
		sizes[c]++
	}
	out := &Outcome{Labels: make([]int, len(labels)),
		Model: &Model{Means: means, ClusterOf: make([]int, means.Rows)}}
	for rank, c := range bySize(sizes) {
		out.Model.ClusterOf[c] = rank + 1
		if sizes[c] > 0 {
			out.Clusters++
		}
	}
	for i, c := range labels {
		out.Labels[i] = out.Model.ClusterOf[c]
	}
	return out
}

// iterations tells Progress how far the iterations of all starts are; nil where nobody listens.
func (s Settings) iterations() func(kmeans.Progress) {
	if s.Progress == nil {
		return nil
	}
	return func(q kmeans.Progress) {
		s.Progress((float64(q.Start) + float64(q.Iteration)/float64(q.MaxIterations)) /
			float64(q.Starts))
	}
}
