package cobra2017

import (
	"context"
	"errors"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/cluster/constrained"
	"github.com/kindred-go/kindred/cluster/spectral"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// The methods that the paper compares.
const (
	ours       = "COBRA"
	mpckMinMax = "MPCKM-MinMax"
	mpckNPU    = "MPCKM-NPU"
	coscMinMax = "COSC-MinMax"
	coscNPU    = "COSC-NPU"
)

// competitor is a method that learns from links, and a strategy that chooses them.
type competitor struct {
	name     string
	spectral bool // COSC, else MPCKMeans
	strategy string
}

// competitors in the order of table 2.
var competitors = []competitor{
	{mpckMinMax, false, strategy.MinMax},
	{mpckNPU, false, strategy.NPU},
	{coscMinMax, true, strategy.MinMax},
	{coscNPU, true, strategy.NPU},
}

// learner clusters the rows of a fold into k clusters under links; starts ≤ 0 is the default of the
// method.
type learner func(ctx context.Context, links []link.Link, starts int) ([]int, error)

// learner of MPCKMeans does what WekaUT, the program that the paper names, does by
// default: it starts once, from the neighbourhoods of the links, learns one diagonal metric for
// all clusters, and weighs all links that follow. That of COSC cuts the graph of 20 nearest
// neighbours.
func (f fold) learner(ctx context.Context, c competitor, k int) (learner, error) {
	seed := f.derive("clustering", k)
	if !c.spectral {
		return func(ctx context.Context, links []link.Link, _ int) ([]int, error) {
			all, err := closed(f.x.Rows, links)
			if err != nil {
				return nil, err
			}
			r, err := constrained.FitMPCK(ctx, f.x,
				constrained.MPCKConfig{Metric: fit.Diagonal, Shared: true,
					Config: constrained.Config{
						Options:   fit.Options{Seed: seed, Threads: 1},
						Limits:    fit.Limits{Starts: 1},
						Knowledge: fit.Knowledge{Links: all, Contradictions: link.Keep},
						Clusters:  k,
					}})
			if err != nil {
				return nil, err
			}
			return frame.FromOne(r.Labels), nil
		}, nil
	}
	opts := fit.Options{Seed: seed, Threads: 1}
	g, err := spectral.VectorGraph(ctx, f.x, spectral.GraphConfig{Options: opts})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, links []link.Link, starts int) ([]int, error) {
		cfg := spectral.COSCConfig{Options: opts, Limits: fit.Limits{Starts: starts},
			Knowledge: fit.Knowledge{Links: links, Contradictions: link.Keep}, Clusters: k}
		r, err := spectral.FitCOSC(ctx, g, cfg)
		if _, ok := errors.AsType[*fault.Input](err); ok && k < f.classes {
			cfg.Links = largest(f.x.Rows, links, k)
			r, err = spectral.FitCOSC(ctx, g, cfg)
		}
		if err != nil {
			return nil, err
		}
		return frame.FromOne(r.Labels), nil
	}, nil
}

// closed returns all links that follow from some, by transitivity and entailment.
func closed(n int, links []link.Link) (all []link.Link, err error) {
	set, _, err := link.Build(n, links, link.Keep)
	if err != nil {
		return nil, err
	}
	rows := slices.Collect(set.Linked())
	for i, a := range rows {
		for _, b := range rows[i+1:] {
			if kind := set.Relation(a, b); kind != link.Unknown {
				all = append(all, link.Link{A: a, B: b, Kind: kind})
			}
		}
	}
	return all, nil
}

// largest leaves out cannot-links of all but the k largest neighbourhoods, the earliest among
// equals: COSC refuses links that part more than k groups from each other, as they do where k is
// too small. This is ours.
func largest(n int, links []link.Link, k int) (kept []link.Link) {
	set, _, err := link.Build(n, links, link.Keep)
	if err != nil {
		return nil
	}
	var hoods []int
	for _, g := range set.Groups() {
		hoods = append(hoods, g[0])
	}
	hoods = hoods[:min(k, len(hoods))]
	for _, l := range links {
		if l.Kind == link.MustLink || slices.Contains(hoods, set.Component(l.A)) &&
			slices.Contains(hoods, set.Component(l.B)) {
			kept = append(kept, l)
		}
	}
	return kept
}

// compete runs a competitor that looks for k clusters, and returns what it comes to after so many
// questions, which rise. Its questions do not depend on how many it may ask.
func (f fold) compete(ctx context.Context, c competitor, k int, budgets []int) ([]outcome, error) {
	learn, err := f.learner(ctx, c, k)
	if err != nil {
		return nil, err
	}
	inTheEnd := 0
	if f.x.Rows > oftenRows {
		inTheEnd = 1
	}
	again := again{n: f.x.Rows, every: 1 + f.x.Rows/oftenRows, learn: learn}
	s, err := strategy.New(c.strategy,
		strategy.Config{Data: f.x, Clusters: k, Seed: f.derive("questions", k), Threads: 1,
			Partition: again.partition})
	if err != nil {
		return nil, err
	}
	run, err := ask.Begin(ctx, f.x.Rows, nil, link.Keep, s)
	if err != nil {
		return nil, err
	}
	run.Exclude(f.test)
	return f.driven(ctx, run, budgets, func() (outcome, error) {
		links, err := strategy.Links(ctx, s, run.Ledger)
		if err != nil {
			return outcome{}, err
		}
		labels, err := learn(ctx, links, inTheEnd)
		return outcome{labels: labels, clusters: k, asked: run.Answers()}, err
	})
}

// oftenRows is the number of rows from which on NPU clusters anew not after every object, but after
// every second, from twice as many on after every third, and so on; COSC then cuts from one start
// in the end, too. This bounds the run, and is ours.
const oftenRows = 500

// again clusters for NPU, which wants a new clustering when an object has found its neighbourhood,
// not while it is compared with one after the other (Xiong, Azimi and Fern 2014, algorithm 1).
type again struct {
	n, every int
	learn    learner
	last     strategy.Partition
	groups   int // placed objects since the last clustering
}

func (a *again) partition(ctx context.Context, links []link.Link) (strategy.Partition, error) {
	if a.last.Labels != nil {
		whole, err := placed(a.n, links)
		if err != nil {
			return a.last, err
		}
		if !whole {
			return a.last, nil
		}
		if a.groups++; a.groups < a.every {
			return a.last, nil
		}
	}
	labels, err := a.learn(ctx, links, 1)
	if err != nil {
		return strategy.Partition{}, err
	}
	a.last, a.groups = strategy.Partition{Labels: labels}, 0
	return a.last, nil
}

// placed reports whether every linked object is in a neighbourhood: of any two neighbourhoods it is
// known that they differ.
func placed(n int, links []link.Link) (bool, error) {
	set, _, err := link.Build(n, links, link.Keep)
	if err != nil {
		return false, err
	}
	hoods := set.Groups()
	for i, g := range hoods {
		for _, other := range hoods[:i] {
			if set.Relation(g[0], other[0]) == link.Unknown {
				return false, nil
			}
		}
	}
	return true, nil
}
