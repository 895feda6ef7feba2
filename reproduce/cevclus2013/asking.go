package cevclus2013

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// The columns of table 9: CEVCLUS that asks by Algorithm 3, CEVCLUS under as many random links, and
// kindred's EVCLUS, which asks for one link at a time.
const (
	asked     = "CEVCLUS, asking"
	unasked   = "CEVCLUS, random links"
	oursAsked = "kindred's EVCLUS, asking"
)

var askers = []string{asked, unasked, oursAsked}

// asking are the fits of table 9. The start of a run is the question.
func (b *bench) asking(g *ground) frame.Unit {
	return frame.Unit{
		Key: frame.Key{Part: partAsking, Set: g.Name, Setting: "expert"}, Draws: b.draws(g),
		Starts: len(paperAsking), Methods: askers,
		Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
			return g.ask(ctx, key.Draw)
		},
	}
}

// ask lets an expert who knows the classes answer. Before each question but the first, the object
// of greatest nonspecificity that was not asked about is compared with the most certain object of
// each cluster, and CEVCLUS is run again (Algorithm 3).
func (g *ground) ask(ctx context.Context, draw int) ([]frame.Values, error) {
	d, err := g.dense()
	if err != nil {
		return nil, err
	}
	own, err := evclus.NewRun(ctx, d,
		evclus.Config{Clusters: g.Classes,
			Options: fit.Options{Seed: g.derive("starts", draw), Threads: 1}})
	if err != nil {
		return nil, err
	}
	var links []link.Link
	var objects []int
	var all []frame.Values
	for question := 1; question <= len(paperAsking); question++ {
		now, random, err := g.bound(ctx, draw, links, usual, g.effort.bound)
		if err != nil {
			return nil, err
		}
		chance, err := g.links(len(links), draw)
		if err != nil {
			return nil, err
		}
		f, err := g.fit(ctx, cevclus, draw, chance, usual, g.effort.bound)
		if err != nil {
			return nil, err
		}
		answered, err := g.answer(ctx, own, len(links))
		if err != nil {
			return nil, err
		}
		for _, what := range []struct {
			fitted
			links []link.Link
		}{
			{fitted{now.ArgMax(belief.MaxPignistic), random}, links},
			{f, chance},
			{answered, own.Answers()},
		} {
			values, err := g.judge(what.fitted, what.links)
			if err != nil {
				return nil, err
			}
			values["links"] = float64(len(what.links))
			all = append(all, values)
		}
		object, others := doubtful(now, objects)
		objects = append(objects, object)
		for _, o := range others {
			links = append(links, g.expert(object, o))
		}
	}
	return all, nil
}

// answer goes on with questions of kindred's EVCLUS until so many are answered, or none is left.
func (g *ground) answer(ctx context.Context, own *evclus.Run, count int) (fitted, error) {
	for len(own.Answers()) < count {
		q, ok := own.Next()
		if !ok {
			break
		}
		if err := own.Answer(g.expert(q.A, q.B).Kind); err != nil {
			return fitted{}, err
		}
	}
	r, err := own.Result(ctx)
	if err != nil {
		return fitted{}, err
	}
	return fitted{r.Credal.ArgMax(belief.MaxPignistic), math.NaN()}, nil
}

// expert answers from the classes.
func (g *ground) expert(a, b int) link.Link {
	l := link.Link{A: a, B: b, Kind: link.CannotLink}
	if g.Truth[a] == g.Truth[b] {
		l.Kind = link.MustLink
	}
	return l
}

// doubtful returns the object of greatest nonspecificity, those that were asked about aside, and
// the object of least nonspecificity of each cluster by pignistic probability, the object itself
// aside; empty clusters have none. The first wins a tie.
func doubtful(p *credal.Partition, before []int) (object int, others []int) {
	doubt, labels := p.Nonspecificities(), p.ArgMax(belief.MaxPignistic)
	object = -1
	for i, n := range doubt {
		if !slices.Contains(before, i) && (object < 0 || n > doubt[object]) {
			object = i
		}
	}
	surest := slices.Repeat([]int{-1}, p.Clusters)
	for i, n := range doubt {
		if at := &surest[labels[i]-1]; i != object && (*at < 0 || n < doubt[*at]) {
			*at = i
		}
	}
	for _, o := range surest {
		if o >= 0 {
			others = append(others, o)
		}
	}
	return object, others
}
