package spectral

import (
	"cmp"
	"context"
	"math"

	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
)

// Config is how to cluster by [Fit]. Only Clusters must be set.
type Config struct {
	fit.Options

	// Starts is the number of starts of k-means, 10 by default. MaxIterations and Tolerance mean
	// nothing.
	fit.Limits

	// Clusters is the number of clusters k, from 1 to the number of nodes.
	Clusters int

	// Dimensions is the number of eigenvectors that rows are laid out by, from 2. 0: Clusters.
	Dimensions int
}

// Result is a partition of the rows of a graph.
type Result struct {
	Labels     []int32    // cluster of each row, from 0
	Values     []float64  // eigenvalues of the Laplacian that were used, ascending
	Objective  float64    // inertia of k-means, on the layout of the rows
	Iterations int        // of k-means
	Stopped    fit.Reason // why k-means stopped
	Notes      []string   // what was peculiar about the graph, as clauses
}

// Fit is normalised spectral clustering: rows are laid out by the lowest eigenvectors of the
// normalised Laplacian, each row brought to length 1, and clustered by k-means (Ng, Jordan and
// Weiss, NIPS 2001). The graph is of nearest neighbours where the paper's is complete. A graph of
// more than k components, or of as many as there are dimensions where those are fewer, is treated
// as by [Graph.Embed]. Bad input is a [*fault.Input]; when ctx is done Fit returns its error.
func Fit(ctx context.Context, g *Graph, cfg Config) (*Result, error) {
	if err := g.checkClusters(cfg.Clusters); err != nil {
		return nil, err
	}
	if err := cfg.Limits.Check(); err != nil {
		return nil, err
	}
	if err := checkDimensions(cfg.Dimensions, cfg.Clusters); err != nil {
		return nil, err
	}
	if labels := g.trivial(cfg.Clusters); labels != nil {
		return &Result{Labels: labels}, ctx.Err()
	}
	cfg.Limits = cfg.Limits.Or(fit.Limits{Starts: 10})
	d := cmp.Or(cfg.Dimensions, cfg.Clusters)
	e, err := g.Embed(ctx, d, fewest(d, cfg.Clusters), cfg.Seed, cfg.Threads,
		part(cfg.Progress, 0, 0.8))
	if err != nil {
		return nil, err
	}
	d = len(e.Vectors)
	rows := make([]float64, g.Nodes()*d)
	for i := range g.Nodes() {
		row := rows[i*d : (i+1)*d]
		sum := 0.0
		for c, v := range e.Vectors {
			row[c] = v[i]
			sum += float64(v[i] * v[i])
		}
		if sum > 0 {
			sum = math.Sqrt(sum)
			linalg.Divide(row, sum)
		}
	}
	means, err := g.cluster(ctx, rows, d, cfg.Clusters, cfg.Starts, cfg.Seed, cfg.Threads)
	if err != nil {
		return nil, err
	}
	part(cfg.Progress, 0, 1)(1)
	return &Result{Labels: means.Labels, Values: e.Values, Objective: means.Objective,
		Iterations: means.Iterations, Stopped: means.Stopped, Notes: e.notes()}, nil
}

// part returns a function that reports shares of the part of the work from lo to hi, two shares of
// it.
func part(report func(fit.Progress), lo, hi float64) func(float64) {
	if report == nil {
		return func(float64) {}
	}
	to := fit.Share(fit.Part(report, lo, hi))
	return func(share float64) { to(min(1, max(0, share))) }
}
