package ecm

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	methods := []method.Method{
		{
			Name: "ecm",
			Title: "ECM, evidential c-means: masses on sets of clusters by the distance " +
				"to their barycentres",
			Source:    "Masson and Denœux, Pattern Recognition 41 (2008)",
			Configure: ofVectors("ECM", Fit, (*settings).declarePenalty, (*settings).declareMetric),
		},
		{
			Name:  "cecm",
			Title: "CECM: evidential c-means under must-links and cannot-links",
			Source: "Antoine, Quost, Masson and Denœux, Computational Statistics & Data " +
				"Analysis 56 (2012), with the penalties of Soft Computing 18 (2014)",
			Links: true,
			Configure: ofVectors("CECM", Fit, (*settings).declarePenalty, (*settings).declareMetric,
				(*settings).declareLinkWeight),
		},
		{
			Name: "ccm",
			Title: "CCM, credal c-means: evidential c-means in which a set is near what " +
				"is about as far from each of its clusters",
			Source:    "Liu, Pan, Dezert and Mercier, Knowledge-Based Systems 74 (2015)",
			Configure: ofVectors("CCM", FitCredal),
		},
		{
			Name:          "recm",
			Title:         "RECM: evidential c-means on dissimilarities",
			Source:        "Masson and Denœux, Pattern Recognition Letters 30 (2009)",
			Dissimilarity: true,
			Configure:     ofObjects("RECM", "1.5", FitRelational),
		},
		{
			Name:          "mecm",
			Title:         "MECM: evidential c-means around medoids, on any dissimilarities",
			Source:        "Zhou, Martin, Pan and Liu, Knowledge-Based Systems 74 (2015)",
			Dissimilarity: true,
			Configure:     ofObjects("MECM", "2", FitMedian),
		},
	}
	for i := range methods {
		m := &methods[i]
		m.NeedsClusters, m.Masses, m.Draws, m.Invariant = true, true, true, method.ToFactor
		m.Cosine = !m.Dissimilarity
	}
	return methods
}

// ofVectors configures a method that fits rows and has some parameters of its own.
func ofVectors(name string, fit fitter[dataset.Matrix],
	own ...func(*settings, *param.Set)) func(*param.Set) method.Steps {
	return func(set *param.Set) method.Steps {
		s := newSettings(set, name, "2", "1")
		for _, declare := range own {
			declare(s, set)
		}
		return method.Steps{Fit: func(ctx context.Context,
			p method.Problem) (*method.Outcome, error) {
			return s.vectors(ctx, p, fit)
		}}
	}
}

// ofObjects configures a method that fits dissimilarities, with its default fuzziness.
func ofObjects(name, fuzziness string, fit fitter[dissim.Source]) func(*param.Set) method.Steps {
	return func(set *param.Set) method.Steps {
		s := newSettings(set, name, fuzziness, "5")
		s.declarePenalty(set)
		method.ModelRows(set, &s.modelRows, "1000")
		return method.Steps{Fit: func(ctx context.Context,
			p method.Problem) (*method.Outcome, error) {
			return s.objects(ctx, p, fit)
		}}
	}
}

// fitter is a function that fits data.
type fitter[Data any] func(context.Context, Data, Config) (*Result, error)

// settings are the parameters of the methods.
type settings struct {
	Config
	name      string // of the method, for errors
	learns    bool   // from links
	focal     string
	modelRows int
}

// newSettings declares what all methods share, with two defaults that they differ in.
func newSettings(set *param.Set, name, fuzziness, starts string) *settings {
	s := &settings{name: name}
	method.Clusters(set, &s.Clusters)
	method.Focal(set, &s.focal,
		param.Param{Basic: true, Auto: "pairs up to 5 clusters, above that simple"})
	set.Float(&s.Fuzziness, param.Param{Name: "fuzziness", Default: fuzziness, Min: 1, Max: 100,
		Above: true, Help: "exponent of masses: near 1 they are almost hard"})
	set.Float(&s.NoiseDistance, param.Param{Name: "noise-distance", Above: true, Example: "1",
		Help: "distance of the empty set: rows much farther from all prototypes are outliers",
		Unit: "that of the scaled features or dissimilarities",
		Auto: "the 0.95 quantile of the distances between rows"})
	method.Starts(set, &s.Starts, param.Param{Default: starts})
	method.MaxIterations(set, &s.MaxIterations, param.Param{Default: "1000"})
	method.Tolerance(set, &s.Tolerance, param.Param{Default: "1e-7", Max: 1, Below: true,
		Help: "a start stops when the objective falls by less than this share of it, twice " +
			"running"})
	method.Seed(set, &s.Seed)
	return s
}

func (s *settings) declarePenalty(set *param.Set) {
	set.Float(&s.SetPenalty, param.Param{Name: "set-penalty", Default: "1", Max: 100,
		Help: "exponent α of the cost |A|^α of a focal set A; 0 means 1"})
}

func (s *settings) declareMetric(set *param.Set) {
	param.Enum(set, &s.Metric, fit.Euclidean, param.Param{Name: "cluster-metric",
		Choices: fit.MetricNames(),
		Help: "distance that each cluster learns: none, one by its columns' variances, or one " +
			"by their covariances, too"})
	set.Bool(&s.Shared, param.Param{Name: "shared-metric", Default: "false",
		Help: "learn one metric for all clusters, not one for each"})
}

func (s *settings) declareLinkWeight(set *param.Set) {
	s.learns = true
	set.Float(&s.LinkWeight, param.Param{Name: "link-weight", Basic: true, Default: "0.05",
		Max: 1, Above: true, Below: true, Help: "share of the objective that is that of links"})
}

// config returns the configuration for a problem.
func (s *settings) config(p method.Problem) (cfg Config, err error) {
	if s.Clusters == 0 {
		return cfg, method.NeedsClusters(s.name)
	}
	cfg = s.Config
	cfg.Options = p.Options(s.Seed)
	cfg.Focal, err = p.FocalSets(s.focal, s.Clusters)
	return cfg, err
}

// outcome returns the outcome of a fit, and the number that each of its clusters had.
func outcome(r *Result) (*method.Outcome, []int, error) {
	out, order, err := method.ByMasses(r.Credal)
	if err != nil {
		return nil, nil, err
	}
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Stopped = r.Objective, "objective",
		r.Iterations, "iteration", r.Stopped.String()
	return out, order, nil
}

// vectors returns the outcome of a method that fits rows, by its function.
func (s *settings) vectors(ctx context.Context, p method.Problem,
	run fitter[dataset.Matrix]) (*method.Outcome, error) {
	if !s.learns {
		p.Links = nil
	}
	cfg, err := s.config(p)
	if err != nil {
		return nil, err
	}
	cfg.Knowledge = p.Knowledge
	r, err := run(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	out, order, err := outcome(r)
	if err != nil {
		return nil, err
	}
	out.Unmet = link.Violated(out.Labels, p.Links)
	out.Notes = append(out.Notes, method.Clashing(len(r.Clashing), "weigh in the fit")...)
	if r.Merged > 0 {
		out.Notes = append(out.Notes, method.Number(r.Merged, "cluster")+
			" have centres on those of others: a smaller --fuzziness, fewer sets (--focal simple) "+
			"or fewer clusters may part them")
	}
	cfg = cfg.withDefaults(2, 1, 1)
	out.Model = &method.Model{Means: r.Centers.Subset(order), ClusterOf: make([]int, s.Clusters),
		Masses: &method.Masses{Focal: out.Credal.Focal, Fuzziness: cfg.Fuzziness,
			SetPenalty: cfg.SetPenalty, Barycentre: r.Barycentre, NoiseDistance: r.NoiseDistance}}
	if r.Metric != fit.Euclidean {
		out.Model.Metric = r.Metric.String()
	}
	size := len(r.Roots) / s.Clusters
	for rank, k := range order {
		out.Model.ClusterOf[rank] = rank + 1
		out.Model.Roots = append(out.Model.Roots, r.Roots[k*size:(k+1)*size]...)
	}
	if len(p.Links) == 0 {
		return out, nil
	}
	placed, err := r.Place(ctx, p.Data, cfg)
	if err == nil {
		err = placed.Relabel(order)
	}
	if err != nil {
		return nil, err
	}
	moved := 0
	for i, c := range placed.Hard(belief.MaxPlausibility) {
		if out.Labels[i] != c {
			moved++
		}
	}
	out.Note(moved, "where links put them: a model places by distances alone", "row")
	return out, nil
}

// objects returns the outcome of a method that fits dissimilarities, by its function.
func (s *settings) objects(ctx context.Context, p method.Problem,
	run fitter[dissim.Source]) (*method.Outcome, error) {
	cfg, err := s.config(p)
	if err != nil {
		return nil, err
	}
	src, objects, err := p.Compared()
	if err != nil {
		return nil, err
	}
	cfg.Squared, cfg.Consume = objects.Metric == dissim.SqEuclidean, p.Consume
	r, err := run(ctx, src, cfg)
	if err != nil {
		return nil, err
	}
	out, _, err := outcome(r)
	if err != nil {
		return nil, err
	}
	if r.Lifted > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("the dissimilarities are no distances: %.3g was "+
			"added to their squares, as distances to centres must be real", r.Lifted))
	}
	out.Model, err = method.PlaceByExemplars(ctx, p, out, nil, 0, s.modelRows, s.Seed)
	return out, err
}
