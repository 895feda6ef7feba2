package kin

import (
	"maps"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// play is what the answers so far amount to. It is a fold over them: each changes it once, in their
// order.
type play struct {
	*base
	*walk
	group []int    // of each of ends
	sure  []bool   // of each of ends: by answers, or it is the first of its group
	told  [][]int  // of each of ends: those of ends that answers separate it from
	size  int      // groups there ever were
	apart relation // groups that are known to be different
	aside relation // groups that nobody could compare
	moved []int    // groups of which either changed since the survey was
	hard  []bool   // nodes that nobody knew the group of

	// masses of the nodes as they were last, without hints; nil: never. Those of reached are of walks
	// that all end where they come to a known node
	reached, onGroups, onParts *gathered

	tentative []bool // of each of ends: it was the first of a tentative group

	rate    float64 // how probable it is that an answer is wrong
	model   pairModel
	known   *survey // of many groups, as they were at the last question
	view    *parts  // what is supposed of the groups; nil: look again
	streak  int     // answers in a row that were the likelier ones
	outlook float64 // answers that are likely to follow
	before  float64 // outlook as the last answer left it; 0: there was none
	unlike  int     // answers in a row that were "different", since groups were added
	learnAt int     // number of ends at which the weights of features are looked at again

	set      *link.Set // closure of the links and answers so far that do not contradict others
	against  int       // how many do
	said     map[[2]int]link.Kind
	stated   []fact    // links between known nodes that nobody was asked for, by places in ends
	verdicts []verdict // on pairs of groups, where answers may be wrong
	facts    []fact    // answers about nodes, where they may be wrong
	hints    []hint    // links and answers that nobody was asked for, by the nodes of their rows
	fresh    bool      // there are answers that the known nodes were not looked at again for
	now      *query    // that is under way; nil: choose one
	over     bool      // nothing is left to ask, so that looking again changes nothing
}

// query is what questions are being asked for.
type query struct {
	node     int // whose group is asked for; −1: whether groups one and two are the same
	one, two int

	chance  []float64   // node: how probable each group is
	fresh   float64     // node: how probable it is that it is of none
	same    float64     // groups: how probable it is that they are one
	score   float64     // groups: what that follows from without answers
	votes   votes       // groups: what it follows from
	answers []link.Link // groups: the answers that are votes
	verdict int         // groups: place of the verdict that is asked about again, from 1; 0: none is
	sides   [2][]int    // groups: nodes that speak for each side of a verdict that they are one
	past    []bool      // node: groups that are not to be asked about again
	from    []int       // node: ends that answers separate it from
	yes     []bool      // node: groups that an answer put it with
	unknown int         // answers that were unknown
	asked   int         // answers
	gain    float64     // rows that an answer is expected to put right

	a, b    int // the question: rows
	of, end int // node: the group asked about, and the one of ends that stands for it
}

func (p *play) clone() *play {
	out := *p
	out.walk = p.walk.clone()
	out.group, out.sure, out.hard = slices.Clone(p.group), slices.Clone(p.sure),
		slices.Clone(p.hard)
	out.tentative = slices.Clone(p.tentative)
	out.told, out.facts, out.hints = slices.Clone(p.told), slices.Clone(p.facts),
		slices.Clip(p.hints)
	out.apart, out.aside = p.apart.clone(), p.aside.clone()
	out.verdicts, out.stated = slices.Clone(p.verdicts), slices.Clip(p.stated)
	out.moved, out.known = slices.Clone(p.moved), p.known.clone()
	out.said = maps.Clone(p.said)
	out.set = p.set.Clone()
	if p.now != nil {
		now := *p.now
		now.chance, now.past, now.yes, now.from = slices.Clone(now.chance), slices.Clone(now.past),
			slices.Clone(now.yes), slices.Clone(now.from)
		now.answers = slices.Clip(now.answers)
		out.now = &now
	}
	return &out
}

// found makes node i the first of a new tentative group.
func (p *play) found(i int) {
	p.end(i)
	p.first()
}

// first makes a tentative group of the last of ends.
func (p *play) first() {
	p.settle(p.alone(), true, nil)
	p.tentative[len(p.tentative)-1] = true
}

// put puts node i in a group.
func (p *play) put(i, group int, sure bool, from []int) {
	p.end(i)
	p.settle(group, sure, from)
}

// settle notes the group of the last of ends.
func (p *play) settle(group int, sure bool, from []int) {
	p.group, p.sure, p.told = append(p.group, group), append(p.sure, sure), append(p.told, from)
	p.tentative = append(p.tentative, false)
	if sure {
		for _, l := range from {
			p.part(group, p.group[l])
		}
	}
}

func (p *play) part(g, h int) {
	if g != h {
		p.apart.set(g, h)
		p.moved = append(p.moved, g, h)
	}
}

func (p *play) setAside(g, h int) { p.aside.set(g, h) }

// join makes two groups one, unless they are known to differ.
func (p *play) join(g, h int) {
	if g == h || p.apart.has(g, h) {
		return
	}
	for l, of := range p.group {
		if of == h {
			p.group[l] = g
		}
	}
	for other := range p.apart[h] {
		p.part(g, other)
	}
	p.aside.clear(g)
	p.moved = append(p.moved, g)
	// What was only supposed may not hold any more.
	for l, from := range p.told {
		if p.sure[l] || p.group[l] != g ||
			!slices.ContainsFunc(from, func(o int) bool { return p.group[o] == g }) {
			continue
		}
		p.group[l] = p.alone()
		p.sure[l] = true
		for _, o := range from {
			p.part(p.group[l], p.group[o])
		}
	}
}

// alone makes a group without members.
func (p *play) alone() int {
	p.size++
	p.apart, p.aside = append(p.apart, nil), append(p.aside, nil)
	return p.size - 1
}

// live lists the groups that have members, rising.
func (p *play) live() []int {
	has := make([]bool, p.size)
	for _, g := range p.group {
		has[g] = true
	}
	return linalg.Where(has, func(ok bool) bool { return ok })
}

// masses returns the masses of each node on the groups; the rest is ignorance.
func (p *play) masses() [][]entry {
	threads := p.cfg.Threads
	p.reached = gather(p.hits, p.group, nil, p.size, threads, p.reached)
	if past := p.passing(p.reached.out); past != nil {
		p.onGroups = gather(p.hits, p.group, past, p.size, threads, p.onGroups)
	} else {
		p.onGroups = p.reached
	}
	out := p.onGroups.out
	if len(p.hints) > 0 {
		out = slices.Clone(out)
		p.heed(out)
	}
	return out
}

// answer takes the answer to the question under way.
func (p *play) answer(kind link.Kind) {
	q := p.now
	if q.node < 0 {
		p.answerGroups(q, kind)
	} else {
		p.answerNode(q, kind)
	}
}

func (p *play) answerGroups(q *query, kind link.Kind) {
	switch kind {
	case link.MustLink:
		q.votes.yes++
	case link.CannotLink:
		q.votes.no++
	}
	if kind != link.Unknown {
		q.answers = append(q.answers, link.Link{A: q.a, B: q.b, Kind: kind})
	}
	q.same = q.votes.same(p.rate)
	if q.verdict > 0 {
		p.reconsider(q, kind)
		return
	}
	q.asked++
	if kind == link.Unknown {
		if q.unknown++; q.unknown >= mostUnknown {
			p.setAside(q.one, q.two)
			p.now = nil
		}
		return
	}
	if max(q.same, 1-q.same) >= Certainty {
		p.closeGroups(q)
	}
}

func (p *play) closeGroups(q *query) {
	p.now = nil
	same := q.same > 0.5
	if q.votes.yes == 0 || q.votes.no == 0 { // else not all answers hold
		if kind := p.held()(p.sureOf(q.one), p.sureOf(q.two)); kind != link.Unknown {
			same = kind == link.MustLink
		}
	}
	p.judge(q, same)
}

// sureOf are the nodes that answers put into a group.
func (p *play) sureOf(group int) []int {
	var out []int
	for l, g := range p.group {
		if g == group && p.sure[l] {
			out = append(out, p.ends[l])
		}
	}
	return out
}

// held returns what answers imply of two sets of nodes while the play is calm; else Unknown.
func (p *play) held() func(some, others []int) link.Kind {
	if !p.calm() {
		return func(some, others []int) link.Kind { return link.Unknown }
	}
	set := p.trusted()
	return func(some, others []int) link.Kind {
		for _, i := range some {
			for _, j := range others {
				a, b := p.standing[i], p.standing[j]
				if a < 0 || b < 0 {
					continue
				}
				if kind := set.Relation(a, b); kind != link.Unknown {
					return kind
				}
			}
		}
		return link.Unknown
	}
}

// bayes is the probability of a statement after an answer that has the one probability where the
// statement holds, and the other where it does not.
func bayes(prior, holds, not float64) float64 {
	a, b := float64(prior*holds), float64((1-prior)*not)
	if a+b == 0 {
		return prior
	}
	return a / (a + b)
}

func (p *play) answerNode(q *query, kind link.Kind) {
	q.asked++
	right, wrong := 1-p.rate, p.rate
	switch kind {
	case link.Unknown:
		q.past[q.of] = true
		if q.unknown++; q.unknown >= mostUnknown {
			p.hard[q.node] = true
			p.now = nil
		}
		return
	case link.MustLink:
		q.yes[q.of] = true
		for g := range q.chance {
			q.chance[g] *= pick(g == q.of, right, wrong)
		}
		q.fresh *= wrong
	default:
		q.from = append(q.from, q.end)
		for g := range q.chance {
			q.chance[g] *= pick(g == q.of, wrong, right)
		}
		q.fresh *= right
		q.past[q.of] = q.past[q.of] || wrong == 0
	}
	sum := q.fresh
	for _, c := range q.chance {
		sum += c
	}
	if sum == 0 { // everything that was thought of is ruled out
		q.fresh, sum = 1, 1
	}
	q.fresh /= sum
	linalg.Divide(q.chance, sum)
	if p.at[q.node] >= 0 && kind != link.MustLink {
		return // its group was supposed before, and now somebody is asked
	}
	if max(q.fresh, slices.Max(q.chance)) >= Certainty {
		p.closeNode(q)
	}
}

func pick(ok bool, yes, no float64) float64 {
	if ok {
		return yes
	}
	return no
}

// closeNode puts the node where it most probably belongs.
func (p *play) closeNode(q *query) {
	p.now = nil
	best, at := q.fresh, -1
	chance, held := slices.Clone(q.chance), p.held()
	for l, g := range p.group {
		if !p.sure[l] {
			continue
		}
		switch held([]int{q.node}, p.ends[l:l+1]) {
		case link.MustLink:
			chance[g], best = 1, 0
		case link.CannotLink:
			chance[g] = 0
		}
	}
	for g, c := range chance {
		if c > best {
			best, at = c, g
		}
	}
	known := at < 0 || q.yes[at]
	if at < 0 {
		at = p.alone()
	}
	l := p.at[q.node]
	if l < 0 {
		p.put(q.node, at, known, q.from)
		return
	}
	p.group[l], p.sure[l], p.told[l] = at, true, q.from
	for _, o := range q.from {
		p.part(at, p.group[o])
	}
}

// mostUnknown is how many "unknown" answers leave a node, or two groups, aside.
const mostUnknown = 2
