package evclus

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
)

// linked is a solution under links, and what became of those.
type linked struct {
	*solution
	links, violated int
	used            Constraints
}

// look brings the view to what is known: it fits the answers, unless they were, and finds out which
// objects stand for clusters.
func (c *chooser) look(ctx context.Context, known *ask.Ledger) error {
	kept, fresh := known.Since(c.calm.at)
	if c.now == nil || kept < c.calm.at.Answers || len(fresh) > 0 {
		if err := c.refit(ctx, known); err != nil {
			return err
		}
		c.view = c.calm.seen
	} else if slices.Equal(known.Excluded(), c.out) {
		return nil
	}
	c.view.choose(known, c.f.src)
	c.out = known.Excluded()
	return nil
}

// refit fits the answers, and before them fewer of those that were restored, so that one that was
// settled is so again.
func (c *chooser) refit(ctx context.Context, known *ask.Ledger) error {
	way := c.f.cfg.Constraints
	if c.quick {
		way = Anchor
	}
	facts, given := known.Facts(), len(known.Given())
	c.now, c.chosen = nil, nil
	for _, k := range c.calm.due(known) {
		s, err := c.fit(ctx, way, facts[:given+k])
		if err != nil {
			return err
		}
		c.calm.saw(newView(c.partition(s)), known, k)
		c.now = s
	}
	return nil
}

// fit returns the solution under links.
func (c *chooser) fit(ctx context.Context, way Constraints, links []link.Link) (*linked, error) {
	f := c.f
	f.links = newLinkTerms(f.n, links)
	if f.links.empty() {
		return &linked{solution: c.base}, nil
	}
	saved := f.cfg.Constraints
	f.cfg.Constraints = way
	s, err := f.constrain(ctx, c.base)
	f.cfg.Constraints = saved
	return &linked{s, f.res.Links, f.res.Violated, f.res.Used}, err
}

func (c *chooser) partition(s *linked) *credal.Partition {
	return &credal.Partition{Clusters: c.f.cfg.Clusters, Focal: c.f.fr.focal, Mass: s.mass}
}

// Result returns the fit under all links and answers, by the constraints of the configuration, for
// as long as ctx lasts; the run is as before when that ends. StartValues, Winner and Notes are of
// the fit without them.
func (r *Run) Result(ctx context.Context) (*Result, error) {
	if err := r.Look(ctx); err != nil {
		return nil, err
	}
	c := r.chooser
	if c.chosen == nil && c.quick {
		s, err := c.fit(ctx, Choose, r.Facts())
		if err != nil {
			return nil, err
		}
		c.chosen = s
	}
	s := c.chosen
	if s == nil {
		s = c.now
	}
	res := *c.f.res
	res.Credal = c.partition(s)
	res.Credal.Mass = slices.Clone(s.mass) // the run goes on with its own
	res.Pairs, res.Notes = slices.Clone(res.Pairs), slices.Clone(res.Notes)
	res.take(s.solution)
	res.Links, res.Violated, res.Used = s.links, s.violated, s.used
	return &res, nil
}
