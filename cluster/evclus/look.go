package evclus

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
)

// linked is a solution under links, and what became of those.
type linked struct {
	*solution
	links, violated int
	used            Constraints
}

// Look fits the answers so far, after which [Run.Next], [Run.Group], [Run.Queue], [Run.Settled] and
// [Run.Remaining] have no more to do than to look things up. When ctx ends during a fit it returns
// an error that wraps ctx's, and the run is as before: whatever looks next fits all answers. The
// end of the context of [NewRun] ends the questions for good ([Run.Err]).
func (r *Run) Look(ctx context.Context) error {
	if r.view != nil || r.err != nil {
		return r.err
	}
	ctx, done := r.during(ctx)
	defer done()
	way := r.f.cfg.Constraints
	if r.quick {
		way = Anchor
	}
	for len(r.calm.due) > 0 {
		k := r.calm.due[0]
		s, err := r.fit(ctx, way, r.answers[:k])
		if err != nil {
			return r.failed(ctx, err)
		}
		r.calm.saw(newView(r.partition(s)), r.answers[:k])
		r.calm.due = r.calm.due[1:]
	}
	now, err := r.fit(ctx, way, r.answers)
	if err != nil {
		return r.failed(ctx, err)
	}
	r.now, r.view = now, newView(r.partition(now))
	r.calm.saw(r.view, r.answers)
	r.view.choose(r)
	return nil
}

// look fits as Look does, for as long as the run lasts.
func (r *Run) look() { r.Look(r.ctx) }

// during returns a context that ends with ctx or with that of the run, whichever is first.
func (r *Run) during(ctx context.Context) (both context.Context, done func()) {
	if r.ctx.Err() != nil || ctx == r.ctx {
		return r.ctx, func() {}
	}
	both, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(r.ctx, func() { cancel(context.Cause(r.ctx)) })
	return both, func() { stop(); cancel(nil) }
}

// failed returns the error of a fit. One that is not merely of a context that ended before that of
// the run ends the questions.
func (r *Run) failed(ctx context.Context, err error) error {
	if r.ctx.Err() != nil || ctx.Err() == nil {
		r.err = err
	}
	return err
}

// fit returns the solution under the given links and answers.
func (r *Run) fit(ctx context.Context, way Constraints, answers []link.Link) (*linked, error) {
	f := r.f
	f.links = newLinkTerms(f.n, slices.Concat(r.given, answers))
	if f.links.empty() {
		return &linked{solution: r.base}, nil
	}
	saved := f.cfg.Constraints
	f.cfg.Constraints = way
	s, err := f.constrain(ctx, r.base)
	f.cfg.Constraints = saved
	return &linked{s, f.res.Links, f.res.Violated, f.res.Used}, err
}

func (r *Run) partition(s *linked) *credal.Partition {
	return &credal.Partition{Clusters: r.f.cfg.Clusters, Focal: r.f.fr.focal, Mass: s.mass}
}

// Result returns the fit under all links and answers, by the constraints of the configuration.
// StartValues, Winner and Notes are of the fit without them.
func (r *Run) Result() (*Result, error) { return r.ResultContext(r.ctx) }

// ResultContext is [Run.Result] for as long as ctx lasts, too; the run is as before when that ends.
func (r *Run) ResultContext(ctx context.Context) (*Result, error) {
	if err := r.Look(ctx); err != nil {
		return nil, err
	}
	if r.chosen == nil {
		r.chosen = r.now
		if r.quick {
			ctx, done := r.during(ctx)
			defer done()
			s, err := r.fit(ctx, Choose, r.answers)
			if err != nil {
				r.chosen = nil
				return nil, r.failed(ctx, err)
			}
			r.chosen = s
		}
	}
	s := r.chosen
	res := *r.f.res
	res.Credal = r.partition(s)
	res.Credal.Mass = slices.Clone(s.mass) // the run goes on with its own
	res.Pairs, res.Notes = slices.Clone(res.Pairs), slices.Clone(res.Notes)
	res.Stress, res.Objective, res.Trace = s.stress, s.objective, s.trace
	res.Sweeps, res.Converged = len(s.trace)-1, s.converged
	res.Links, res.Violated, res.Used = s.links, s.violated, s.used
	return &res, nil
}
