//go:build ignore

package method

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// Learning are the parameters of competitive learning. Zero values are as in
// [competitive.FitConfig].
type Learning struct {
	Epochs   int // passes over the rows
	Rate     competitive.Rate
	Metric   competitive.Metric
	Init     competitive.Init // taken by lcvqe too
	HalfLife float64          // rows after which a win counts half; 0: it counts for good

	// Prune leaves out the prototypes of rpcl and crpcl that represent next to no rows: the others,
	// as many as the method estimates, place all rows.
	Prune bool
}

const (
	competitivePaper = "Covões, Hruschka and Ghosh, IEEE TNNLS 24 (2013)"
	learningDefault  = "one start by k-means++ on a sample, 100 epochs, learning rate 0.05"
	unlearning       = ", unlearning rate 0.002"
)

// learningTakes are the flags that all methods of competitive learning share.
var learningTakes = []string{"clusters", "starts", "seed", "init", "epochs", "learning-rate",
	"rate", "half-life"}

func wtaMethod() Method {
	return learning(competitive.WinnerTakeAll, Method{
		Title:   "WTA: on-line k-means, the nearest prototype learns each row",
		Source:  "Hofmann and Buhmann, IEEE TSMC 28 (1998); " + competitivePaper,
		Default: learningDefault,
	})
}

func fsclMethod() Method {
	return learning(competitive.FrequencySensitive, Method{
		Title: "FSCL: on-line k-means in which prototypes that win often are handicapped, so " +
			"that all come to win",
		Source: "Ahalt, Krishnamurthy, Chen and Melton, Neural Networks 3 (1990); " +
			competitivePaper,
		Default: learningDefault,
	})
}

func rpclMethod() Method {
	return learning(competitive.RPCL, Method{
		Title: "RPCL: on-line k-means that drives rivals away, and so estimates how many " +
			"clusters there are",
		Source:  "Xu, Krzyżak and Oja, IEEE TNN 4 (1993); " + competitivePaper,
		Takes:   []string{"unlearning-rate", "penalty", "prototype-metric", "prune"},
		Default: learningDefault + unlearning + ", controlled penalty, Euclidean distances",
	})
}

func crpclMethod() Method {
	return learning(competitive.CRPCL, Method{
		Title:   "C-RPCL: RPCL under must-links and cannot-links",
		Source:  competitivePaper + ", algorithm 2",
		Takes:   []string{"unlearning-rate", "penalty", "prototype-metric", "prune"},
		Default: learningDefault + unlearning + ", controlled penalty, Euclidean distances",
	})
}

func olcvqeMethod() Method {
	return learning(competitive.OLCVQE, Method{
		Title:   "O-LCVQE: LCVQE on line, row by row",
		Source:  competitivePaper + ", algorithm 1",
		Takes:   []string{"unlearning-rate"},
		Default: learningDefault + unlearning,
	})
}

// learning completes the entry of a rule.
func learning(rule competitive.Rule, m Method) Method {
	m.Name, m.NeedsClusters, m.Draws, m.Invariant = rule.String(), true, true, ToFactor
	m.Links = learns(rule)
	m.Takes = slices.Concat(learningTakes, m.Takes, linkTakes)
	m.Fit = func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
		return fitLearning(ctx, p, s, rule)
	}
	return m
}

// learns reports whether a rule learns from links.
func learns(rule competitive.Rule) bool {
	return rule == competitive.CRPCL || rule == competitive.OLCVQE
}

func fitLearning(ctx context.Context, p Problem, s Settings, rule competitive.Rule) (*Outcome,
	error) {
	if s.Clusters == 0 {
		return nil, needsClusters(rule.String())
	}
	cfg := competitive.FitConfig{Epochs: s.Learning.Epochs, Starts: s.Starts, Threads: s.Threads}
	cfg.Config = competitive.Config{
		Rule: rule, Clusters: s.Clusters, Rate: s.Learning.Rate, Init: s.Learning.Init,
		HalfLife:       s.Learning.HalfLife,
		Contradictions: s.Contradictions, Seed: s.Seed,
	}
	estimates := rule == competitive.RPCL || rule == competitive.CRPCL
	if estimates {
		cfg.Metric = s.Learning.Metric
	}
	if s.Progress != nil {
		cfg.Progress = func(epoch, of int) { s.Progress(float64(epoch) / float64(of)) }
	}
	fit, err := competitive.Fit(ctx, p.Data, p.Links, cfg)
	if err != nil {
		return nil, err
	}
	active := 0
	for _, is := range fit.Active {
		if is {
			active++
		}
	}
	notes := clashing(len(fit.Contradicted), "are kept")
	objective, epochs := fit.Objective, len(fit.Trace)
	if away := len(fit.Active) - active; estimates && away > 0 {
		verb := "represent"
		if away == 1 {
			verb = "represents"
		}
		notes = append(notes,
			fmt.Sprintf("%d of %d prototypes %s next to no rows: the estimate of the number of "+
				"clusters is %d", away, len(fit.Active), verb, active))
		if s.Learning.Prune && active > 0 {
			if fit, err = pruned(ctx, p.Data, fit, s.Threads); err != nil {
				return nil, err
			}
			notes = append(notes,
				"their rows go to the nearest of the others; the inertia is that before")
		}
	}
	out := nearest(fit.Labels, fit.Prototypes)
	out.Model.Metric, out.Model.Roots = fit.Metric, fit.Roots
	out.Objective, out.Iterations, out.Unit, out.Stopped = objective, epochs, "epoch",
		"all epochs are done"
	if fit.Metric != competitive.Euclidean {
		out.Measure = "inertia in learnt metrics"
	}
	out.Unmet = link.Violated(out.Labels, p.Links)
	if len(p.Links) > 0 && !learns(rule) {
		notes = append(notes, rule.String()+" does not learn from links: they are only counted")
	}
	if estimates {
		out.Estimate = active
	}
	out.Notes = append(notes, without(out.Clusters, fit.Prototypes.Rows)...)
	return out, nil
}

// pruned places all rows by the prototypes that represent some.
func pruned(ctx context.Context, data dataset.Matrix, fit *competitive.Result,
	threads int) (*competitive.Result, error) {
	few := &competitive.Result{Metric: fit.Metric}
	size := len(fit.Roots) / len(fit.Active)
	var kept []int
	for i, is := range fit.Active {
		if is {
			kept = append(kept, i)
			few.Roots = append(few.Roots, fit.Roots[i*size:(i+1)*size]...)
		}
	}
	few.Prototypes = fit.Prototypes.Subset(kept)
	var err error
	few.Labels, err = few.Predict(ctx, data, threads)
	return few, err
}
