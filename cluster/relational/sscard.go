package relational

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// FitSSCARD finds c fuzzy clusters of objects under must-links and cannot-links by SSCARD,
// semi-supervised clustering and aggregation of relational data (Frigui and Hwang, ICTAI 2007).
// Each of the relations compares the same objects in its own way; one is enough, and of several
// the weights v_is, how much relation s counts for in cluster i, are learnt. It looks for little of
//
//	Σ_i Σ_k u_ki² d²_ki + α ( Σ_ML p (1 − Σ_i u_ji u_ki) + Σ_CL p Σ_i u_ji u_ki )
//
// with d² as in [FitSource] for R̂_i = Σ_s v_is^q R^s and m = 2, a sum over must-links and one over
// cannot-links of objects j and k, and p their confidence. The formulas are put together from those
// of its kin PCCA (Grira, Crucianu and Boujemaa 2008), of which it is the relational form.
//
// What is ours: relations, where there are several, are scaled to a mean of 1. The solution without
// links comes first, and α is twice the greatest d² in that, times LinkWeight: a link to an object
// that is wholly in one cluster then outweighs any distance. α is reached in eight doublings, one
// an iteration. An object with links gets the memberships that minimise the objective while those
// of all others stay (instead of α's term being added to those without links, and negative ones cut
// off), one such object after the other in an iteration, so that the objective never rises once α
// is reached while β stays.
//
// It takes n²·c·S steps an iteration, 4·n² bytes a relation, and fails as [FitSource] does; also
// where relations differ in their number of objects or a link names an object that does not exist,
// and with a [*link.Contradiction] where those are refused.
func FitSSCARD(ctx context.Context, sources []dissim.Source, cfg SSCARDConfig) (*Result, error) {
	if len(sources) == 0 {
		return nil, fault.Inputf("give at least one relation", "there are no dissimilarities")
	}
	n := sources[0].Len()
	base := cfg.Config.withDefaults(n)
	base.Fuzziness = 2
	if err := base.check(n); err != nil {
		return nil, err
	}
	cfg.LinkWeight, cfg.Discriminant = cmp.Or(cfg.LinkWeight, 1), cmp.Or(cfg.Discriminant, 2)
	if !(cfg.LinkWeight > 0) || math.IsInf(cfg.LinkWeight, 0) || !(cfg.Discriminant > 1) ||
		math.IsInf(cfg.Discriminant, 0) {
		return nil, fault.Inputf("give a weight above 0 and an exponent above 1",
			"the weight of links is %g and the exponent of the weights of relations %g",
			cfg.LinkWeight, cfg.Discriminant)
	}
	_, clashing, err := link.Build(n, cfg.Links, cfg.Contradictions)
	if err != nil {
		return nil, err
	}
	var relations []*relation
	for s, src := range sources {
		if src.Len() != n {
			return nil, fault.Inputf("give relations of the same objects",
				"relation %d is of %d objects and the first of %d", s+1, src.Len(), n)
		}
		r, err := newRelation(ctx, src, base.Squared, base.Threads)
		if err == nil && len(sources) > 1 {
			err = r.level(ctx, base.Threads)
		}
		if err != nil {
			return nil, err
		}
		relations = append(relations, r)
	}
	unit := 1.0
	if len(relations) == 1 {
		unit = relations[0].unit()
	}
	b := newBonds(cfg.Links, cfg.Clusters)
	r, err := fitStarts(ctx, relations, unit, base, 2, func(f *fitting) (*Result, error) {
		f.exponent = cfg.Discriminant
		free, err := f.run(ctx, nil)
		if err != nil || b == nil {
			return free, err
		}
		b.begin(cfg.LinkWeight * 2 * slices.Max(f.far))
		bound, err := f.run(ctx, b)
		if err == nil {
			bound.Alpha = b.full
			bound.Iterations += free.Iterations
		}
		return bound, err
	})
	if err != nil {
		return nil, err
	}
	r.Clashing = clashing
	return r, nil
}
