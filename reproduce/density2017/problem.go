package density2017

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// sharesOf returns the shares of the rows whose classes are known; a reduced run has every other
// one.
func sharesOf(p frame.Plan) []float64 {
	if p.Reduced {
		return []float64{.01, .05, .2}
	}
	return []float64{.01, .02, .05, .1, .2}
}

// problem is a data set as the methods get it.
type problem struct {
	name    string
	x       dataset.Matrix
	truth   []int32
	classes int // that have rows
}

// prepared makes a problem of a data set: features scaled to 0..1, which is what the command does,
// or as they are where all are coordinates of one plane.
func prepared(s *frame.Set, scale bool) problem {
	p := problem{name: s.Name, x: s.X, truth: s.Truth, classes: s.Classes}
	if scale {
		p.x = frame.Scaled(s.X)
	}
	return p
}

// labelled draws the rows whose classes are known: one of each class, then any others, so many that
// they are the given share of all. Those of a greater share hold those of a less one.
func (p problem) labelled(share float64, seed uint64, draw int) []int32 {
	rng := rand.New(rand.NewPCG(frame.Derive(seed, "labelled", p.name, draw, 0), 0))
	known := make([]int32, p.x.Rows)
	for i := range known {
		known[i] = -1
	}
	seen := make(map[int32]bool)
	var first, rest []int
	for _, i := range rng.Perm(p.x.Rows) {
		if c := p.truth[i]; !seen[c] {
			seen[c] = true
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	more := max(0, int(math.Round(share*float64(p.x.Rows)))-len(first))
	for _, i := range append(first, rest[:more]...) {
		known[i] = p.truth[i]
	}
	return known
}

// measures are what a run measures, over the rows whose classes are not known: the adjusted Rand
// index and NMI with each row of noise a cluster of its own; the share of noise; the adjusted Rand
// index over the rows that are not noise, and the same with all noise one cluster; and the number
// of clusters.
var measures = []string{"ari", "nmi", "noise", "ari_claimed", "ari_joint", "clusters"}

// fit runs a method that knows the classes of the known rows, or what they entail, and measures.
func (p problem) fit(ctx context.Context, c compared, known []int32, seed uint64) (frame.Values,
	error) {
	found, err := p.labels(ctx, c, known, seed)
	if err != nil {
		return nil, err
	}
	return p.measure(found, known)
}

// labels returns the clusters that a method finds.
func (p problem) labels(ctx context.Context, c compared, known []int32, seed uint64) ([]int,
	error) {
	m, err := all.Find(c.name)
	if err != nil {
		return nil, err
	}
	in := method.Problem{Data: p.x, Threads: 1}
	switch c.takes {
	case classes:
		in.Known = known
	case links:
		var rows []int
		for i, k := range known {
			if k >= 0 {
				rows = append(rows, i)
			}
		}
		if in.Links, err = ask.ClassLinks(p.truth, rows, true); err != nil {
			return nil, err
		}
	}
	configured, err := m.With(c.values(m, p.x.Rows, p.classes, seed))
	if err != nil {
		return nil, err
	}
	out, err := configured.Fit(ctx, in)
	if err != nil {
		return nil, err
	}
	return out.Labels, nil
}

func (p problem) measure(found []int, known []int32) (frame.Values, error) {
	var labels, truth, claimed, claimedTruth []int
	for i, k := range known {
		if k >= 0 {
			continue
		}
		labels, truth = append(labels, found[i]), append(truth, int(p.truth[i])+1)
		if found[i] != 0 {
			claimed, claimedTruth = append(claimed, found[i]),
				append(claimedTruth, int(p.truth[i])+1)
		}
	}
	alone, err := eval.Compare(eval.Singletons(labels), truth)
	if err != nil {
		return nil, err
	}
	joint, err := eval.Compare(labels, truth)
	if err != nil {
		return nil, err
	}
	without := math.NaN()
	if len(claimed) > 1 {
		r, err := eval.Compare(claimed, claimedTruth)
		if err != nil {
			return nil, err
		}
		without = r.AdjustedRand
	}
	return frame.Values{
		"ari": alone.AdjustedRand, "nmi": alone.NMI, "ari_claimed": without,
		"ari_joint": joint.AdjustedRand, "noise": float64(joint.Noise) / float64(joint.N),
		"clusters": float64(joint.Clusters),
	}, nil
}
