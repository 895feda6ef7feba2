package spectral

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/fault"
)

// Config reports how to cluster by [Fit]. Only Clusters must be set; the zero value of every other
// field is a documented default.
type Config struct {
	// Clusters is the number of clusters k, from 1 to the number of nodes.
	Clusters int

	// Dimensions is the number of eigenvectors that rows are laid out by, from 2. 0: Clusters.
	Dimensions int

	// Starts is the number of starts of k-means, of which the best is kept. 0: 10.
	Starts int

	Seed    uint64 // chooses the random numbers
	Threads int    // 0: one a processor. It never changes the result

	// Progress, unless nil, is told the share of the work done.
	Progress func(share float64)
}

// Result is a partition of the rows of a graph.
type Result struct {
	Labels     []int32   // cluster of each row, from 0
	Values     []float64 // eigenvalues of the Laplacian that were used, rising
	Inertia    float64   // of k-means, on the layout of the rows
	Iterations int       // of k-means
	Stopped    string    // why k-means stopped
	Notes      []string  // what was peculiar about the graph, as clauses
}

// Fit is normalised spectral clustering: rows are laid out by the lowest eigenvectors of the
// normalised Laplacian, each row brought to length 1, and clustered by k-means (Ng, Jordan and
// Weiss, NIPS 2001). The graph is of nearest neighbours where the paper's is complete. A graph of
// more than k components, or of as many as there are dimensions where those are fewer, is dealt
// with as [Graph.Embed] says.
func Fit(ctx context.Context, g *Graph, cfg Config) (*Result, error) {
	if err := g.checkClusters(cfg.Clusters); err != nil {
		return nil, err
	}
	if cfg.Starts < 0 {
		return nil, &fault.Input{Problem: fmt.Sprintf("%d starts asked for", cfg.Starts),
			Fix: "ask for at least 1, or 0 for the default"}
	}
	if err := checkDimensions(cfg.Dimensions, cfg.Clusters); err != nil {
		return nil, err
	}
	if labels := g.trivial(cfg.Clusters); labels != nil {
		return &Result{Labels: labels, Stopped: "converged"}, ctx.Err()
	}
	if cfg.Starts == 0 {
		cfg.Starts = 10
	}
	d := cfg.Dimensions
	if d == 0 {
		d = cfg.Clusters
	}
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
			for c := range row {
				row[c] /= sum
			}
		}
	}
	fit, err := g.cluster(ctx, rows, d, cfg.Clusters, cfg.Starts, cfg.Seed, cfg.Threads)
	if err != nil {
		return nil, err
	}
	part(cfg.Progress, 0, 1)(1)
	return &Result{Labels: fit.Labels, Values: e.Values, Inertia: fit.Objective,
		Iterations: fit.Iterations,
		Stopped:    fit.Stopped.String(), Notes: e.notes()}, nil
}

// part makes a progress callback tell shares between two ends of the whole. It takes nil.
func part(progress func(float64), from, to float64) func(float64) {
	if progress == nil {
		return func(float64) {}
	}
	return func(share float64) { progress(from + (to-from)*min(1, max(0, share))) }
}
