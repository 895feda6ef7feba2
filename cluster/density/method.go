package density

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	methods := []method.Method{
		{
			Name: "dbscan",
			Title: "DBSCAN: clusters are regions where rows lie close together, the rest is " +
				"noise",
			Source:    "Ester, Kriegel, Sander and Xu, KDD 1996",
			Configure: configure((*settings).dbscan, (*settings).declareEps),
		},
		{
			Name: "ssdbscan",
			Title: "SSDBSCAN: classes grow from labelled rows along the densest ways until " +
				"they meet",
			Source:       "Lelis and Sander, ICDM 2009",
			NeedsAnswers: true,
			Links:        true,
			Labels:       true,
			Configure: configure(classified(func(ctx context.Context, o Objects, classes []int32,
				cfg MultiDensityConfig) (*Classified, error) {
				return FitSSDBSCAN(ctx, o, classes, cfg.Config)
			})),
		},
		{
			Name:      "cdbscan",
			Title:     "C-DBSCAN: DBSCAN whose clusters keep must-links and cannot-links",
			Source:    "Ruiz, Spiliopoulou and Menasalvas, RSFDGrC 2007",
			Links:     true,
			Configure: configure((*settings).cdbscan, (*settings).declareEps),
		},
		{
			Name: "mdbscan",
			Title: "multiple densities: DBSCAN with a radius and a density for each class " +
				"that labels show",
			Source: "Yang and others, Neurocomputing 257 (2017), section 3, in our " +
				"reading",
			NeedsAnswers: true,
			Links:        true,
			Labels:       true,
			Configure:    configure(classified(FitMultiDensity), (*settings).declareNewClusters),
		},
		{
			Name: "hdbscan",
			Title: "HDBSCAN*: the most lasting of the clusters that dense regions make over all " +
				"radii, the rest is noise",
			Source:    "Campello, Moulavi and Sander, PAKDD 2013; McInnes and Healy, ICDMW 2017",
			Masses:    true,
			Condensed: true,
			Endless:   true,
			Links:     true,
			Labels:    true,
			Pictures:  pictures(),
			Configure: func(set *param.Set) method.Steps {
				s := newHierarchical(set)
				return method.Steps{Fit: onObjects(s.fit), Begin: s.begin,
					CheckAsking: s.checkAsking}
			},
		},
	}
	for i := range methods {
		methods[i].Dissimilarity, methods[i].Invariant = true, method.ToFactor
	}
	return methods
}

// fitter fits objects by the settings of a method.
type fitter func(*settings, context.Context, method.Problem, Objects) (*method.Outcome, error)

// configure configures a method that has some parameters of its own.
func configure(fit fitter, own ...func(*settings, *param.Set)) func(*param.Set) method.Steps {
	return func(set *param.Set) method.Steps {
		s := newSettings(set)
		for _, declare := range own {
			declare(s, set)
		}
		return method.Steps{Fit: onObjects(func(ctx context.Context, p method.Problem,
			o Objects) (*method.Outcome, error) {
			return fit(s, ctx, p, o)
		})}
	}
}

// onObjects returns the step that fits the objects of a problem.
func onObjects(fit func(context.Context, method.Problem, Objects) (*method.Outcome,
	error)) func(context.Context, method.Problem) (*method.Outcome, error) {
	return func(ctx context.Context, p method.Problem) (*method.Outcome, error) {
		o, err := objectsOf(p)
		if err != nil {
			return nil, err
		}
		return fit(ctx, p, o)
	}
}

// objectsOf returns the objects of a problem.
func objectsOf(p method.Problem) (Objects, error) {
	if p.Vectors() {
		return Objects{Vectors: p.Data}, nil
	}
	src, _, err := p.Compared()
	return Objects{Source: src}, err
}

// settings are the parameters of the methods.
type settings struct {
	MultiDensityConfig
	modelRows int
}

// newSettings declares what all methods share.
func newSettings(set *param.Set) *settings {
	s := &settings{}
	set.Int(&s.MinPoints, param.Param{Name: "min-points", Basic: true, Min: 1, Example: "5",
		Help: "rows that make a neighbourhood dense, the row itself among them",
		Auto: "twice the number of columns, from 4 to 20; 4 for dissimilarities"})
	method.ModelRows(set, &s.modelRows, "1000")
	return s
}

func (s *settings) declareEps(set *param.Set) {
	set.Float(&s.Eps, param.Param{Name: "eps", Basic: true, Above: true, Example: "0.1",
		Help: "radius of a neighbourhood", Unit: "that of the scaled features or dissimilarities",
		Auto: "where the sorted core distances bend"})
}

func (s *settings) declareNewClusters(set *param.Set) {
	set.Bool(&s.NewClusters, param.Param{Name: "new-clusters", Default: "false",
		Help: "cluster what no known class claims, too, instead of calling it noise"})
}

// config returns the configuration for a problem.
func (s *settings) config(p method.Problem) MultiDensityConfig {
	cfg := s.MultiDensityConfig
	cfg.Options = p.Options(0)
	return cfg
}

func (s *settings) dbscan(ctx context.Context, p method.Problem, o Objects) (*method.Outcome,
	error) {
	r, err := FitDBSCAN(ctx, o, s.config(p).Config)
	if err != nil {
		return nil, err
	}
	return s.outcome(ctx, p, r)
}

func (s *settings) cdbscan(ctx context.Context, p method.Problem, o Objects) (*method.Outcome,
	error) {
	r, err := FitCDBSCAN(ctx, o, CDBSCANConfig{Config: s.config(p).Config, Knowledge: p.Knowledge})
	if err != nil {
		return nil, err
	}
	out, err := s.outcome(ctx, p, &r.Result)
	if err != nil {
		return nil, err
	}
	out.Note(r.Left, "left out, as each contradicts others", "link")
	if r.Parted > 0 {
		out.Notef("cannot-links part %s", words.Count(r.Parted, "dense region"))
	}
	return out, nil
}

// outcome returns the outcome of a partition whose new rows go to core rows within Eps.
func (s *settings) outcome(ctx context.Context, p method.Problem, r *Result) (*method.Outcome,
	error) {
	out := method.ByLabels(r.Labels)
	out.Unmet = link.Violated(out.Labels, p.Links)
	out.Notes = append([]string{fmt.Sprintf("Eps %s, MinPoints %d", words.Round(r.Eps),
		r.MinPoints)}, r.Notes...)
	core := linalg.Where(r.Core, func(is bool) bool { return is })
	out.Core = append([]int{}, core...) // none is not the same as no such rows
	return out, s.placeWithin(ctx, p, out, core, r.Eps)
}

// placeWithin sets the outcome's model: rows, of core (nil: all), within whose reach new rows are.
func (s *settings) placeWithin(ctx context.Context, p method.Problem, out *method.Outcome,
	core []int, eps float64) (err error) {
	// Equal rows are all that an Eps of 0 joins, and a reach of 0 would have no end.
	out.Model, err = method.PlaceByExemplars(ctx, p, out, core,
		max(eps, math.SmallestNonzeroFloat32), s.modelRows, 0)
	return err
}

// classified returns the steps of a method that grows known classes.
func classified(fit func(context.Context, Objects, []int32, MultiDensityConfig) (*Classified,
	error)) fitter {
	return func(s *settings, ctx context.Context, p method.Problem, o Objects) (*method.Outcome,
		error) {
		classes, notes, err := p.KnownClasses()
		if err != nil {
			return nil, err
		}
		if classes == nil {
			classes = slices.Repeat([]int32{-1}, o.Len())
		}
		r, err := fit(ctx, o, classes, s.config(p))
		if err != nil {
			return nil, err
		}
		out := method.ByLabels(r.Labels)
		out.Unmet = link.Violated(out.Labels, p.Links)
		out.Notes = append(notes, r.Notes...)
		if r.New > 0 {
			out.Notes = append(out.Notes, words.Count(r.New, "cluster")+" of no known class")
		}
		return out, s.placeWithin(ctx, p, out, nil, r.Reach)
	}
}
