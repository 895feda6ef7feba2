//go:build ignore

package method

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/cluster/spectral"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// spectralMethods cut a graph of nearest neighbours.
func spectralMethods() []Method {
	graph := []string{"clusters", "starts", "seed", "neighbours", "bandwidth", "graph"}
	return []Method{
		{
			Name: "spectral",
			Title: "spectral clustering: k-means on the lowest eigenvectors of a graph " +
				"of nearest neighbours",
			Source: "Ng, Jordan and Weiss, NIPS 2001; local scaling of Zelnik-Manor and " +
				"Perona, NIPS 2004",
			Takes: slices.Concat([]string{"eigenvectors"}, graph, comparedTakes),
			Default: "20 nearest neighbours, locally scaled weights, as many eigenvectors " +
				"as clusters, 10 starts of k-means",
			NeedsClusters: true,
			Dissimilarity: true,
			Draws:         true,
			Invariant:     ToFactor,
			Fit:           fitSpectral,
		},
		{
			Name: "ccsr",
			Title: "CCSR: spectral clustering whose layout is transformed so that links " +
				"are met",
			Source: "Li, Liu and Tang, CVPR 2009",
			Takes: slices.Concat([]string{"eigenvectors", "link-weight", "max-iterations",
				"tolerance"}, graph, comparedTakes, linkTakes),
			Default: "20 nearest neighbours, locally scaled weights, 15 eigenvectors " +
				"(fewer below 120 rows), links of the weight 1, 10 starts of k-means",
			NeedsClusters: true,
			Dissimilarity: true,
			Links:         true,
			Draws:         true,
			Invariant:     ToFactor,
			Fit:           fitCCSR,
		},
		{
			Name: "cosc",
			Title: "COSC: the least normalised cut of a graph that honours all links, " +
				"where some cut does",
			Source: "Rangapuram and Hein, AISTATS 2012",
			Takes:  slices.Concat(graph, comparedTakes, linkTakes),
			Default: "20 nearest neighbours, locally scaled weights, 3 starts of each cut " +
				"and one more from the links",
			NeedsClusters: true,
			Dissimilarity: true,
			Links:         true,
			Draws:         true,
			Invariant:     ToFactor,
			Fit:           fitCOSC,
		},
	}
}

// graph builds the graph of a problem, which takes the first part of the work.
func (p Problem) graph(ctx context.Context, s Settings, name string) (*spectral.Graph, error) {
	if s.Clusters == 0 {
		return nil, needsClusters(name)
	}
	search, ok := map[string]spectral.Search{"": spectral.Auto, "exact": spectral.Exact,
		"approximate": spectral.Approximate}[s.Tuning.Graph]
	if !ok {
		return nil, &fault.Input{Problem: fmt.Sprintf("there is no graph %q", s.Tuning.Graph),
			Fix: "use exact or approximate"}
	}
	cfg := spectral.GraphConfig{Neighbours: s.Tuning.Neighbours, Bandwidth: s.Tuning.Bandwidth,
		Search: search, Seed: s.Seed, Threads: s.Threads}
	if s.Progress != nil {
		cfg.Progress = func(share float64) { s.Progress(share * graphShare) }
	}
	if p.vectors() {
		return spectral.VectorGraph(ctx, p.Data, cfg)
	}
	src, _, err := compared(p)
	if err != nil {
		return nil, err
	}
	return spectral.ObjectGraph(ctx, src, cfg)
}

// graphShare is the share of the work that the graph is said to be.
const graphShare = 0.3

// afterGraph tells Progress the rest; nil where nobody listens.
func (s Settings) afterGraph() func(float64) {
	if s.Progress == nil {
		return nil
	}
	return func(share float64) { s.Progress(graphShare + (1-graphShare)*share) }
}

// ofGraph makes the outcome of a partition of the nodes of a graph.
func ofGraph(ctx context.Context, p Problem, s Settings, g *spectral.Graph, labels []int32,
	notes []string) (*Outcome, error) {
	out := byLabels(labels)
	out.Unit, out.Measure = "iteration", "objective"
	out.Unmet = link.Violated(out.Labels, p.Links)
	about := fmt.Sprintf("%s of each row", words.Count(g.Neighbours, "nearest neighbour"))
	if g.Search == spectral.Approximate {
		about += ", found approximately"
	}
	if same := g.Rows() - g.Nodes(); same > 0 {
		about += "; " + are(same, "row") + " one with an equal row in the graph"
	}
	if s.Clusters > 1 && g.Nodes() > s.Clusters {
		out.Notes = append(out.Notes, about)
	}
	out.Notes = append(out.Notes, notes...)
	var err error
	out.Model, err = exemplars(ctx, p, out, nil, 0, s)
	return out, err
}

func fitSpectral(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	g, err := p.graph(ctx, s, "spectral clustering")
	if err != nil {
		return nil, err
	}
	fit, err := spectral.Fit(ctx, g, spectral.Config{
		Clusters: s.Clusters, Dimensions: s.Tuning.Dimensions, Starts: s.Starts, Seed: s.Seed,
		Threads: s.Threads, Progress: s.afterGraph(),
	})
	if err != nil {
		return nil, err
	}
	out, err := ofGraph(ctx, p, s, g, fit.Labels, fit.Notes)
	if err != nil {
		return nil, err
	}
	out.Objective, out.Iterations, out.Stopped = fit.Inertia, fit.Iterations, fit.Stopped
	return out, nil
}

func fitCCSR(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	g, err := p.graph(ctx, s, "CCSR")
	if err != nil {
		return nil, err
	}
	fit, err := spectral.FitCCSR(ctx, g, p.Links, spectral.CCSRConfig{
		Clusters: s.Clusters, Dimensions: s.Tuning.Dimensions, LinkWeight: s.Tuning.LinkWeight,
		Starts:        s.Starts,
		MaxIterations: s.MaxIterations, Tolerance: s.Tolerance, Contradictions: s.Contradictions,
		Seed: s.Seed, Threads: s.Threads, Progress: s.afterGraph(),
	})
	if err != nil {
		return nil, err
	}
	out, err := ofGraph(ctx, p, s, g, fit.Labels,
		append(fit.Notes, clashing(len(fit.Clashing), "weigh in the fit")...))
	if err != nil {
		return nil, err
	}
	out.Objective, out.Iterations, out.Stopped = fit.Objective, fit.Steps, "converged"
	if !fit.Settled {
		out.Stopped = "iteration limit"
	}
	return out, nil
}

func fitCOSC(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	g, err := p.graph(ctx, s, "COSC")
	if err != nil {
		return nil, err
	}
	fit, err := spectral.FitCOSC(ctx, g, p.Links, spectral.COSCConfig{
		Clusters: s.Clusters, Starts: s.Starts, Contradictions: s.Contradictions, Seed: s.Seed,
		Threads: s.Threads, Progress: s.afterGraph(),
	})
	if err != nil {
		return nil, err
	}
	notes := fit.Notes
	if n := len(fit.Clashing); n > 0 {
		notes = append(notes, are(n, "link")+" left out, as each contradicts others")
	}
	out, err := ofGraph(ctx, p, s, g, fit.Labels, notes)
	if err != nil {
		return nil, err
	}
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Stopped = fit.Cut, "normalised cut",
		cmp.Or(fit.Cuts, 1), "cut", "converged"
	return out, nil
}
