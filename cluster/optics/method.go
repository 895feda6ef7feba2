package optics

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/plot"
)

// Methods returns the method of this package.
func Methods() []method.Method {
	return []method.Method{{
		Name: "optics",
		Title: "OPTICS: rows in the order of the density around them, and clusters as the " +
			"valleys of its plot",
		Source:        "Ankerst, Breunig, Kriegel and Sander, SIGMOD 1999",
		Dissimilarity: true,
		Invariant:     method.ToFactor,
		Pictures:      pictures(),
		Configure: func(set *param.Set) method.Steps {
			s := &settings{set: set}
			set.Int(&s.cfg.MinPoints, param.Param{Name: "min-points", Basic: true, Min: 2,
				Auto: fmt.Sprintf("%d, or all rows where there are fewer", DefaultMinPoints),
				Help: "rows that make a neighbourhood dense, the row itself among them"})
			set.Float(&s.cfg.MaxEps, param.Param{Name: "max-eps", Above: true, Example: "0.5",
				Help: "greatest distance that is looked at",
				Unit: "that of the scaled features or dissimilarities", Auto: "no limit"})
			param.Enum(set, &s.cfg.Extraction, Xi, param.Param{Name: "extraction",
				Choices: []string{"xi", "eps"},
				Help:    "clusters by the steepness of the valleys, or at one radius, as dbscan"})
			set.Float(&s.cfg.Xi, param.Param{Name: "steepness", Basic: true, Above: true, Max: 1,
				Below: true, Default: fmt.Sprint(DefaultXi),
				Help: "ξ: relative fall and rise at the ends of a valley"})
			set.Float(&s.cfg.Eps, param.Param{Name: "eps", Above: true, Example: "0.1",
				Help: "radius of a neighbourhood",
				Unit: "that of the scaled features or dissimilarities", Auto: "max-eps"})
			set.Int(&s.cfg.MinClusterSize,
				param.Param{Name: "min-cluster-size", Min: 2, Example: "10",
					Help: "least number of rows of a cluster",
					Auto: "a twentieth of the rows, at least min-points"})
			method.ModelRows(set, &s.modelRows, fmt.Sprint(method.DefaultExemplars))
			return method.Steps{Check: s.check, Fit: s.fit}
		},
	}}
}

// settings are the parameters.
type settings struct {
	cfg       Config
	modelRows int
	set       *param.Set
}

// check refuses values that do not go together.
func (s *settings) check() error {
	switch {
	case s.cfg.Extraction == Eps && s.cfg.Eps == 0 && s.cfg.MaxEps == 0:
		return fault.Setting("--extraction eps needs a radius: give it with --eps")
	case s.cfg.MaxEps > 0 && s.cfg.Eps > s.cfg.MaxEps:
		return fault.Settingf("--eps is %g and --max-eps is %g: give a radius up to max-eps",
			s.cfg.Eps, s.cfg.MaxEps)
	}
	return nil
}

func (s *settings) fit(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	cfg := s.cfg
	cfg.Options = p.Options(0)
	var r *Result
	var err error
	if p.Vectors() {
		r, err = Fit(ctx, p.Data, cfg)
	} else {
		src, _, wrong := p.Compared()
		if wrong != nil {
			return nil, wrong
		}
		r, err = FitSource(ctx, src, cfg)
	}
	if err != nil {
		return nil, err
	}
	out := method.ByLabels(r.Labels)
	out.Detail = &detail{r, cfg.Extraction}
	if better, clusters := r.finer(cfg); clusters > 0 {
		said := "no cluster was found"
		if r.Clusters > 0 {
			said = "one cluster has nearly all rows"
		}
		out.Notef("%s: --min-cluster-size %d --steepness %s finds %s", said, better.MinClusterSize,
			words.Round(better.Xi), words.Count(clusters, "cluster"))
	}
	switch {
	case out.Clusters == 0 && cfg.Extraction == Eps:
		out.Notes = append(out.Notes,
			"no row is dense within that radius: give a larger --eps, or "+
				"a smaller --min-points")
	case out.Clusters == 0:
		out.Notes = append(out.Notes, "the reachability plot has no valley as steep as that: give "+
			"a smaller --steepness, or other --min-points or a larger --max-eps")
	case cfg.Extraction == Xi && s.set.Given("eps"):
		out.Notef("--eps has no effect without --extraction eps")
	case cfg.Extraction == Eps && s.set.Given("steepness"):
		out.Notef("--steepness has no effect with --extraction eps")
	}
	// Equal rows are all that a reach of 0 joins, and no reach has no end.
	out.Model, err = method.PlaceByExemplars(ctx, p, out, nil,
		max(r.Reach, math.SmallestNonzeroFloat32), s.modelRows, 0)
	return out, err
}

// detail is what the method reports besides an outcome.
type detail struct {
	*Result
	extraction Extraction
}

var _ method.Detail = (*detail)(nil)

// Figures returns the clusters within clusters for the JSON report: places along the order, from 1.
func (d *detail) Figures() any {
	spans := make([][2]int, len(d.Spans))
	for i, s := range d.Spans {
		spans[i] = [2]int{s[0] + 1, s[1] + 1}
	}
	return struct {
		Spans [][2]int `json:"valleys,omitempty"`
	}{spans}
}

// Summary returns how clusters were found.
func (d *detail) Summary(*method.Outcome) string {
	if d.extraction == Eps {
		return fmt.Sprintf(", cut at the radius %s", words.Round(d.Reach))
	}
	if len(d.Spans) == 0 {
		return ""
	}
	return fmt.Sprintf(", the smallest of %s", words.Count(len(d.Spans), "valley"))
}

// Lines returns nothing more.
func (d *detail) Lines() []string { return nil }

// pictures are those of an order.
func pictures() []method.Picture {
	return []method.Picture{{
		Name:  "reachability",
		Title: "how easily each row is reached, along the order: clusters are valleys",
		Needs: func(s *method.Scene) error {
			if _, ok := s.Outcome.Detail.(*detail); !ok {
				return fault.Inputf("draw it with kindred cluster --method optics --plot FILE "+
					"--picture reachability",
					"a reachability plot is of the order that optics makes")
			}
			return nil
		},
		Draw: draw,
	}}
}

// draw draws the reachability plot: a bar for each row along the order, by cluster. Rows that were
// not reached have the height of the highest that was.
func draw(_ context.Context, s *method.Scene) (*plot.Figure, error) {
	r := s.Outcome.Detail.(*detail)
	top := 0.0
	for _, reach := range r.Reachability {
		if !math.IsInf(reach, 1) {
			top = max(top, reach)
		}
	}
	top = cmp.Or(top, 1)
	names := s.Names(s.Outcome.Clusters)
	var series []plot.Series
	add := func(label int) {
		at := len(series)
		name := "no group"
		if label > 0 {
			name = names[label-1]
		}
		series = append(series, plot.Series{Name: name, Kind: plot.Steps})
		for place, i := range r.Order {
			height := math.NaN()
			if s.Outcome.Labels[i] == label {
				height = min(top, r.Reachability[i])
			}
			series[at].X = append(series[at].X, float64(place+1))
			series[at].Y = append(series[at].Y, height)
		}
	}
	for label := range s.Outcome.Clusters {
		add(label + 1)
	}
	add(0)
	return plot.Chart(plot.ChartConfig{Title: s.Heading(s.Outcome.Clusters),
		X: "rows in order", Y: "reachability", Series: series})
}
