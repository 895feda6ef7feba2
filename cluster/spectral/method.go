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
				return s.steps("spectral clustering", func(ctx context.Context, g *Graph,
					opts fit.Options, _ fit.Knowledge) (*Result, error) {
					return Fit(ctx, g, s.config(opts))
				})
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
				return s.steps("CCSR", s.ccsr)
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
				s.measure, s.unit = "normalised cut", "cut"
				return s.steps("COSC", s.cosc)
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

	measure, unit string // of outcomes
}

// newSettings declares what all methods share, with the default number of starts.
func newSettings(set *param.Set, starts string) *settings {
	s := &settings{measure: "objective", unit: "iteration"}
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
		Auto: "exact up to 50 000 rows of numbers or 20 000 others, and for up to 8 columns; " +
			"else approximate"})
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
func (s *settings) outcome(ctx context.Context, p method.Problem, g *Graph,
	r *Result) (*method.Outcome, error) {
	out := method.ByLabels(r.Labels)
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Stopped = r.Objective, s.measure,
		r.Iterations, s.unit, r.Stopped.String()
	out.Unmet = link.Violated(out.Labels, p.Links)
	about := fmt.Sprintf("%s of each row", words.Count(g.Neighbours, "nearest neighbour"))
	if g.Search == Approximate {
		about += fmt.Sprintf(", found approximately: %.4g %% are no farther than the last true one, "+
			"measured on a sample", 100*g.Recall)
	}
	if same := g.Rows() - g.Nodes(); same > 0 {
		about += "; " + method.Are(same, "row") + " one with an equal row in the graph"
	}
	if s.clusters > 1 && g.Nodes() > s.clusters {
		out.Notes = append(out.Notes, about)
	}
	out.Notes = append(out.Notes, r.Notes...)
	var err error
	out.Model, err = method.PlaceByExemplars(ctx, p, out, nil, 0, s.modelRows, s.Seed)
	return out, err
}

// steps returns the steps of a method, whose name is for errors: run clusters the graph of a
// problem.
func (s *settings) steps(name string, run func(context.Context, *Graph, fit.Options,
	fit.Knowledge) (*Result, error)) method.Steps {
	return method.Steps{Fit: func(ctx context.Context, p method.Problem) (*method.Outcome, error) {
		g, opts, err := s.graph(ctx, p, name)
		if err != nil {
			return nil, err
		}
		r, err := run(ctx, g, opts, p.Knowledge)
		if err != nil {
			return nil, err
		}
		return s.outcome(ctx, p, g, r)
	}}
}

// config returns the configuration of a method for the options of a problem.
func (s *settings) config(opts fit.Options) Config {
	return Config{Options: opts, Limits: s.limits, Clusters: s.clusters, Dimensions: s.dimensions}
}

func (s *settings) ccsr(ctx context.Context, g *Graph, opts fit.Options,
	known fit.Knowledge) (*Result, error) {
	r, err := FitCCSR(ctx, g,
		CCSRConfig{Config: s.config(opts), Knowledge: known, LinkWeight: s.linkWeight})
	if err != nil {
		return nil, err
	}
	r.Notes = append(r.Notes, method.Clashing(len(r.Clashing), "weigh in the fit")...)
	return &r.Result, nil
}

func (s *settings) cosc(ctx context.Context, g *Graph, opts fit.Options,
	known fit.Knowledge) (*Result, error) {
	r, err := FitCOSC(ctx, g,
		COSCConfig{Options: opts, Limits: s.limits, Knowledge: known, Clusters: s.clusters})
	if err != nil {
		return nil, err
	}
	if n := len(r.Clashing); n > 0 {
		r.Notes = append(r.Notes, method.Are(n, "link")+" left out, as each contradicts others")
	}
	return &Result{Labels: r.Labels, Objective: r.Objective, Iterations: cmp.Or(r.Cuts, 1),
		Notes: r.Notes}, nil
}
