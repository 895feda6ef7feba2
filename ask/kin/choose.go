package kin

import (
	"context"
	"math"
	"slices"
)

const (
	freshShare = 0.5  // of the ignorance about a node that is put down to a group nobody has met
	groupWorth = 2    // a row that an answer about two groups puts right counts for this many
	leastShare = 0.01 // answers and groups less probable than this are not looked at
	leastReach = 1e-3 // neither are nodes that an answer hardly reaches
)

// seen returns what is supposed of the groups, by the masses of the nodes.
func (p *play) seen(f []float64) *parts {
	if p.view == nil {
		view := p.parts(f)
		p.view = view
	}
	return p.view
}

// choose finds what to ask next; nil: nothing is left.
func (p *play) choose(ctx context.Context) (*query, error) {
	f, live := p.masses(), p.live()
	view := p.parts(f)
	p.view = view
	node, err := p.chooseNode(ctx, view.sum(f), view.count)
	if err != nil {
		return nil, err
	}
	groups := p.chooseGroups(view)
	if node != nil {
		node.chance, node.fresh = p.chances(f[node.node*p.size:(node.node+1)*p.size], live)
		node.past, node.yes = make([]bool, p.size), make([]bool, p.size)
	}
	if node == nil && groups == nil {
		return p.confirm(live), nil
	}
	if groups != nil && (node == nil || groups.gain > node.gain) {
		return groups, nil
	}
	return node, nil
}

// mass is how much a node has on a group.
type mass struct {
	group int
	v     float64
}

// chooseNode returns the node whose part, once known, is expected to put most rows right an answer:
// the mass on the most plausible part, summed over the rows, rises most (Zhu, Lafferty and
// Ghahramani 2003). f is m×k masses on parts.
func (p *play) chooseNode(ctx context.Context, f []float64, k int) (*query, error) {
	top, some := make([]float64, p.m), make([][]mass, p.m)
	all := make([]int, k)
	for g := range all {
		all[g] = g
	}
	for j := range p.m {
		for g, v := range f[j*k : (j+1)*k] {
			top[j] = max(top[j], v)
			if v >= leastShare {
				some[j] = append(some[j], mass{g, v})
			}
		}
	}
	var best *query
	for i := range p.m {
		if i%32 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if p.at[i] >= 0 || p.hard[i] || p.standing[i] < 0 {
			continue
		}
		chance, fresh := p.chances(f[i*k:(i+1)*k], all)
		gain := p.gain(i, k, f, chance, fresh, top, some) / expected(chance, fresh, k)
		if best == nil || gain > best.gain {
			best = &query{node: i, gain: gain}
		}
	}
	return best, nil
}

// confirm returns a node whose group was never asked for, since others were ruled out, once nothing
// else is left to ask. nil: there is none, or answers may be wrong and nothing is ever certain.
func (p *play) confirm(live []int) *query {
	if p.rate > 0 {
		return nil
	}
	for l, sure := range p.sure {
		i := p.ends[l]
		if sure || p.hard[i] || p.standing[i] < 0 {
			continue
		}
		chance, fresh := p.chances(p.beside(p.walk, l), live)
		q := &query{node: i, chance: chance, fresh: fresh, past: make([]bool, p.size),
			yes: make([]bool, p.size), from: slices.Clone(p.told[l])}
		for _, o := range q.from {
			q.past[p.group[o]], q.chance[p.group[o]] = true, 0
		}
		return q
	}
	return nil
}

// chances are the probabilities that a node is of each group, and of a new one.
func (p *play) chances(f []float64, live []int) (chance []float64, fresh float64) {
	const little = 1e-6 // no group is out of the question
	sum := 0.0
	for _, g := range live {
		sum += f[g]
	}
	fresh = freshShare * max(0, 1-sum)
	chance = make([]float64, len(f))
	for _, g := range live {
		chance[g] = (1 - fresh) * (max(0, f[g]) + little) /
			(sum + float64(little*float64(len(live))))
	}
	return chance, fresh
}

// expected is how many questions it takes to find the group of a node.
func expected(chance []float64, fresh float64, live int) float64 {
	const few = 3
	order := slices.Clone(chance)
	slices.Sort(order)
	sum := fresh * float64(min(live, few))
	for i := range order {
		sum += float64(order[len(order)-1-i] * float64(i+1))
	}
	return sum
}

// gain is by how many rows the sum of greatest masses rises when the group of node i is known. A
// new group is reckoned to take the same share of all others, which asks as well as what is exact.
// f is m×k.
func (p *play) gain(i, k int, f, chance []float64, fresh float64, top []float64,
	some [][]mass) float64 {
	row := p.open[i*p.m : (i+1)*p.m]
	own, sum := row[i], 0.0
	var likely []mass
	rest := 1 - fresh
	for g, c := range chance {
		if c >= leastShare {
			likely = append(likely, mass{g, c})
			rest -= c
		}
	}
	for j, v := range row {
		t := v / own
		if t < leastReach {
			continue
		}
		now := float64(fresh*max(t, top[j]*(1-t))) + float64(rest*top[j])
		for _, l := range likely {
			high := f[j*k+l.group] + float64(t*(1-f[i*k+l.group]))
			for _, o := range some[j] {
				if o.group != l.group {
					high = max(high, o.v-float64(t*f[i*k+o.group]))
				}
			}
			now += float64(l.v * high)
		}
		sum += float64(p.rows[j] * (now - top[j]))
	}
	return sum
}

// chooseGroups returns the two groups whose comparison is expected to put most rows right: those of
// the smaller of two parts, times how probable it is that they are not as is supposed.
func (p *play) chooseGroups(view *parts) *query {
	var best *query
	var of pair
	for _, c := range view.pairs {
		same := p.model.same(c.score)
		gain := groupWorth * min(same, 1-same) * c.rows
		if !math.IsNaN(gain) && (best == nil || gain > best.gain) {
			best, of = &query{node: -1, same: same, score: c.score, gain: gain}, c
		}
	}
	if best != nil {
		best.one, best.two = p.nearest(of)
	}
	return best
}
