package kin

import (
	"context"
	"math"
	"slices"
)

const (
	freshShare = 0.5 // of the ignorance about a node that is put down to a group nobody has met
	// share of two groups' probability to be one that does not depend on how near they are
	farSame    = 0.05
	groupWorth = 2    // a row that the joining of groups puts right counts for this many
	leastShare = 0.01 // answers and groups less probable than this are not looked at
	leastReach = 1e-3 // neither are nodes that an answer hardly reaches
)

// choose finds what to ask next; nil: nothing is left.
func (p *play) choose(ctx context.Context) (*query, error) {
	f, live := p.masses(), p.live()
	node, err := p.chooseNode(ctx, f, live)
	if err != nil {
		return nil, err
	}
	pair := p.chooseGroups(f, live)
	if node == nil && pair == nil {
		return p.confirm(live), nil
	}
	if pair != nil && (node == nil || pair.gain > node.gain) {
		return pair, nil
	}
	return node, nil
}

// mass is how much a node has on a group.
type mass struct {
	group int
	v     float64
}

// chooseNode returns the node whose group, once known, is expected to put most rows right an
// answer: the mass on the most plausible group, summed over the rows, rises most (Zhu, Lafferty and
// Ghahramani 2003).
func (p *play) chooseNode(ctx context.Context, f []float64, live []int) (*query, error) {
	k := p.size
	top, some := make([]float64, p.m), make([][]mass, p.m)
	for j := range p.m {
		for _, g := range live {
			v := f[j*k+g]
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
		chance, fresh := p.chances(f[i*k:(i+1)*k], live)
		gain := p.gain(i, f, chance, fresh, top, some) / expected(chance, fresh, len(live))
		if best == nil || gain > best.gain {
			best = &query{node: i, chance: chance, fresh: fresh, gain: gain, past: make([]bool, k),
				yes: make([]bool, k)}
		}
	}
	return best, nil
}

// confirm returns a node whose group was never asked for, since others were ruled out, once nothing
// else is left to ask. nil: there is none, or answers may be wrong and nothing is ever certain.
func (p *play) confirm(live []int) *query {
	if p.cfg.ErrorRate > 0 {
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
	chance = make([]float64, p.size)
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
func (p *play) gain(i int, f, chance []float64, fresh float64, top []float64,
	some [][]mass) float64 {
	k, row := p.size, p.open[i*p.m:(i+1)*p.m]
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
// the smaller, times how probable it is that the two are one. Where answers have joined most groups
// they were about, that is more; and it is more for groups that hold a large part of each other's
// doubtful rows.
func (p *play) chooseGroups(f []float64, live []int) *query {
	k := p.size
	size, shared, all := make([]float64, k), make([]float64, k*k), make([]float64, k)
	for j := range p.m {
		for _, g := range live {
			v := float64(p.rows[j] * f[j*k+g])
			size[g] += v
			if v <= 0 {
				continue
			}
			for _, h := range live {
				shared[g*k+h] += float64(v * f[j*k+h])
			}
		}
	}
	for _, g := range live {
		for _, h := range live {
			if g != h {
				all[g] += shared[g*k+h]
			}
		}
	}
	prior := (1 + p.joined) / (2 + p.joined + p.parted)
	var best *query
	for _, g := range live {
		for _, h := range live {
			if g == h || p.apart[g][h] || p.aside[g][h] || size[h] > size[g] {
				continue
			}
			near := 0.0
			for _, a := range []float64{all[g], all[h]} {
				if a > 0 {
					near = max(near, shared[g*k+h]/a)
				}
			}
			same := prior * (farSame + float64((1-farSame)*near))
			gain := groupWorth * same * size[h]
			if best == nil || gain > best.gain {
				best = &query{node: -1, one: g, two: h, same: same, gain: gain}
			}
		}
	}
	if best != nil && math.IsNaN(best.gain) {
		return nil
	}
	return best
}
