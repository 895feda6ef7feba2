package spectral

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// COSCConfig is how to cluster by [FitCOSC]. Only Clusters must be set.
type COSCConfig struct {
	fit.Options

	// Starts is the number of starts of each cut, 3 by default: one from the second eigenvector,
	// the others random, which begin with a penalty where the first needed one (ours); one more
	// always comes from a colouring of the cannot-links. MaxIterations and Tolerance mean nothing.
	fit.Limits

	// Links all count the same, whatever their plausibility. [link.Keep] as Contradictions leaves
	// out those that contradict earlier ones. Known means nothing.
	fit.Knowledge

	// Clusters is the number of clusters k, from 1 to the number of nodes.
	Clusters int
}

// COSCResult is a partition, and what it costs.
type COSCResult struct {
	Labels   []int32 // cluster of each row, from 0
	Clusters int     // fewer than asked for where must-links leave fewer groups

	// Objective is the normalised cut Σ_l cut(C_l, rest)/vol(C_l) of the contracted graph.
	Objective float64

	Violated []link.Link // links that the partition breaks, in the order given

	// Firm reports that a colouring shows that the clusters suffice for all cannot-links: then none
	// is violated.
	Firm bool

	Cuts     int                   // cuts made
	Clashing []*link.Contradiction // links that contradict earlier ones, and were left out
	Notes    []string              // what was peculiar about the graph and the links, as clauses
}

// FitCOSC is constrained 1-spectral clustering (S. S. Rangapuram and M. Hein, AISTATS 2012): the
// least normalised cut that honours the links.
//
// Must-links are contracted. For two clusters it minimises
//
//	F_γ(f) = [Σ w|f_i−f_j| − γ Σ_CL |f_i−f_j| + γ|CL|(max f − min f)] / balance(f),
//
// balance the Lovász extension of vol(C)·vol(C̄)/vol, whose minimum over f is attained by a set
// (theorem 2 there), with γ from 0, .2, doubling until no link is violated, then back by bisection
// to 1 %. For fixed γ a sequence of convex problems lowers it, and the best level set is taken.
//
// More clusters come of splitting again and again; of all clusters the one whose split has the
// least normalised cut is split. What a cut has to do there is ours: cannot-links among its two
// parts must be such that the parts can still be coloured with the clusters left, by the DSATUR
// rule. So where that rule finds a colouring of the cannot-links in k colours no link is violated,
// and for k = 2 it finds one wherever there is one. Where more than k rows are found that all
// differ from each other it is a [*fault.Input] that names them; in between, links are soft, and
// the partition violates few.
//
// A cut solves hundreds of convex problems, of hundreds of steps that go through all links of the
// graph: seconds for a thousand rows, and from three thousand a minute.
//
// The graph is connected first, as [Graph.Embed] does, with one component left.
func FitCOSC(ctx context.Context, g *Graph, cfg COSCConfig) (*COSCResult, error) {
	if err := g.checkClusters(cfg.Clusters); err != nil {
		return nil, err
	}
	if err := cfg.Limits.Check(); err != nil {
		return nil, err
	}
	cfg.Limits = cfg.Limits.Or(fit.Limits{Starts: 3})
	set, clashing, err := link.Build(g.Rows(), cfg.Links, cfg.Contradictions)
	if err != nil {
		return nil, err
	}
	weights, components, err := g.joined(ctx, 1, cfg.Threads)
	if err != nil {
		return nil, err
	}
	u, err := g.contract(weights, set)
	if err != nil {
		return nil, err
	}
	r := &COSCResult{Clashing: clashing}
	if components > 1 {
		r.Notes = append(r.Notes,
			fmt.Sprintf("the graph has %d components, which were joined, each with its nearest",
				components))
	}
	c := &coscRun{ctx: ctx, u: u, cfg: cfg}
	unit, err := c.run()
	if err != nil {
		return nil, err
	}
	r.Firm, r.Cuts, r.Clusters = c.firm, c.cuts, len(c.parts)
	r.Labels = make([]int32, g.Rows())
	for row, v := range u.of {
		r.Labels[row] = unit[v]
	}
	for l := range c.parts {
		if q := c.quotient(c.parts[l].units); q > 0 {
			r.Objective += q
		}
	}
	r.Violated = link.Violated(r.Labels, cfg.Links)
	if r.Clusters < cfg.Clusters {
		r.Notes = append(r.Notes,
			fmt.Sprintf("only %s: must-links leave no more groups apart",
				words.Count(r.Clusters, "cluster")))
	}
	if !c.firm {
		r.Notes = append(r.Notes,
			fmt.Sprintf("no way was found to honour all cannot-links with %d clusters",
				cfg.Clusters))
	}
	return r, nil
}

// coscRun splits parts until there are enough.
type coscRun struct {
	ctx   context.Context
	u     *units
	cfg   COSCConfig
	parts []coscPart
	firm  bool
	cuts  int
}

// coscPart is a cluster so far.
type coscPart struct {
	units  []int32
	colour map[int32]int // of units with a rival among them, so that rivals differ
	needs  int           // colours in it, at least 1
	split  *coscSplit    // its best split; nil where not looked for
}

type coscSplit struct {
	halves [2]coscPart
	gain   float64 // what the normalised cut becomes less what it is
}

func (s *coscSplit) needs() int { return s.halves[0].needs + s.halves[1].needs }

// part colours some units, afresh or as a part that held them is coloured, whichever takes fewer.
func (c *coscRun) part(units []int32, within map[int32]int) coscPart {
	p := coscPart{units: units}
	p.colour, p.needs = c.u.rivals.colours(units)
	used := map[int]int{}
	for _, v := range units {
		if old, ok := within[v]; ok {
			if _, seen := used[old]; !seen {
				used[old] = len(used)
			}
		}
	}
	if within != nil && len(used) < p.needs {
		p.needs = max(1, len(used))
		for _, v := range units {
			if old, ok := within[v]; ok {
				p.colour[v] = used[old]
			}
		}
	}
	return p
}

// run returns the cluster of each unit.
func (c *coscRun) run() ([]int32, error) {
	n, k := len(c.u.first), c.cfg.Clusters
	if group := c.u.rivals.different(); len(group) > k {
		var rows []int
		for _, v := range group {
			rows = append(rows, c.u.first[v])
		}
		slices.Sort(rows)
		return nil, link.AllDifferent(rows, k)
	}
	all := disjoint.Singletons(n)
	if k >= n {
		for _, v := range all {
			c.parts = append(c.parts, coscPart{units: []int32{v}, needs: 1})
		}
		c.firm = true
		return all, nil
	}
	c.parts = []coscPart{c.part(all, nil)}
	c.firm = c.parts[0].needs <= k
	for len(c.parts) < k {
		if err := c.grow(); err != nil {
			return nil, err
		}
		part(c.cfg.Progress, 0, 1)(float64(len(c.parts)) / float64(k))
	}
	out := make([]int32, n)
	for l, p := range c.parts {
		for _, v := range p.units {
			out[v] = int32(l)
		}
	}
	return out, nil
}

// grow splits one part.
func (c *coscRun) grow() error {
	total := 0
	for _, p := range c.parts {
		total += p.needs
	}
	best := -1
	for l := range c.parts {
		p := &c.parts[l]
		room := c.cfg.Clusters - (total - p.needs) // colours that its halves may need
		if len(p.units) < 2 || c.firm && room < 2 {
			continue
		}
		if p.split == nil || c.firm && p.split.needs() > room {
			var err error
			if p.split, err = c.halve(p, room); err != nil {
				return err
			}
		}
		if best < 0 || p.split.gain < c.parts[best].split.gain {
			best = l
		}
	}
	chosen := c.parts[best].split
	c.parts[best] = chosen.halves[0]
	c.parts = append(c.parts, chosen.halves[1])
	return nil
}

// halve splits a part so that its halves need no more colours than there is room for.
func (c *coscRun) halve(p *coscPart, room int) (*coscSplit, error) {
	problem := c.u.among(p.units)
	colour := make(map[int32]int, len(p.colour)) // by place
	for i, v := range p.units {
		if col, ok := p.colour[v]; ok {
			colour[int32(i)] = col
		}
	}
	parted := func(q cut) *coscSplit {
		var halves [2][]int32
		for i, side := range q.side {
			h := 0
			if side {
				h = 1
			}
			halves[h] = append(halves[h], p.units[i])
		}
		return &coscSplit{halves: [2]coscPart{c.part(halves[0], p.colour),
			c.part(halves[1], p.colour)}}
	}
	allowed := func(q cut) bool { return len(problem.apart) == 0 || parted(q).needs() <= room }
	if !c.firm {
		allowed = func(q cut) bool { return q.violated == 0 }
	}
	c.cuts++
	q, err := problem.split(c.ctx, c.cfg.Starts, c.cfg.Seed+uint64(c.cuts)*0x9e3779b97f4a7c15,
		c.cfg.Threads, colour, c.firm, allowed)
	if err != nil {
		return nil, err
	}
	s := parted(q)
	s.gain = c.quotient(s.halves[0].units) + c.quotient(s.halves[1].units) - c.quotient(p.units)
	return s, nil
}

// quotient returns cut(C, rest)/vol(C).
func (c *coscRun) quotient(units []int32) float64 {
	inside := make(map[int32]bool, len(units))
	volume, weight := 0.0, 0.0
	for _, v := range units {
		inside[v] = true
		volume += c.u.volume[v]
	}
	for _, v := range units {
		for e := c.u.weights.Start[v]; e < c.u.weights.Start[v+1]; e++ {
			if !inside[c.u.weights.Col[e]] {
				weight += c.u.weights.Value[e]
			}
		}
	}
	return weight / max(volume, math.SmallestNonzeroFloat64)
}
