package spectral

import (
	"cmp"
	"context"
	"fmt"

	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	methods := []method.Method{
		{
			Name: "spectral",
			Title: "spectral clustering: k-means on the lowest eigenvectors of a graph " +
				"of nearest neighbours",
			Source: "Ng, Jordan and Weiss, NIPS 2001; local scaling of Zelnik-Manor and " +
				"Perona, NIPS 2004",
			Configure: func(set *param.Set) method.Steps {
				s := newSettings(set, "10")
				s.declareDimensions(set, param.Param{Auto: "as many as clusters"})
				return method.Steps{Fit: s.spectral}
			},
		},
		{
			Name: "ccsr",
			Title: "CCSR: spectral clustering whose layout is transformed so that links " +
				"are met",
			Source: "Li, Liu and Tang, CVPR 2009",
			Links:  true,
			Configure: func(set *param.Set) method.Steps {
				s := newSettings(set, "10")
				s.declareDimensions(set, param.Param{Max: mostDimensions,
					Auto: "15, fewer below 120 rows, or as many as clusters where that is more"})
				set.Float(&s.linkWeight, param.Param{Name: "link-weight", Default: "1",
					Above: true, Help: "weight of a link beside that of a row"})
				method.MaxIterations(set, &s.limits.MaxIterations, param.Param{Default: "5000",
					Help: "at most so many steps of the projected gradient"})
				method.Tolerance(set, &s.limits.Tolerance, param.Param{Default: "1e-8",
					Help: "the steps end where one is no longer than this share of the norm of " +
						"the kernel"})
				return method.Steps{Fit: s.ccsr}
			},
		},
		{
			Name: "cosc",
			Title: "COSC: the least normalised cut of a graph that honours all links, " +
				"where some cut does",
			Source: "Rangapuram and Hein, AISTATS 2012",
			Links:  true,
			Configure: func(set *param.Set) method.Steps {
				s := newSettings(set, "3")
				return method.Steps{Fit: s.cosc}
			},
		},
	}
	for i := range methods {
		m := &methods[i]
		m.NeedsClusters, m.Dissimilarity, m.Draws, m.Invariant = true, true, true, method.ToFactor
	}
	return methods
}

// settings are the parameters of the methods.
type settings struct {
	GraphConfig
	limits     fit.Limits
	clusters   int
	dimensions int
	linkWeight float64
	modelRows  int
}

// newSettings declares what all methods share, with the default number of starts.
func newSettings(set *param.Set, starts string) *settings {
	s := &settings{}
	method.Clusters(set, &s.clusters)
	set.Int(&s.Neighbours, param.Param{Name: "neighbours", Basic: true, Default: "20", Min: 1,
		Help: "nearest neighbours that each row is linked to in the graph"})
	set.Float(&s.Bandwidth, param.Param{Name: "bandwidth", Above: true, Example: "1",
		Help: "σ of the weights exp(−d²/2σ²) of the graph",
		Unit: "that of the scaled features or dissimilarities",
		Auto: "for each pair, by the distances to the 7th nearest neighbours of both"})
	param.Enum(set, &s.Search, Exact, param.Param{Name: "graph",
		Choices: []string{Exact.String(), Approximate.String()},
		Help:    "how neighbours are found",
		Auto:    "exact up to 20 000 rows, and for up to 8 columns; else approximate"})
	method.Starts(set, &s.limits.Starts, param.Param{Default: starts})
	method.Seed(set, &s.Seed)
	method.ModelRows(set, &s.modelRows, "1000")
	return s
}

// declareDimensions declares the number of eigenvectors: p has its Auto.
func (s *settings) declareDimensions(set *param.Set, p param.Param) {
	p.Name, p.Min, p.Example = "eigenvectors", 1, "10"
	p.Help = "eigenvectors that rows are laid out by"
	set.Int(&s.dimensions, p)
}

// graphShare is the share of the work that the graph is taken to be.
const graphShare = 0.3

// graph builds the graph of a problem, and returns the options for the rest of the work.
func (s *settings) graph(ctx context.Context, p method.Problem, name string) (*Graph, fit.Options,
	error) {
	rest := p.Options(s.Seed)
	if s.clusters == 0 {
		return nil, rest, method.NeedsClusters(name)
	}
	cfg := s.GraphConfig
	cfg.Options = rest
	cfg.Progress = fit.Part(p.Progress, 0, graphShare)
	rest.Progress = fit.Part(p.Progress, graphShare, 1)
	if p.Vectors() {
		g, err := VectorGraph(ctx, p.Data, cfg)
		return g, rest, err
	}
	src, _, err := p.Compared()
	if err != nil {
		return nil, rest, err
	}
	g, err := ObjectGraph(ctx, src, cfg)
	return g, rest, err
}

// outcome returns the outcome of a partition of the rows of a graph.
func (s *settings) outcome(ctx context.Context, p method.Problem, g *Graph, labels []int32,
	notes []string) (*method.Outcome, error) {
	out := method.ByLabels(labels)
	out.Unit, out.Measure = "iteration", "objective"
	out.Unmet = link.Violated(out.Labels, p.Links)
	about := fmt.Sprintf("%s of each row", words.Count(g.Neighbours, "nearest neighbour"))
	if g.Search == Approximate {
		about += ", found approximately"
	}
	if same := g.Rows() - g.Nodes(); same > 0 {
		about += "; " + method.Are(same, "row") + " one with an equal row in the graph"
	}
	if s.clusters > 1 && g.Nodes() > s.clusters {
		out.Notes = append(out.Notes, about)
	}
	out.Notes = append(out.Notes, notes...)
	var err error
	out.Model, err = method.PlaceByExemplars(ctx, p, out, nil, 0, s.modelRows, s.Seed)
	return out, err
}

func (s *settings) spectral(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	g, opts, err := s.graph(ctx, p, "spectral clustering")
	if err != nil {
		return nil, err
	}
	r, err := Fit(ctx, g, Config{Options: opts, Limits: s.limits, Clusters: s.clusters,
		Dimensions: s.dimensions})
	if err != nil {
		return nil, err
	}
	out, err := s.outcome(ctx, p, g, r.Labels, r.Notes)
	if err != nil {
		return nil, err
	}
	out.Objective, out.Iterations, out.Stopped = r.Objective, r.Iterations, r.Stopped.String()
	return out, nil
}

func (s *settings) ccsr(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	g, opts, err := s.graph(ctx, p, "CCSR")
	if err != nil {
		return nil, err
	}
	r, err := FitCCSR(ctx, g, CCSRConfig{Options: opts, Limits: s.limits, Knowledge: p.Knowledge,
		Clusters: s.clusters, Dimensions: s.dimensions, LinkWeight: s.linkWeight})
	if err != nil {
		return nil, err
	}
	out, err := s.outcome(ctx, p, g, r.Labels,
		append(r.Notes, method.Clashing(len(r.Clashing), "weigh in the fit")...))
	if err != nil {
		return nil, err
	}
	out.Objective, out.Iterations, out.Stopped = r.Objective, r.Iterations, r.Stopped.String()
	return out, nil
}

func (s *settings) cosc(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	g, opts, err := s.graph(ctx, p, "COSC")
	if err != nil {
		return nil, err
	}
	r, err := FitCOSC(ctx, g, COSCConfig{Options: opts, Limits: s.limits, Knowledge: p.Knowledge,
		Clusters: s.clusters})
	if err != nil {
		return nil, err
	}
	notes := r.Notes
	if n := len(r.Clashing); n > 0 {
		notes = append(notes, method.Are(n, "link")+" left out, as each contradicts others")
	}
	out, err := s.outcome(ctx, p, g, r.Labels, notes)
	if err != nil {
		return nil, err
	}
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Stopped = r.Objective,
		"normalised cut", cmp.Or(r.Cuts, 1), "cut", fit.Converged.String()
	return out, nil
}
