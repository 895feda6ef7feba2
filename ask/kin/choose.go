package kin

import (
	"context"
	"slices"
)

const (
	freshShare = 0.3  // of the ignorance about a node that is put down to a group nobody has met
	groupWorth = 2    // a row that an answer about two groups puts right counts for this many
	leastShare = 0.01 // answers and groups less probable than this are not looked at
	leastReach = 1e-3 // neither are nodes that an answer hardly reaches
)

// seen returns what is supposed of the groups.
func (p *play) seen() *parts {
	if p.view == nil {
		p.view = p.parts(p.masses())
	}
	return p.view
}

// choose finds what to ask next; nil: nothing is left.
func (p *play) choose(ctx context.Context) (*query, error) {
	f, live := p.masses(), p.live()
	view := p.parts(f)
	p.view = view
	p.outlook = p.follow(view)
	node, err := p.chooseNode(ctx, p.surest(view), view.count)
	if err != nil {
		return nil, err
	}
	groups := p.chooseGroups(view)
	if node != nil {
		node.chance, node.fresh = p.chances(f[node.node], live)
		node.past, node.yes = make([]bool, p.size), make([]bool, p.size)
	}
	most := 0.0
	for _, q := range []*query{node, groups} {
		if q != nil {
			most = max(most, q.gain)
		}
	}
	if again := p.chooseAgain(view, most); again != nil {
		return again, nil
	}
	if node == nil && groups == nil {
		return p.confirm(live), nil
	}
	if groups != nil && (node == nil || groups.gain > node.gain) {
		return groups, nil
	}
	return node, nil
}

// chooseNode returns the node whose part, once known, is expected to put most rows right an answer:
// the mass on the most plausible part, summed over the rows, rises most (Zhu, Lafferty and
// Ghahramani 2003). f is masses on k parts.
func (p *play) chooseNode(ctx context.Context, f [][]entry, k int) (*query, error) {
	w := p.worth(f)
	if p.known != nil {
		p.known.forget(p.walk, f, min(k, fewTold))
	}
	var best *query
	for i := range p.m {
		if i%32 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !p.undecided(i) {
			continue
		}
		gain := w.each(i, k)
		if best == nil || gain > best.gain {
			best = &query{node: i, gain: gain}
		}
	}
	return best, nil
}

// surest returns the masses of the nodes on parts with most of the ignorance made mass, as it is in
// those that are stated of rows.
func (p *play) surest(view *parts) [][]entry {
	met, out := p.met(view, p.together()), slices.Clone(view.on)
	inBlocks(p.m, 2048, p.cfg.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if p.at[i] >= 0 {
				continue
			}
			if scale := growth(out[i], met); scale != 1 {
				out[i] = slices.Clone(out[i])
				for t := range out[i] {
					out[i][t].v *= scale
				}
			}
		}
	})
	return out
}

// confirm returns a node whose group was never asked for, since others were ruled out, once nothing
// else is left to ask. nil: there is none, or answers may be wrong and nothing is ever certain.
func (p *play) confirm(live []int) *query {
	if p.doubtful() {
		return nil
	}
	for l, sure := range p.sure {
		i := p.ends[l]
		if sure || p.hard[i] || p.standing[i] < 0 {
			continue
		}
		chance, fresh := p.chances(sparse(p.beside(p.walk, l)), live)
		q := &query{node: i, chance: chance, fresh: fresh, past: make([]bool, p.size),
			yes: make([]bool, p.size), from: slices.Clone(p.told[l])}
		for _, o := range q.from {
			q.past[p.group[o]], q.chance[p.group[o]] = true, 0
		}
		return q
	}
	return nil
}

// little is how probable it is at least that a node is of a group: none is out of the question.
const little = 1e-6

// chances are the probabilities that a node is of each group, and of a new one.
func (p *play) chances(f []entry, live []int) (chance []float64, fresh float64) {
	chance = make([]float64, p.size)
	sum := total(f)
	fresh = float64(freshShare * max(0, 1-sum))
	for _, e := range f {
		chance[e.at] = max(0, e.v)
	}
	for _, g := range live {
		chance[g] = (1 - fresh) * (chance[g] + little) / (sum + float64(little*float64(len(live))))
	}
	return chance, fresh
}

// likely are the probabilities that a node is of the parts that it has masses on, and of a new one.
func likely(f []entry) (chance []entry, fresh float64) {
	sum := max(total(f), little)
	fresh = float64(freshShare * max(0, 1-sum))
	chance = make([]entry, len(f))
	for t, e := range f {
		chance[t] = entry{e.at, (1 - fresh) * e.v / sum}
	}
	return chance, fresh
}

// fewTold is how many parts a node is told apart from at most, before it is of a new one.
const fewTold = 3

// expected is how many questions it takes to find the group of a node.
func expected(chance []entry, fresh float64, live int) float64 {
	order := make([]float64, len(chance))
	for t, e := range chance {
		order[t] = e.v
	}
	slices.Sort(order)
	sum := fresh * float64(min(live, fewTold))
	for i := range order {
		sum += float64(order[len(order)-1-i] * float64(i+1))
	}
	return sum
}

// worth finds what it is worth to know the group of a node.
type worth struct {
	*play
	f    [][]entry // masses on parts
	some [][]entry // those that are not small
	top  []float64 // the greatest of each node
	own  []float64 // masses of the node under way, by part
}

func (p *play) worth(f [][]entry) *worth {
	return &worth{play: p, f: f, some: make([][]entry, p.m), top: make([]float64, p.m),
		own: make([]float64, p.size)}
}

// see finds the greatest mass of a node, and those that are not small.
func (w *worth) see(j int32) {
	if w.some[j] != nil {
		return
	}
	w.top[j], w.some[j] = greatest(w.f[j]), make([]entry, 0, len(w.f[j]))
	for _, e := range w.f[j] {
		if e.v >= leastShare {
			w.some[j] = append(w.some[j], e)
		}
	}
}

// each is the gain of a node for each question that it takes, of so many parts.
func (w *worth) each(i, parts int) float64 {
	if w.known != nil && w.known.worth[i] >= 0 {
		return w.known.worth[i]
	}
	chance, fresh := likely(w.f[i])
	gain := w.gain(i, chance, fresh) / expected(chance, fresh, parts)
	if w.known != nil {
		w.known.worth[i] = gain
	}
	return gain
}

// gain is by how many rows the sum of greatest masses rises when the group of node i is known. A
// new group is reckoned to take the same share of all others, which asks as well as what is exact.
func (w *worth) gain(i int, chance []entry, fresh float64) float64 {
	row, sum, rest := w.open[i], 0.0, 1-fresh
	own := value(row, i)
	var likely []entry
	for _, c := range chance {
		if c.v >= leastShare {
			likely = append(likely, c)
			rest -= c.v
		}
	}
	for _, e := range w.f[i] {
		w.own[e.at] = e.v
	}
	for _, r := range row {
		j, t := r.at, r.v/own
		if t < leastReach {
			continue
		}
		w.see(j)
		top := w.top[j]
		now := float64(fresh*max(t, top*(1-t))) + float64(rest*top)
		for _, l := range likely {
			high := float64(t * (1 - w.own[l.at]))
			if v := value(w.f[j], int(l.at)); v > 0 {
				high += v
			}
			for _, o := range w.some[j] {
				if o.at != l.at {
					high = max(high, o.v-float64(t*w.own[o.at]))
				}
			}
			now += float64(l.v * high)
		}
		sum += float64(w.rows[j] * (now - top))
	}
	for _, e := range w.f[i] {
		w.own[e.at] = 0
	}
	return sum
}

// unanswered reports whether it may be asked about two parts: of two of their groups nobody has
// answered yet.
func (p *play) unanswered(c pair) bool {
	for _, g := range c.one {
		for _, h := range c.two {
			if !p.apart.has(g, h) && !p.aside.has(g, h) {
				return true
			}
		}
	}
	return false
}

// chooseGroups returns the two groups whose comparison is expected to put most rows right: those of
// the smaller of two parts, times how probable it is that they are not as is supposed.
func (p *play) chooseGroups(view *parts) *query {
	var best *query
	var of pair
	for _, c := range view.pairs {
		if !p.unanswered(c) {
			continue
		}
		same := p.model.same(c.score)
		gain := groupWorth * min(same, 1-same) * c.rows
		if best == nil || gain > best.gain {
			best, of = &query{node: -1, same: same, votes: votes{prior: same}, score: c.score,
				gain: gain}, c
		}
	}
	if best != nil {
		best.one, best.two = p.nearest(of)
	}
	return best
}
