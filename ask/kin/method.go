package kin

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the method of this package.
func Methods() []method.Method {
	return []method.Method{{
		Name: "kin",
		Title: "kin: asks what puts most rows right, and spreads each answer to the rows " +
			"around",
		Source:       "ours; on harmonic functions (Zhu, Ghahramani and Lafferty, ICML 2003)",
		NeedsAnswers: true,
		Masses:       true,
		Links:        true,
		Draws:        true,
		Endless:      true,
		Expects:      true,
		Invariant:    method.ToFactor,
		Cosine:       true,
		Configure: func(set *param.Set) method.Steps {
			cfg := &Config{}
			set.Int(&cfg.Expected, param.Param{Name: "clusters", Short: "k", Basic: true, Min: 1,
				Example: "20", Auto: "estimated from clusterings of random halves of the rows",
				Help: "number of groups to begin with; answers lead to more or fewer"})
			set.Int(&cfg.SuperInstances, param.Param{Name: "super-instances", Basic: true, Min: 1,
				Max: MaxSuperInstances, Example: fmt.Sprint(DefaultSuperInstances),
				Auto: fmt.Sprintf("%d, or %d to %d for each group that is expected where that is more",
					DefaultSuperInstances, nodesEach, nodesEach+nodesMore),
				Help: "small groups that are compared"})
			set.FloatFunc(param.Param{Name: "error-rate", Basic: true, Max: 0.5, Below: true,
				Auto: "inferred from answers that contradict others", Example: "0.1",
				Help: "share of the answers that are expected to be wrong; 0: none is"},
				func(rate float64) { cfg.ErrorRate, cfg.Reliable = rate, rate == 0 })
			method.Starts(set, &cfg.Starts, param.Param{Default: "1"})
			method.MaxIterations(set, &cfg.MaxIterations, param.Param{
				Help: "at most so many k-means iterations per start",
				Auto: "300 up to 20 000 rows, 5 above"})
			method.Seed(set, &cfg.Seed)
			return method.Asking(
				func(ctx context.Context, p method.Problem) (*method.Session, error) {
					return begin(ctx, p, *cfg)
				}, "nobody answers: the links alone count")
		},
	}}
}

func begin(ctx context.Context, p method.Problem, cfg Config) (*method.Session, error) {
	notes := method.FewerSuperInstances(cfg.SuperInstances, p)
	cfg.Options, cfg.Knowledge = p.Options(cfg.Seed), p.Knowledge
	cfg.Askable = p.Askable
	if cfg.MaxIterations == 0 {
		cfg.MaxIterations = iterations(p.Size())
	}
	run, err := New(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	if k := run.chooser.base.expected; k < cfg.Expected {
		notes = append(notes, fmt.Sprintf("%s told apart, not %d: a group is made of several "+
			"super-instances (--super-instances)", method.Are(k, "group"), cfg.Expected))
	}
	s := &method.Session{Session: run.Session, Outcome: run.outcome, Notes: notes,
		Arbitrated: cfg.infers() && cfg.Contradictions == link.Refuse}
	return s, s.Look(ctx)
}

// outcome returns the outcome of a run as it stands.
func (r *Run) outcome(ctx context.Context) (*method.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	res, err := r.Result(ctx)
	if err != nil {
		return nil, err
	}
	out := res.Outcome(r.Excluded())
	out.Credal, out.Strength, out.Stopped = res.Credal, res.Strength, "nothing is left to ask"
	if !res.Complete {
		out.Stopped = "questions remain"
		note := "every row has a group; more answers make the groups better"
		if r.Settled() {
			note = "more answers are unlikely to change much: fifty are expected to put no more than " +
				"one row in a hundred right"
		}
		out.Notes = append(out.Notes, note)
	}
	if out.Uncertain = res.Fewest < res.Most; out.Uncertain {
		out.Notes = append(out.Notes, fmt.Sprintf("there are likely to be %d to %s", res.Fewest,
			words.Count(res.Most, "group")))
	}
	if res.ErrorRate > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("about %s of the answers are likely to be wrong",
			percent(res.ErrorRate)))
	}
	out.Note(len(out.Excluded), "left out as bad data", "row")
	out.Note(res.Undecided, "left undecided: no answer compares them", "pair of groups",
		"pairs of groups")
	out.Note(len(res.Unmet), "not met", "link")
	return out, nil
}
