package cobra

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the method of this package.
func Methods() []method.Method {
	return []method.Method{{
		Name:         "cobra",
		Title:        "COBRA: asks whether pairs of small groups belong together",
		Source:       "Van Craenendonck, Dumančić and Blockeel, IJCAI 2017",
		NeedsAnswers: true,
		Links:        true,
		Draws:        true,
		Invariant:    method.ToFactor,
		Cosine:       true,
		Configure: func(set *param.Set) method.Steps {
			cfg := &Config{}
			set.Int(&cfg.SuperInstances, param.Param{Name: "super-instances", Basic: true, Min: 1,
				Max: MaxSuperInstances, Default: fmt.Sprint(DefaultSuperInstances),
				Help: "small groups that are compared"})
			method.Starts(set, &cfg.Starts, param.Param{Default: "1"})
			method.MaxIterations(set, &cfg.MaxIterations, param.Param{
				Help: "at most so many k-means iterations per start",
				Auto: "300 up to 100 000 rows and 2²⁴ values, 10 above"})
			method.Seed(set, &cfg.Seed)
			return method.Asking(
				func(ctx context.Context, p method.Problem) (*method.Session, error) {
					return begin(ctx, p, *cfg)
				}, "")
		},
	}}
}

func begin(ctx context.Context, p method.Problem, cfg Config) (*method.Session, error) {
	notes := method.FewerSuperInstances(cfg.SuperInstances, p)
	cfg.Options, cfg.Knowledge = p.Options(cfg.Seed), p.Knowledge
	cfg.Askable = p.Askable
	run, err := New(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	outcome := func(ctx context.Context) (*method.Outcome, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return run.outcome(), nil
	}
	return &method.Session{Session: run.Session, Outcome: outcome, Notes: notes}, nil
}

// outcome returns the outcome of a run as it stands.
func (r *Run) outcome() *method.Outcome {
	res := r.Result()
	out := res.Outcome(r.Excluded())
	out.Stopped = "every question is answered"
	if !res.Complete {
		likely, most := r.Remaining()
		out.Stopped, out.Unfinished = "questions remain", true
		out.Notef("at least about %d more answers complete the clustering, %d at most",
			likely, most)
	}
	out.Note(len(out.Excluded), "left out as bad data", "row")
	out.Note(res.Undecided, "left undecided, as you were not sure", "pair of clusters",
		"pairs of clusters")
	out.Note(len(res.Unmet), "not met: each contradicts others, or parts rows of one "+
		"super-instance; more super-instances may help", "link")
	return out
}

// Outcome returns the outcome of a result but for its notes and why it stopped.
func (res *Result) Outcome(excluded []int) *method.Outcome {
	return &method.Outcome{
		Labels: res.Labels, Clusters: res.Clusters, Queries: len(res.Answers), Asked: res.Answers,
		Unmet: res.Unmet, Medoids: res.Medoids, Of: res.Of, Excluded: excluded,
		Model: placing(res.Means, res.ClusterOf),
	}
}

// placing returns the model of the means of super-instances whose clusters, from 1, are known;
// those of cluster 0 are left out. nil: that leaves none.
func placing(means dataset.Matrix, clusterOf []int) *method.Model {
	if !slices.Contains(clusterOf, 0) {
		return &method.Model{Means: means, ClusterOf: clusterOf}
	}
	m := &method.Model{}
	var kept []int
	for s, c := range clusterOf {
		if c > 0 {
			kept = append(kept, s)
			m.ClusterOf = append(m.ClusterOf, c)
		}
	}
	if kept == nil {
		return nil
	}
	m.Means = means.Subset(kept)
	return m
}
