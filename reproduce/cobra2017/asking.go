package cobra2017

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/ask/cobras"
	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/reproduce/frame"
)

const starts = 10 // of the k-means that makes super-instances

// outcome is what a clustering came to.
type outcome struct {
	labels   []int // cluster of each row, from 1
	clusters int
	asked    []link.Link // the questions and their answers
	supers   int         // super-instances; 0: there are none
	seconds  float64     // 0: not measured
}

// cobra runs COBRA to its end.
func (f fold) cobra(ctx context.Context, supers int) (outcome, error) {
	run, err := cobra.New(ctx, f.x,
		cobra.Config{
			SuperInstances: supers,
			Limits:         fit.Limits{Starts: starts},
			Options:        fit.Options{Seed: f.derive("super-instances", supers), Threads: 1},
			Askable:        f.askable,
		})
	if err != nil {
		return outcome{}, err
	}
	if err := ask.Drive(ctx, run.Session, ask.Labels(f.truth), 0, nil); err != nil {
		return outcome{}, err
	}
	r := run.Result()
	return outcome{labels: r.Labels, clusters: r.Clusters, asked: r.Answers,
		supers: run.SuperInstances().Len()}, nil
}

// cobras runs COBRA to its end with each number of super-instances.
func (f fold) cobras(ctx context.Context, supers []int) ([]outcome, error) {
	return frame.Map(supers, func(s int) (outcome, error) { return f.cobra(ctx, s) })
}

// budgets are the questions that COBRA takes with so many super-instances: what its competitors may
// ask.
func (f fold) budgets(ctx context.Context, supers []int) ([]int, error) {
	return frame.Map(supers, func(s int) (int, error) {
		return f.counted.Get(countKey{f.seed, f.draw, s}, func() (int, error) {
			o, err := f.cobra(ctx, s)
			return len(o.asked), err
		})
	})
}

// splitting runs COBRAS, or with an error rate its noise-robust version, and returns what it comes
// to after so many questions, which rise.
func (f fold) splitting(ctx context.Context, errorRate float64, budgets []int) ([]outcome, error) {
	run, err := cobras.New(ctx, f.x,
		cobras.Config{
			ErrorRate: errorRate,
			Options:   fit.Options{Seed: f.derive("splits", 0), Threads: 1},
			Askable:   f.askable,
		})
	if err != nil {
		return nil, err
	}
	return f.driven(ctx, run.Session, budgets, func() (outcome, error) {
		r, err := run.Result(ctx)
		if err != nil {
			return outcome{}, err
		}
		return outcome{labels: r.Labels, clusters: r.Clusters, asked: r.Answers,
			supers: len(r.Medoids)}, nil
	})
}

// kin runs kin as splitting runs COBRAS.
func (f fold) kin(ctx context.Context, budgets []int) ([]outcome, error) {
	run, err := kin.New(ctx, f.x,
		kin.Config{Limits: fit.Limits{Starts: starts},
			Options: fit.Options{Seed: f.derive("groups", 0), Threads: 1}, Askable: f.askable})
	if err != nil {
		return nil, err
	}
	return f.driven(ctx, run.Session, budgets, func() (outcome, error) {
		r, err := run.Result(ctx)
		if err != nil {
			return outcome{}, err
		}
		return outcome{labels: r.Labels, clusters: r.Clusters, asked: r.Answers,
			supers: len(r.Medoids)}, nil
	})
}

// driven has the true classes answer until each number of questions, which rise, and returns what
// the run comes to then.
func (f fold) driven(ctx context.Context, run *ask.Session, budgets []int,
	result func() (outcome, error)) ([]outcome, error) {
	return frame.Map(budgets, func(budget int) (outcome, error) {
		if err := ask.Drive(ctx, run, ask.Labels(f.truth), budget, nil); err != nil {
			return outcome{}, err
		}
		return result()
	})
}

// named is a method at so many super-instances.
func named(method string, supers int) string { return fmt.Sprintf("%s %d", method, supers) }
