package relational

import (
	"context"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	base := method.Method{
		NeedsClusters: true,
		Dissimilarity: true,
		Masses:        true,
		Draws:         true,
		Invariant:     method.ToFactor,
	}
	rfcm, sscard := base, base
	rfcm.Name = "rfcm"
	rfcm.Title = "relational fuzzy c-means: memberships from dissimilarities, whether points " +
		"have them as distances or not"
	rfcm.Source = "Hathaway, Davenport and Bezdek 1989; β-spread: Hathaway and Bezdek 1994"
	rfcm.Configure = func(set *param.Set) method.Steps {
		s := newSettings(set)
		set.Float(&s.Fuzziness, param.Param{Name: "fuzziness", Default: "2", Min: 1, Max: 100,
			Above: true, Help: "exponent of memberships"})
		return s.steps("relational fuzzy c-means",
			func(ctx context.Context, src dissim.Source, cfg SSCARDConfig) (*Result, error) {
				return FitSource(ctx, src, cfg.Config)
			})
	}
	sscard.Name = "sscard"
	sscard.Title = "SSCARD: relational fuzzy c-means that weighs must-links and cannot-links " +
		"against dissimilarities"
	sscard.Source = "Frigui and Hwang 2007, put together from its kin PCCA (Grira, Crucianu and " +
		"Boujemaa 2008)"
	sscard.Links = true
	sscard.Configure = func(set *param.Set) method.Steps {
		s := newSettings(set)
		s.learns = true
		set.Float(&s.LinkWeight, param.Param{Name: "link-weight", Basic: true, Default: "1",
			Above: true, Help: "weight of a violated link: at 1 a link to a row that is wholly " +
				"in one cluster outweighs any distance"})
		return s.steps("SSCARD",
			func(ctx context.Context, src dissim.Source, cfg SSCARDConfig) (*Result, error) {
				return FitSSCARD(ctx, []dissim.Source{src}, cfg)
			})
	}
	return []method.Method{rfcm, sscard}
}

// settings are the parameters of the methods.
type settings struct {
	SSCARDConfig
	modelRows int
	learns    bool // from links, as SSCARD alone does
}

// newSettings declares what both methods have.
func newSettings(set *param.Set) *settings {
	s := &settings{}
	method.Clusters(set, &s.Clusters)
	method.Starts(set, &s.Starts, param.Param{Auto: "5 up to 2000 rows, above that 1"})
	method.MaxIterations(set, &s.MaxIterations, param.Param{Default: "300"})
	method.Tolerance(set, &s.Tolerance, param.Param{Default: "1e-5",
		Help: "a start stops when no membership changes by more"})
	method.Seed(set, &s.Seed)
	method.ModelRows(set, &s.modelRows, "1000")
	return s
}

// steps returns the steps of a method, whose name is for errors.
func (s *settings) steps(name string,
	fit func(context.Context, dissim.Source, SSCARDConfig) (*Result, error)) method.Steps {
	return method.Steps{Fit: func(ctx context.Context, p method.Problem) (*method.Outcome, error) {
		if s.Clusters == 0 {
			return nil, method.NeedsClusters(name)
		}
		src, objects, err := p.Compared()
		if err != nil {
			return nil, err
		}
		cfg := s.SSCARDConfig
		cfg.Options, cfg.Knowledge = p.Options(s.Seed), p.Knowledge
		cfg.Squared = objects.Metric == dissim.SqEuclidean
		r, err := fit(ctx, src, cfg)
		if err != nil {
			return nil, err
		}
		return s.outcome(ctx, p, r)
	}}
}

// outcome returns the outcome of a fuzzy partition.
func (s *settings) outcome(ctx context.Context, p method.Problem, r *Result) (*method.Outcome,
	error) {
	out, _, err := method.ByMemberships(r.Memberships, r.Clusters)
	if err != nil {
		return nil, err
	}
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Stopped = r.Objective, "objective",
		r.Iterations, "iteration", r.Stopped.String()
	if s.learns {
		out.Unmet = link.Violated(out.Labels, p.Links)
	}
	if r.Beta > 0 {
		out.Notes = append(out.Notes,
			"no points have these dissimilarities as distances: "+words.Round(r.Beta)+
				" is added to their squares (β-spread)")
	}
	out.Notes = append(out.Notes, method.Clashing(len(r.Clashing), "weigh in the fit")...)
	out.Model, err = method.PlaceByExemplars(ctx, p, out, nil, 0, s.modelRows, s.Seed)
	return out, err
}
