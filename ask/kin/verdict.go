package kin

import (
	"cmp"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/link"
)

// votes is what answers say about whether two groups are one.
type votes struct {
	prior   float64 // how probable it is without them
	yes, no int
}

// same is how probable it is that the two groups are one, if answers are wrong at a rate.
func (v votes) same(rate float64) float64 {
	out := v.prior
	for range v.yes {
		out = bayes(out, 1-rate, rate)
	}
	for range v.no {
		out = bayes(out, rate, 1-rate)
	}
	return out
}

// verdict is what answers that may be wrong came to about two groups. It can be asked about again,
// and may turn out to be the other way round.
type verdict struct {
	one, two int // places in ends of nodes of the two groups, which stay there
	same     bool
	votes    votes
	answers  []link.Link // the answers that are votes
	asked    int         // answers, unknown ones too
	closed   bool        // not to be asked about again
	spent    int         // nodes that were known when no pair was left to ask about
}

// doubt is how probable it is that a verdict is wrong, if answers are wrong at a rate.
func (v verdict) doubt(rate float64) float64 {
	same := v.votes.same(rate)
	if v.same {
		return 1 - same
	}
	return same
}

const (
	// how probable it is that a verdict is wrong that is not asked about again
	littleDoubt = 0.0005
	// a row that an answer about a verdict may put right counts for this many: a wrong answer takes
	// another two to outweigh
	againWorth = groupWorth / 2.0
	// verdicts that are looked at for a question, those first that it may be worth most to ask about
	mostAgain = 32
)

// judge makes the groups of a query one, or parts them.
func (p *play) judge(q *query, same bool) {
	if p.rate > 0 {
		tents := p.tents()
		p.verdicts = append(p.verdicts, verdict{one: p.anchor(int(p.of[q.a]), q.one, tents),
			two: p.anchor(int(p.of[q.b]), q.two, tents), same: same, votes: q.votes,
			answers: slices.Clip(q.answers), asked: q.asked})
	}
	if same {
		p.join(q.one, q.two)
	} else {
		p.part(q.one, q.two)
	}
}

// staying reports which of ends stay in their groups whatever is known of others: those of tentative
// groups, and those that verdicts or links name.
func (p *play) staying() []bool {
	out := slices.Clone(p.tentative)
	for _, v := range p.verdicts {
		out[v.one], out[v.two] = true, true
	}
	for _, f := range p.stated {
		out[f.one], out[f.two] = true, true
	}
	return out
}

// tents returns the places in ends of the nodes of each group that stay; of one without, of its first
// node.
func (p *play) tents() [][]int {
	out := make([][]int, p.size)
	for l, stays := range p.staying() {
		if g := p.group[l]; stays {
			out[g] = append(out[g], l)
		}
	}
	for l, g := range p.group {
		if out[g] == nil {
			out[g] = []int{l}
		}
	}
	return out
}

// anchor returns that one of the tents of a group that the walk from a node comes to most.
func (p *play) anchor(i, group int, tents [][]int) int {
	of := tents[group]
	if len(of) == 1 {
		return of[0]
	}
	come := make(map[int]float64)
	if l := p.at[i]; l >= 0 {
		if slices.Contains(of, l) {
			return l
		}
		p.surroundings(l, func(other int, v float64) { come[other] += v })
	} else {
		for _, e := range p.hits[i] {
			come[int(e.at)] = e.v
		}
	}
	most := 0.0
	for _, l := range of {
		most = max(most, come[l])
	}
	best, least := -1, math.Inf(1)
	for _, l := range of {
		if come[l] < most {
			continue
		}
		if d := p.square(i, p.ends[l]); best < 0 || d < least {
			best, least = l, d
		}
	}
	return best
}

// anchors returns the anchor of each of ends in its group.
func (p *play) anchors() []int {
	tents, out := p.tents(), make([]int, len(p.ends))
	for l, i := range p.ends {
		out[l] = p.anchor(i, p.group[l], tents)
	}
	return out
}

// united returns the sets of ends that are one group by the verdicts, but for the one at a place; −1:
// by all.
func (p *play) united(anchors []int, without int) disjoint.Sets {
	sets := disjoint.Singletons(len(anchors))
	unite := func(l, o int) { sets.Join(int32(l), int32(o)) }
	for l, anchor := range anchors {
		unite(l, anchor)
	}
	for t, v := range p.verdicts {
		if t != without && v.same && p.group[v.one] == p.group[v.two] {
			unite(v.one, v.two)
		}
	}
	for _, f := range p.stated {
		if f.same && p.group[f.one] == p.group[f.two] {
			unite(f.one, f.two)
		}
	}
	return sets
}

// amounts returns how many rows the walks from end in each of ends.
func (p *play) amounts() []float64 {
	out := make([]float64, len(p.ends))
	for i, row := range p.hits {
		for _, e := range row {
			out[e.at] += float64(p.rows[i] * e.v)
		}
	}
	return out
}

// chooseAgain returns the verdict for which an answer more is expected to put most rows right, if
// these are more than some: those of the smaller of the two groups, times how probable it is that
// the verdict is wrong.
func (p *play) chooseAgain(view *parts, than float64) *query {
	type open struct {
		at          int
		doubt, most float64 // the rows are at most so many
	}
	var all []open
	surest := p.parting()
	for t, v := range p.verdicts {
		g, h := p.group[v.one], p.group[v.two]
		if v.closed || len(p.ends) <= v.spent || (g == h) != v.same ||
			!v.same && surest[unordered(g, h)] != t {
			continue
		}
		most := min(view.rest.rows[view.of[g]], view.rest.rows[view.of[h]])
		if v.same {
			most /= 2
		}
		if doubt := v.doubt(p.rate); doubt > littleDoubt && againWorth*doubt*most > than {
			all = append(all, open{t, doubt, most})
		}
	}
	slices.SortStableFunc(all, func(a, b open) int {
		return cmp.Compare(b.doubt*b.most, a.doubt*a.most)
	})
	var best *query
	var anchors []int
	var rows []float64
	for _, o := range all[:min(len(all), mostAgain)] {
		if againWorth*o.doubt*o.most <= than {
			break
		}
		v := p.verdicts[o.at]
		q := &query{node: -1, one: p.group[v.one], two: p.group[v.two], votes: v.votes,
			answers: v.answers, same: v.votes.same(p.rate), asked: v.asked, verdict: o.at + 1}
		if v.same {
			if anchors == nil {
				anchors, rows = p.anchors(), p.amounts()
			}
			o.most = p.sides(q, v, p.united(anchors, o.at), rows)
			if q.sides[0] == nil || q.sides[1] == nil {
				continue
			}
		}
		if q.gain = againWorth * o.doubt * o.most; q.gain > than {
			best, than = q, q.gain
		}
	}
	return best
}

// parting returns the surest verdict that parts each two groups; −1: a link does.
func (p *play) parting() map[[2]int]int {
	out := make(map[[2]int]int)
	for t, v := range p.verdicts {
		g, h := p.group[v.one], p.group[v.two]
		if v.same || g == h {
			continue
		}
		if best, ok := out[unordered(g, h)]; !ok ||
			v.doubt(p.rate) < p.verdicts[best].doubt(p.rate) {
			out[unordered(g, h)] = t
		}
	}
	for _, f := range p.stated {
		if g, h := p.group[f.one], p.group[f.two]; !f.same && g != h {
			out[unordered(g, h)] = -1
		}
	}
	return out
}

func unordered(g, h int) [2]int { return [2]int{min(g, h), max(g, h)} }

// sides finds the nodes that speak for what would be two groups without a verdict, and returns the
// rows of the smaller; 0: other verdicts hold them together.
func (p *play) sides(q *query, v verdict, sets disjoint.Sets, rows []float64) float64 {
	roots := [2]int32{sets.Root(int32(v.one)), sets.Root(int32(v.two))}
	if roots[0] == roots[1] {
		return 0
	}
	var of [2]float64
	for l, g := range p.group {
		if g != q.one {
			continue
		}
		for side, root := range roots {
			if sets.Root(int32(l)) == root {
				of[side] += rows[l]
				if p.sure[l] {
					q.sides[side] = append(q.sides[side], p.ends[l])
				}
			}
		}
	}
	return min(of[0], of[1])
}

// reconsider takes the answer to a question about a verdict.
func (p *play) reconsider(q *query, kind link.Kind) {
	p.now = nil
	v := &p.verdicts[q.verdict-1]
	v.votes, v.answers = q.votes, slices.Clip(q.answers)
	v.asked++
	v.closed = kind == link.Unknown || v.asked >= mostAsked
	// An answer turns a verdict its own way alone: what links and answers imply may be against the
	// votes.
	if same := q.same > 0.5; kind == link.Unknown || same == v.same ||
		same != (kind == link.MustLink) {
		return
	}
	v.same = !v.same
	if !v.same {
		p.regroup()
		return
	}
	// A verdict, of several questions, overrules answers about single nodes of the two groups, as it
	// does in regroup: what those held apart is one from here on.
	g, h := p.group[v.one], p.group[v.two]
	if _, apart := p.parting()[unordered(g, h)]; !apart { // no other verdict parts them
		p.apart.drop(g, h)
		p.join(g, h)
	}
}

// outvoted returns the pairs of rows whose answers verdicts are against, where other answers about
// the same two groups are as the verdict.
func (p *play) outvoted() map[[2]int]bool {
	out := make(map[[2]int]bool)
	for _, v := range p.verdicts {
		if v.votes.yes == 0 || v.votes.no == 0 || v.same != (v.votes.same(p.rate) > 0.5) ||
			v.same != (p.group[v.one] == p.group[v.two]) {
			continue
		}
		for _, l := range v.answers {
			if (l.Kind == link.MustLink) != v.same {
				out[l.Pair()] = true
			}
		}
	}
	return out
}

// trusted returns the closure of the answers that are not outvoted, of those in set.
func (p *play) trusted() *link.Set {
	outvoted := p.outvoted()
	if len(outvoted) == 0 {
		return p.set
	}
	out, _, _ := link.Build(p.set.N(), without(p.set.Given(), outvoted), link.Keep)
	return out
}

// without returns the links but for those about some pairs.
func without(links []link.Link, pairs map[[2]int]bool) []link.Link {
	return slices.DeleteFunc(slices.Clone(links),
		func(l link.Link) bool { return pairs[l.Pair()] })
}

// regroup makes groups of what the verdicts say is one, and parts what they, or answers about nodes,
// say is not.
func (p *play) regroup() {
	sets := p.united(p.anchors(), -1)
	taken := make([]bool, p.size)
	of := make(map[int32]int)
	for l, g := range p.group {
		root := sets.Root(int32(l))
		if _, ok := of[root]; !ok {
			if taken[g] {
				g = p.alone()
			} else {
				taken[g] = true
			}
			of[root] = g
		}
		p.group[l] = of[root]
	}
	for g := range p.apart {
		p.moved = append(p.moved, g)
		p.apart.clear(g)
	}
	for _, v := range p.verdicts {
		if !v.same {
			p.part(p.group[v.one], p.group[v.two])
		}
	}
	for _, f := range p.stated {
		if !f.same {
			p.part(p.group[f.one], p.group[f.two])
		}
	}
	for l, from := range p.told {
		if p.sure[l] {
			for _, o := range from {
				p.part(p.group[l], p.group[o])
			}
		}
	}
	p.fresh = true // known nodes are looked at again
}
