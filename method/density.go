package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// densityMethods find clusters as dense regions.
func densityMethods() []Method {
	return []Method{
		{
			Name: "dbscan",
			Title: "DBSCAN: clusters are regions where rows lie close together, the rest " +
				"is noise",
			Source: "Ester, Kriegel, Sander and Xu, KDD 1996",
			Takes:  append([]string{"eps", "min-points"}, comparedTakes...),
			Default: "the radius where the core distances bend; twice as many points as " +
				"columns, 4 to 20",
			Dissimilarity: true,
			Invariant:     ToFactor,
			Fit:           fitDBSCAN,
		},
		{
			Name: "ssdbscan",
			Title: "SSDBSCAN: classes grow from labelled rows along the densest ways " +
				"until they meet",
			Source: "Lelis and Sander, ICDM 2009",
			Takes:  slices.Concat([]string{"min-points"}, comparedTakes, linkTakes),
			Default: "core distances to as many points as twice the columns, 4 to 20; " +
				"classes from links where no labels are given",
			NeedsAnswers:  true,
			Dissimilarity: true,
			Links:         true,
			Labels:        true,
			Invariant:     ToFactor,
			Fit:           fitSSDBSCAN,
		},
		{
			Name:          "cdbscan",
			Title:         "C-DBSCAN: DBSCAN whose clusters keep must-links and cannot-links",
			Source:        "Ruiz, Spiliopoulou and Menasalvas, RSFDGrC 2007",
			Takes:         slices.Concat([]string{"eps", "min-points"}, comparedTakes, linkTakes),
			Default:       "radius and points as dbscan",
			Dissimilarity: true,
			Links:         true,
			Invariant:     ToFactor,
			Fit:           fitCDBSCAN,
		},
		{
			Name: "mdbscan",
			Title: "multiple densities: DBSCAN with a radius and a density for each " +
				"class that labels show",
			Source: "Yang and others, Neurocomputing 257 (2017), section 3, in our reading",
			Takes: slices.Concat([]string{"min-points", "new-clusters"}, comparedTakes,
				linkTakes),
			Default: "core distances to as many points as twice the columns, 4 to 20; what " +
				"no class claims is noise",
			NeedsAnswers:  true,
			Dissimilarity: true,
			Links:         true,
			Labels:        true,
			Invariant:     ToFactor,
			Fit:           fitMultiDensity,
		},
	}
}

// dense returns the objects of a problem to the density methods.
func (p Problem) dense() (density.Objects, error) {
	if p.vectors() {
		return density.Objects{Vectors: p.Data}, nil
	}
	src, _, err := compared(p)
	return density.Objects{Source: src}, err
}

func (s Settings) density() density.Config {
	return density.Config{Eps: s.Tuning.Eps, MinPoints: s.Tuning.MinPoints, Threads: s.Threads,
		Progress: s.Progress}
}

func fitDBSCAN(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	o, err := p.dense()
	if err != nil {
		return nil, err
	}
	fit, err := density.FitDBSCAN(ctx, o, s.density())
	if err != nil {
		return nil, err
	}
	return denseOutcome(ctx, p, fit, s)
}

func fitCDBSCAN(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	o, err := p.dense()
	if err != nil {
		return nil, err
	}
	fit, err := density.FitCDBSCAN(ctx, o, p.Links,
		density.CDBSCANConfig{Config: s.density(), Contradictions: s.Contradictions})
	if err != nil {
		return nil, err
	}
	out, err := denseOutcome(ctx, p, &fit.Result, s)
	if err != nil {
		return nil, err
	}
	if fit.Left > 0 {
		out.Notes = append(out.Notes, are(fit.Left, "link")+" left out, as each contradicts others")
	}
	if fit.Parted > 0 {
		out.Notes = append(out.Notes,
			fmt.Sprintf("cannot-links part %s", words.Count(fit.Parted, "dense region")))
	}
	return out, nil
}

// denseOutcome makes the outcome of a partition whose new rows go to core rows within Eps.
func denseOutcome(ctx context.Context, p Problem, r *density.Result, s Settings) (*Outcome, error) {
	out := byLabels(r.Labels)
	out.Unmet = link.Violated(out.Labels, p.Links)
	out.Notes = append([]string{fmt.Sprintf("Eps %s, MinPoints %d", words.Round(r.Eps),
		r.MinPoints)}, r.Notes...)
	var core []int
	for i, is := range r.Core {
		if is {
			core = append(core, i)
		}
	}
	return out, out.placeWithin(ctx, p, core, r.Eps, s)
}

// placeWithin returns the outcome a model of core rows.
func (out *Outcome) placeWithin(ctx context.Context, p Problem, core []int, eps float64,
	s Settings) (err error) {
	// Equal rows are all that an Eps of 0 joins, and a reach of 0 would have no end.
	out.Model, err = exemplars(ctx, p, out, core, max(eps, math.SmallestNonzeroFloat32), s)
	return err
}

func fitSSDBSCAN(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	return fitClassified(ctx, p, s,
		func(o density.Objects, classes []int32) (*density.Classified, error) {
			return density.FitSSDBSCAN(ctx, o, classes, s.density())
		})
}

func fitMultiDensity(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	return fitClassified(ctx, p, s,
		func(o density.Objects, classes []int32) (*density.Classified, error) {
			return density.FitMultiDensity(ctx, o, classes,
				density.MultiDensityConfig{Config: s.density(), NewClusters: s.Tuning.NewClusters})
		})
}

// fitClassified makes the outcome of a method that grows known classes.
func fitClassified(ctx context.Context, p Problem, s Settings,
	fit func(density.Objects, []int32) (*density.Classified, error)) (*Outcome, error) {
	o, err := p.dense()
	if err != nil {
		return nil, err
	}
	classes, notes, err := p.known(s)
	if err != nil {
		return nil, err
	}
	if classes == nil {
		classes = make([]int32, o.Len())
		for i := range classes {
			classes[i] = -1
		}
	}
	r, err := fit(o, classes)
	if err != nil {
		return nil, err
	}
	out := byLabels(r.Labels)
	out.Unmet = link.Violated(out.Labels, p.Links)
	out.Notes = append(notes, r.Notes...)
	if r.New > 0 {
		out.Notes = append(out.Notes, words.Count(r.New, "cluster")+" of no known class")
	}
	return out, out.placeWithin(ctx, p, nil, r.Reach, s)
}
