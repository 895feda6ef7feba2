package kmeans

import (
	"context"

	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	return []method.Method{
		{
			Name:  "kmeans",
			Title: "k-means: K groups around their means",
			Source: "Lloyd 1982; k-means++ (Arthur and Vassilvitskii 2007); k-means‖ (Bahmani " +
				"et al. 2012)",
			NeedsClusters: true,
			Draws:         true,
			Invariant:     method.ToFactor,
			Cosine:        true,
			Configure: func(set *param.Set) method.Steps {
				s := &settings{}
				declare(set, &s.Config, "300")
				method.Tolerance(set, &s.Tolerance, param.Param{Default: "1e-4",
					Help: "a start ends where the centres move by less, as a share of the mean " +
						"variance of the columns"})
				method.Seed(set, &s.Seed)
				return method.Steps{Fit: s.fit}
			},
		},
		{
			Name:  "lcvqe",
			Title: "LCVQE: k-means that weighs must-links and cannot-links against distances",
			Source: "Pelleg and Baras, ECML 2007; Covões, Hruschka and Ghosh, IEEE TNNLS 24 " +
				"(2013), equations A.1 to A.6",
			NeedsClusters: true,
			Links:         true,
			Draws:         true,
			Invariant:     method.ToFactor,
			Cosine:        true,
			Configure: func(set *param.Set) method.Steps {
				s := &settings{}
				declare(set, &s.Config, "100")
				param.Enum(set, &s.init, PrototypesPlusPlus, param.Param{Name: "init",
					Choices: lcvqeInits.Words,
					Help: "where prototypes start: by k-means++, drawn as a fifth of the rows is " +
						"spread, or at distinct rows"})
				method.Seed(set, &s.Seed)
				return method.Steps{Fit: s.fitLCVQE}
			},
		},
	}
}

// settings are the parameters of both methods.
type settings struct {
	Config
	init LCVQEInit
}

// declare declares what the methods share.
func declare(set *param.Set, c *Config, iterations string) {
	method.Clusters(set, &c.Clusters)
	method.Starts(set, &c.Starts, param.Param{Auto: "10 up to 20 000 rows, above that 1"})
	method.MaxIterations(set, &c.MaxIterations, param.Param{Default: iterations})
}

// config returns the configuration for a problem. One poor start can mislead the methods, and up to
// 20 000 rows each start is quick.
func (s *settings) config(p method.Problem) Config {
	cfg := s.Config
	cfg.Options = p.Options(s.Seed)
	if cfg.Starts == 0 && p.Size() <= 20_000 {
		cfg.Starts = 10
	}
	return cfg
}

func (s *settings) fit(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	if s.Clusters == 0 {
		return nil, method.NeedsClusters("k-means")
	}
	cfg := s.config(p)
	cfg.Spherical = p.Unit
	r, err := Fit(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	out := method.ByMeans(r.Labels, r.Centers)
	out.Objective, out.Iterations, out.Unit, out.Stopped = r.Objective, r.Iterations, "iteration",
		r.Stopped.String()
	if p.Unit {
		out.Objective, out.Measure = r.Objective/2, "sum of 1 − cos"
	}
	if out.Clusters < s.Clusters {
		out.Notef("only %d of the %d clusters have rows: the data have no more distinct rows",
			out.Clusters, s.Clusters)
	}
	return out, nil
}

func (s *settings) fitLCVQE(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	if s.Clusters == 0 {
		return nil, method.NeedsClusters("LCVQE")
	}
	cfg := s.config(p)
	r, err := FitLCVQE(ctx, p.Data, LCVQEConfig{Options: cfg.Options, Limits: cfg.Limits,
		Knowledge: p.Knowledge, Clusters: cfg.Clusters, Init: s.init})
	if err != nil {
		return nil, err
	}
	out := method.ByMeans(r.Labels, r.Prototypes)
	out.Objective, out.Measure, out.Iterations, out.Unit = r.Objective, "objective", r.Iterations,
		"iteration"
	out.Stopped, out.Unmet = r.Stopped.String(), r.Violated
	out.Notes = append(out.Notes, method.Clashing(len(r.Clashing), "weigh in the fit")...)
	out.Note(r.Moved, "put by links, not by the nearest prototype, as a model places rows",
		"linked row")
	if r.Objective < r.Trace[len(r.Trace)-1]*(1-1e-9) { // the trace is rounded
		out.Notef("the objective rose after iteration %d, whose partition is kept", r.Best)
	}
	out.Notes = append(out.Notes, method.WithoutRows(out.Clusters, s.Clusters)...)
	return out, nil
}
