package constrained

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	return []method.Method{
		seededMethod(method.Method{
			Name:   "seeded-kmeans",
			Title:  "seeded k-means: k-means that starts from rows of known classes",
			Source: "Basu, Banerjee and Mooney, ICML 2002, figure 1",
		}, false, "seeded k-means"),
		seededMethod(method.Method{
			Name:   "constrained-kmeans",
			Title:  "constrained k-means: seeded k-means in which known rows stay in their classes",
			Source: "Basu, Banerjee and Mooney, ICML 2002, figure 2",
		}, true, "constrained k-means"),
		linkedMethod(method.Method{
			Name:   "copkmeans",
			Cosine: true,
			Title: "COP-k-means: k-means under which all links hold, or the error shows " +
				"why they cannot",
			Source: "Wagstaff, Cardie, Rogers and Schrödl, ICML 2001, table 1",
		}, "COP-k-means", "", "are left out", nil,
			func(ctx context.Context, data dataset.Matrix, c MPCKConfig) (*MPCKResult, error) {
				return plain(FitCOP(ctx, data, c.Config))
			}),
		linkedMethod(method.Method{
			Name:   "cvqe",
			Cosine: true,
			Title:  "CVQE: k-means in which a violated link costs the distance between centres",
			Source: "Davidson and Ravi, SDM 2005, section 5",
		}, "CVQE", "objective", "weigh in the fit", nil,
			func(ctx context.Context, data dataset.Matrix, c MPCKConfig) (*MPCKResult, error) {
				return plain(FitCVQE(ctx, data, c.Config))
			}),
		linkedMethod(method.Method{
			Name:   "pckmeans",
			Cosine: true,
			Title:  "PCK-means: k-means in which a violated link costs a weight",
			Source: "Basu, Banerjee and Mooney, SDM 2004, figure 2",
		}, "PCK-means", "objective", "weigh in the fit", func(s *settings, set *param.Set) {
			s.declareWeight(set, param.Param{Unit: "squared units of the scaled features",
				Auto: "the mean squared distance of the rows from their mean"})
		}, func(ctx context.Context, data dataset.Matrix, c MPCKConfig) (*MPCKResult, error) {
			return plain(FitPCK(ctx, data, PCKConfig{Config: c.Config, LinkWeight: c.LinkWeight}))
		}),
		linkedMethod(method.Method{
			Name:   "mpckmeans",
			Title:  "MPCK-means: PCK-means whose clusters learn metrics",
			Source: "Bilenko, Basu and Mooney, ICML 2004, figure 1",
		}, "MPCK-means", "objective", "weigh in the fit", func(s *settings, set *param.Set) {
			s.Metric = fit.Diagonal
			s.declareWeight(set, param.Param{Default: "1"})
			param.Enum(set, &s.Metric, fit.Euclidean, param.Param{Name: "cluster-metric",
				Choices: fit.MetricNames(), Default: s.Metric.String(),
				Help: "distances that clusters learn"})
			set.Bool(&s.Shared, param.Param{Name: "shared-metric", Default: "false",
				Help: "learn one metric for all clusters, not one for each"})
		}, FitMPCK),
	}
}

// settings are the parameters of the methods.
type settings struct{ MPCKConfig }

// plain returns a result without metrics as one of Euclidean distances.
func plain(r *Result, err error) (*MPCKResult, error) {
	if err != nil {
		return nil, err
	}
	return &MPCKResult{Result: *r}, nil
}

func seededMethod(m method.Method, hold bool, name string) method.Method {
	m.Labels, m.Draws, m.Cosine, m.Invariant = true, true, true, method.ToFactor
	m.Configure = func(set *param.Set) method.Steps {
		s := &settings{}
		method.ClassClusters(set, &s.Clusters)
		s.declare(set, param.Param{Default: "1"})
		return method.Steps{Fit: func(ctx context.Context, p method.Problem) (*method.Outcome,
			error) {
			return s.seeded(ctx, p, hold, name)
		}}
	}
	return m
}

// linkedMethod completes a method that learns from links. Name is how it is written; measure and do
// are as in [outcome]; declare, unless nil, declares the parameters that other methods lack.
func linkedMethod(m method.Method, name, measure, do string, declare func(*settings, *param.Set),
	fit func(context.Context, dataset.Matrix, MPCKConfig) (*MPCKResult, error)) method.Method {
	m.NeedsClusters, m.Links, m.Draws, m.Invariant = true, true, true, method.ToFactor
	m.Configure = func(set *param.Set) method.Steps {
		s := &settings{}
		method.Clusters(set, &s.Clusters)
		if declare != nil {
			declare(s, set)
		}
		s.declare(set, param.Param{Auto: "5 up to 20 000 rows, above that 1"})
		return method.Steps{Fit: func(ctx context.Context, p method.Problem) (*method.Outcome,
			error) {
			if s.Clusters == 0 {
				return nil, method.NeedsClusters(name)
			}
			cfg := s.MPCKConfig
			cfg.Options, cfg.Knowledge, cfg.Blocks = p.Options(s.Seed), p.Knowledge, p.Blocks
			cfg.Limits = cfg.Limits.Or(standard(p.Size()))
			r, err := fit(ctx, p.Data, cfg)
			if err != nil {
				return nil, err
			}
			out := outcome(p, &r.Result, measure, do)
			r.describe(out, s.Shared)
			return out, nil
		}}
	}
	return m
}

// declare declares what all methods share but the number of clusters.
func (s *settings) declare(set *param.Set, starts param.Param) {
	method.Starts(set, &s.Starts, starts)
	method.MaxIterations(set, &s.MaxIterations, param.Param{Default: "100"})
	method.Seed(set, &s.Seed)
}

func (s *settings) declareWeight(set *param.Set, p param.Param) {
	p.Name, p.Help, p.Basic = "link-weight", "what a violated link costs", true
	p.Above, p.Example = true, "1"
	set.Float(&s.LinkWeight, p)
}

func (s *settings) seeded(ctx context.Context, p method.Problem, hold bool,
	name string) (*method.Outcome, error) {
	classes, k, notes, err := p.Seeds(s.Clusters, name)
	if err != nil {
		return nil, err
	}
	cfg := s.Config
	cfg.Options, cfg.Knowledge, cfg.Clusters = p.Options(s.Seed), fit.Knowledge{Known: classes}, k
	r, err := FitSeeded(ctx, p.Data, SeededConfig{Config: cfg, Hold: hold})
	if err != nil {
		return nil, err
	}
	out := outcome(p, r, "", "")
	out.Notes = append(notes, out.Notes...)
	return out, nil
}

// describe adds the metrics to an outcome. Shared reports whether they were to be shared.
func (r *MPCKResult) describe(out *method.Outcome, shared bool) {
	if r.Metric == fit.Euclidean {
		if shared {
			out.Notef("Euclidean distances are not learnt, so that sharing them means nothing")
		}
		return
	}
	out.Model.Metric, out.Model.Roots = r.Metric.String(), r.Roots
	for _, v := range r.LogDet {
		out.Model.Offsets = append(out.Model.Offsets, -v)
	}
}

// outcome returns the outcome of a fit. Measure is what the objective is, "" where it is the
// inertia; do is what becomes of contradicting links.
func outcome(p method.Problem, r *Result, measure, do string) *method.Outcome {
	out := method.ByMeans(r.Labels, r.Centers)
	out.Objective, out.Measure, out.Iterations, out.Unit = r.Objective, measure, r.Iterations,
		"iteration"
	out.Stopped, out.Unmet = r.Stopped.String(), link.Violated(out.Labels, p.Links)
	out.Notes = append(out.Notes, method.Clashing(len(r.Clashing), do)...)
	// those of MPCK-means may be below 0
	if last := r.Trace[len(r.Trace)-1]; last-r.Objective > 1e-9*math.Abs(last) {
		out.Notef("the objective rose, and the best partition is kept")
	}
	out.Notes = append(out.Notes, method.WithoutRows(out.Clusters, r.Centers.Rows)...)
	return out
}
