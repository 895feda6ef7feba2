package cevclus2013

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/cluster/relational"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// The methods. cevclus is the paper's: Sammon's stress, all sets of clusters, gradients; without
// links it is EVCLUS. ours is EVCLUS as it is by default here: conflict stress, the empty set,
// single clusters and the frame, row programmes, and links that are anchored or propagated.
const (
	cevclus = "CEVCLUS"
	ours    = "kindred's EVCLUS"
	sscard  = "SSCARD"
	ccl     = "CCL"
)

// measures are what a run measures: the Rand index over all objects and over those that no link
// touches; links that the partition breaks; and of links that rules make, how many there are, how
// many of them are wrong, and how many were drawn from.
var measures = []string{"rand", "untouched", "violated", "random", "links", "wrong", "made"}

// fitted is a partition, and whether a random start led to it, not the one from EVCLUS' partition;
// NaN where there was no choice.
type fitted struct {
	labels []int // from 1
	random float64
}

// free returns EVCLUS' partition of a draw, fitted when it is first asked for.
func (g *ground) free(ctx context.Context, draw int) (*credal.Partition, error) {
	return g.bases.Get(draw, func() (*credal.Partition, error) {
		d, err := g.dense()
		if err != nil {
			return nil, err
		}
		cfg := g.paperConfig(draw)
		cfg.Start, cfg.Starts = evclus.Random, g.effort.free
		r, err := evclus.Fit(ctx, d, cfg)
		if err != nil {
			return nil, err
		}
		return r.Credal, nil
	})
}

// paperConfig is EVCLUS as the paper has it (eqs. 13, 19, App. A).
func (g *ground) paperConfig(draw int) evclus.Config {
	return evclus.Config{
		Clusters:    g.Classes,
		Focal:       g.focal,
		Stress:      evclus.Sammon,
		Optimizer:   evclus.Gradient,
		Constraints: evclus.Penalty,
		Options:     fit.Options{Seed: g.derive("starts", draw), Threads: 1},
	}
}

// bound returns CEVCLUS' partition under links of weight xi: of so many starts, the first from
// EVCLUS' partition and the others at random, that of the lowest criterion.
func (g *ground) bound(ctx context.Context, draw int, links []link.Link, xi float64,
	starts int) (*credal.Partition, float64, error) {
	first, err := g.free(ctx, draw)
	if err != nil || len(links) == 0 {
		return first, math.NaN(), err
	}
	d, err := g.dense()
	if err != nil {
		return nil, 0, err
	}
	cfg := g.paperConfig(draw)
	cfg.Start, cfg.Initial, cfg.Starts = evclus.Given, first, starts
	cfg.Links, cfg.LinkWeight = links, xi
	r, err := evclus.Fit(ctx, d, cfg)
	if err != nil {
		return nil, 0, err
	}
	random := math.NaN()
	if starts > 1 {
		random = 0
		if r.Winner > 0 {
			random = 1
		}
	}
	return r.Credal, random, nil
}

// fit fits by one method.
func (g *ground) fit(ctx context.Context, method string, draw int, links []link.Link, xi float64,
	starts int) (fitted, error) {
	out := fitted{random: math.NaN()}
	d, err := g.dense()
	if err != nil {
		return out, err
	}
	options := fit.Options{Seed: g.derive("starts", draw), Threads: 1}
	knowledge := fit.Knowledge{Links: links}
	switch method {
	case cevclus:
		var c *credal.Partition
		if c, out.random, err = g.bound(ctx, draw, links, xi, starts); err == nil {
			out.labels = c.ArgMax(belief.MaxPignistic)
		}
	case ours:
		var r *evclus.Result
		if r, err = evclus.Fit(ctx, d, evclus.Config{Clusters: g.Classes, Knowledge: knowledge,
			Options: options}); err == nil {
			out.labels = r.Credal.ArgMax(belief.MaxPignistic)
		}
	case sscard:
		var r *relational.Result
		if r, err = relational.FitSSCARD(ctx, []dissim.Source{d}, relational.SSCARDConfig{
			Knowledge: knowledge,
			Config:    relational.Config{Clusters: g.Classes, Options: options},
		}); err == nil {
			out.labels = frame.FromOne(r.Labels())
		}
	case ccl:
		var r *hierarchy.CCLResult
		if r, err = hierarchy.FitCCL(ctx, d, hierarchy.CCLConfig{
			Options: fit.Options{Threads: 1}, Knowledge: knowledge, Clusters: g.Classes,
		}); err == nil {
			out.labels = frame.FromOne(r.Labels)
		}
	}
	return out, err
}

// judge measures a partition.
func (g *ground) judge(f fitted, links []link.Link) (frame.Values, error) {
	all, err := eval.Compare(f.labels, g.truth)
	if err != nil {
		return nil, err
	}
	values := frame.Values{"rand": all.Rand, "random": f.random,
		"violated": float64(len(link.Violated(f.labels, links)))}
	if len(eval.Untouched(len(f.labels), links)) > 1 { // links may touch all objects
		rest, err := eval.CompareUntouched(f.labels, g.truth, links)
		if err != nil {
			return nil, err
		}
		values["untouched"] = rest.Rand
	}
	return values, nil
}

// run fits by one method and measures.
func (g *ground) run(ctx context.Context, method string, draw int, links []link.Link, xi float64,
	starts int) (frame.Values, error) {
	f, err := g.fit(ctx, method, draw, links, xi, starts)
	if err != nil {
		return nil, err
	}
	return g.judge(f, links)
}
