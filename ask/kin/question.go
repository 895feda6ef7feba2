package kin

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// next finds the question to ask now, and takes in on the way what need not be asked; ok is false
// when nothing is left.
func (p *play) next(ctx context.Context) (q link.Question, ok bool, err error) {
	p.over = p.over || !slices.ContainsFunc(p.standing, func(row int) bool { return row >= 0 })
	for {
		if err := ctx.Err(); err != nil {
			return q, false, err
		}
		if p.over {
			return q, false, nil
		}
		if err := p.widen(ctx); err != nil {
			return q, false, err
		}
		if p.now == nil {
			p.revise()
			if err := p.weigh(ctx); err != nil {
				return q, false, err
			}
			if p.now, err = p.choose(ctx); err != nil {
				return q, false, err
			}
			if p.over = p.now == nil; p.over {
				return q, false, nil
			}
		}
		if p.now.node < 0 && !p.compare(p.now) || p.now.node >= 0 && !p.place(p.now) {
			continue
		}
		if kind := p.entailed(p.now.a, p.now.b); kind != link.Unknown {
			p.answer(kind)
			continue
		}
		return link.Question{A: p.now.a, B: p.now.b, Why: p.why(p.now), Groups: p.now.node < 0,
			Same: p.now.likely()}, true, nil
	}
}

// askedRows is how much the logit of the likeliest group of a row that is worth asking about is
// beyond what the masses have. It was fitted to right answers on 40 sets.
const askedRows = 0.7

// likely returns how probable it is that the answer is "same".
func (q *query) likely() float64 {
	const most = 0.999
	logit := func(p float64) float64 {
		p = min(max(p, 1-most), most)
		return elementary.Log(p / (1 - p))
	}
	if q.node < 0 {
		return min(max(q.same, 1-most), most)
	}
	return logistic(logit(q.chance[q.of]) + askedRows)
}

// entailed is what the answers so far imply of two rows, where answers are right.
func (p *play) entailed(a, b int) link.Kind {
	if p.rate > 0 {
		return link.Unknown
	}
	return p.set.Relation(a, b)
}

// mostAsked bounds the questions about one node, or two groups, where answers may be wrong.
const mostAsked = 8

// fit reports whether the nodes i and j may be asked about: somebody stands for each, and the pair
// was not asked before.
func (p *play) fit(i, j int) bool {
	a, b := p.standing[i], p.standing[j]
	if a < 0 || b < 0 {
		return false
	}
	_, asked := p.said[link.Link{A: a, B: b}.Pair()]
	return !asked
}

// place sets the question for a node: its most probable group that is not ruled out. Where none is
// left the query is closed, and it returns false.
func (p *play) place(q *query) bool {
	for q.asked < mostAsked || !p.doubtful() {
		group := -1
		for g, c := range q.chance {
			if c > 0 && !q.past[g] && (group < 0 || c > q.chance[group]) {
				group = g
			}
		}
		if group < 0 {
			break
		}
		end, most := -1, -1.0
		for l, g := range p.group {
			if g != group || !p.sure[l] || l == p.at[q.node] || !p.fit(q.node, p.ends[l]) {
				continue
			}
			if h := value(p.hits[q.node], l); h > most {
				end, most = l, h
			}
		}
		if end < 0 {
			q.past[group] = true
			continue
		}
		q.of, q.end = group, end
		q.a, q.b = p.standing[q.node], p.standing[p.ends[end]]
		return true
	}
	if q.asked == q.unknown { // nothing was learnt
		p.hard[q.node], p.now = true, nil
		return false
	}
	p.closeNode(q)
	return false
}

// compare sets the question for two groups: the nearest nodes of the two that were not asked about.
// Where none is left the query is closed, and it returns false.
func (p *play) compare(q *query) bool {
	least, a, b := math.Inf(1), -1, -1
	if q.asked < mostAsked {
		some, others := q.sides[0], q.sides[1]
		if q.sides[0] == nil {
			both := p.speakers(q.one, q.two)
			some, others = both[0], both[1]
		}
		for _, i := range some {
			for _, j := range others {
				if d := p.square(i, j); d < least && p.fit(i, j) {
					least, a, b = d, i, j
				}
			}
		}
	}
	if a < 0 {
		if q.verdict > 0 {
			p.verdicts[q.verdict-1].spent, p.now = len(p.ends), nil
			return false
		}
		if q.asked == q.unknown {
			p.setAside(q.one, q.two)
			p.now = nil
		} else {
			p.closeGroups(q)
		}
		return false
	}
	q.a, q.b = p.standing[a], p.standing[b]
	return true
}

// speakers are the nodes that stand for each of two groups: those that answers put there, and where
// answers may be wrong those nearest to certainly in it as well. Of a group of which nobody may be
// asked about those, they are nodes more likely in it than not.
func (p *play) speakers(one, two int) (out [2][]int) {
	out = [2][]int{p.sureOf(one), p.sureOf(two)}
	const near, likely, most = 0.7, 0.5, 4
	type close struct {
		node int
		v    float64
	}
	var best [2][]close
	least := [2]float64{near, near}
	for side, nodes := range out {
		switch {
		case !slices.ContainsFunc(nodes, func(i int) bool { return p.standing[i] >= 0 }):
			least[side] = likely
		case p.rate == 0:
			least[side] = math.Inf(1)
		}
	}
	if math.IsInf(min(least[0], least[1]), 1) {
		return out
	}
	for i := range p.m {
		if p.at[i] >= 0 || p.standing[i] < 0 {
			continue
		}
		v := [2]float64{}
		for _, e := range p.hits[i] {
			switch p.group[e.at] {
			case one:
				v[0] += e.v
			case two:
				v[1] += e.v
			}
		}
		for side, v := range v {
			if v > least[side] {
				best[side] = append(best[side], close{i, v})
			}
		}
	}
	for side, best := range best {
		slices.SortStableFunc(best, func(a, b close) int { return cmp.Compare(b.v, a.v) })
		for _, c := range best[:min(len(best), most)] {
			out[side] = append(out[side], c.node)
		}
	}
	return out
}

// why returns the purpose of the question.
func (p *play) why(q *query) string {
	if q.node < 0 {
		return whyGroups(q.likely(), q.asked > 0)
	}
	v, likely := q.likely(), "the likeliest"
	if len(q.from) > 0 {
		likely = "the likeliest left"
	}
	first, is := "the first", "is"
	if like := int(p.rows[q.node]) - 1; like > 0 {
		first, is = first+", and "+words.Count(like, "row")+" like it,", "are"
	}
	switch {
	case p.at[q.node] >= 0:
		first = "the first is where it is because other groups were ruled out"
	case v >= probable:
		return fmt.Sprintf("%s %s probably in the group of the second (%s)", first, is, percent(v))
	default:
		first += " may belong to several groups"
	}
	return fmt.Sprintf("%s; that of the second is %s (%s)", first, likely, percent(v))
}

// probable is how probable what is said to be probably so is.
const probable = 0.8

// whyGroups returns the purpose of a question about two groups, which are one with probability v;
// again: they were asked about already.
func whyGroups(v float64, again bool) string {
	are := "may be one (" + percent(v) + ")"
	switch {
	case v >= probable:
		are = "are probably one (" + percent(v) + ")"
	case v <= 1-probable:
		are = "are probably two (" + percent(v) + " one)"
	}
	if again {
		return "their groups " + are + "; these are the next of their nearest rows"
	}
	return "their groups " + are + "; these are their nearest rows"
}

// percent writes a probability short of certainty.
func percent(v float64) string {
	return fmt.Sprintf("%d %%", min(99, max(1, int(math.Round(100*v)))))
}
