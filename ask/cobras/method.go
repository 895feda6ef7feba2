package cobras

import (
	"context"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	plain := method.Method{
		Name:         "cobras",
		Title:        "COBRAS: asks about coarse groups first, and splits them as answers go on",
		Source:       "Van Craenendonck, Dumančić, Van Wolputte and Blockeel, IDA 2018",
		NeedsAnswers: true,
		Links:        true,
		Draws:        true,
		Endless:      true,
		Invariant:    method.ToFactor,
		Cosine:       true,
		Configure:    func(set *param.Set) method.Steps { return steps(set, &Config{}) },
	}
	robust := plain
	robust.Name = "ncobras"
	robust.Title = "noise-robust COBRAS: as COBRAS, for answers that may be wrong"
	robust.Source = "Soenen, Dumančić, Van Craenendonck and Blockeel, 2020"
	robust.Configure = func(set *param.Set) method.Steps {
		cfg := &Config{ErrorRate: DefaultErrorRate}
		set.Float(&cfg.ErrorRate, param.Param{Name: "error-rate", Basic: true, Above: true,
			Max: 0.5, Below: true, Default: fmt.Sprint(DefaultErrorRate),
			Help: "share of the answers that are expected to be wrong"})
		return steps(set, cfg)
	}
	return []method.Method{plain, robust}
}

// steps declares what both methods share.
func steps(set *param.Set, cfg *Config) method.Steps {
	method.Starts(set, &cfg.Starts, param.Param{Help: "k-means starts of each split",
		Auto: "10 up to 20 000 rows, 1 above"})
	method.MaxIterations(set, &cfg.MaxIterations, param.Param{
		Help: "at most so many k-means iterations per start",
		Auto: "300 up to 20 000 rows, 10 above"})
	method.Seed(set, &cfg.Seed)
	begin := func(ctx context.Context, p method.Problem) (*Run, error) {
		cfg := *cfg
		cfg.Options, cfg.Knowledge = p.Options(cfg.Seed), p.Knowledge
		cfg.Askable = p.Askable
		return New(ctx, p.Data, cfg)
	}
	return method.Steps{
		Fit: func(ctx context.Context, p method.Problem) (*method.Outcome, error) {
			run, err := begin(ctx, p)
			if err != nil {
				return nil, err
			}
			res, err := run.alone(ctx)
			if err != nil {
				return nil, err
			}
			out := res.outcome(nil)
			out.Stopped = "nobody answers: the links alone count"
			return out, nil
		},
		Begin: func(ctx context.Context, p method.Problem) (*method.Session, error) {
			run, err := begin(ctx, p)
			if err != nil {
				return nil, err
			}
			// The first split takes longest, and every session needs it.
			return &method.Session{Session: run.Session, Outcome: run.outcome}, run.Look(ctx)
		},
	}
}

// outcome returns what the answers so far amount to.
func (r *Run) outcome(ctx context.Context) (*method.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	res, err := r.Result(ctx)
	if err != nil {
		return nil, err
	}
	out := res.outcome(r.Excluded())
	if out.Stopped = "no group can be split further"; !res.Complete {
		out.Stopped, out.Unfinished = "questions remain", !res.Merged
		note := "every row has a group; more answers make the groups better"
		switch {
		case !res.Merged:
			note = "the first groups are not compared yet: a few more answers give a first " +
				"clustering"
		case res.Splitting:
			note = "a group is being split, and until that is done not all answers hold: a few " +
				"more finish it"
		case r.Settled():
			note = fmt.Sprintf("The last %d answers changed nothing: more are unlikely to change "+
				"the groups.", SettledAfter)
		}
		out.Notes = append(out.Notes, note)
	}
	out.Note(len(out.Excluded), "left out as bad data", "row")
	return out, nil
}

func (res *Result) outcome(excluded []int) *method.Outcome {
	out := res.Outcome(excluded)
	out.Note(res.Undecided, "left undecided: no answer compares them", "pair of clusters",
		"pairs of clusters")
	var pairs []string
	for i, l := range res.Mistakes {
		if i == mostMistakes {
			pairs = append(pairs, "…")
			break
		}
		pairs = append(pairs, fmt.Sprintf("%d and %d (%s)", l.A+1, l.B+1, l.Kind))
	}
	out.Note(len(res.Mistakes), "taken to be wrong, about rows "+strings.Join(pairs, ", "),
		"answer")
	out.Note(len(res.Unmet), "not met", "link")
	return out
}

// mostMistakes is how many mistakes are named.
const mostMistakes = 10
