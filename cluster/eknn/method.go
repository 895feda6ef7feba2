package eknn

import (
	"context"

	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	return []method.Method{{
		Name: "eknnclus",
		Title: "EK-NNclus: objects go over to the cluster of their nearest neighbours, and " +
			"the number of clusters is found",
		Source: "Denœux, Kanjanatarakul and Sriboonchitta, Knowledge-Based Systems 88 " +
			"(2015)",
		Dissimilarity: true,
		Masses:        true,
		Draws:         true,
		Invariant:     method.ToFactor,
		Configure: func(set *param.Set) method.Steps {
			s := &settings{}
			set.Int(&s.Neighbours, param.Param{Name: "neighbours", Basic: true, Min: 1,
				Help: "nearest neighbours that vote for the cluster of a row: more make fewer " +
					"clusters",
				Auto: "3√n of n rows", Example: "50"})
			set.Float(&s.Quantile, param.Param{Name: "quantile", Default: "0.95", Max: 1,
				Above: true,
				Help:  "quantile of the dissimilarities to neighbours that scales them"})
			method.Starts(set, &s.Starts, param.Param{Default: "10"})
			method.MaxIterations(set, &s.MaxIterations, param.Param{Default: "1000",
				Help: "at most so many sweeps per start"})
			method.Seed(set, &s.Seed)
			method.ModelRows(set, &s.modelRows, "1000")
			return method.Steps{Fit: s.fit}
		},
	}}
}

// settings are the parameters of the method.
type settings struct {
	Config
	modelRows int
}

func (s *settings) fit(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	src, _, err := p.Compared()
	if err != nil {
		return nil, err
	}
	cfg := s.Config
	cfg.Options = p.Options(s.Seed)
	r, err := FitSource(ctx, src, cfg)
	if err != nil {
		return nil, err
	}
	var out *method.Outcome
	if r.Credal != nil {
		if out, _, err = method.ByMasses(r.Credal); err != nil {
			return nil, err
		}
	} else {
		out = method.ByLabels(r.Labels)
		out.Notef("%d clusters are too many for masses: more --neighbours find fewer", r.Clusters)
	}
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Estimate = r.Objective, "objective",
		r.Iterations, "sweep", r.Clusters
	out.Stopped = r.Stopped.String()
	out.Model, err = method.PlaceByExemplars(ctx, p, out, nil, 0, s.modelRows, s.Seed)
	return out, err
}
