package kin

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/link"
)

const (
	// how probable it is that a hint about other rows than those that stand for their nodes is
	// wrong of these
	impure  = 0.1
	unclear = 0.01 // and one about those, as they are of no group that is known yet
	rounds  = 5    // of looking at what hints make of each other
)

// hint is a fact about two nodes that nobody was asked for.
type hint struct {
	fact
	wrong float64 // how probable it is that it is not true of the nodes, if answers are right
}

// learn takes a link or an answer that nobody was asked for. Between rows that stand for their
// nodes it counts as if it had been asked for. Between others, or where no group is known,
// it is a hint: a node of many rows need not go where one of them does, and of two rows that differ
// neither need be of a group of its own.
func (p *play) learn(l link.Link) {
	a, b := int(p.of[l.A]), int(p.of[l.B])
	if a == b || l.Kind == link.Unknown {
		return
	}
	speak := p.speaks(l.A) && p.speaks(l.B)
	wrong := impure
	if speak {
		wrong = unclear
	}
	p.hint(hint{fact{a, b, l.Kind == link.MustLink}, wrong})
	if !speak || p.doubtful() {
		return
	}
	known, other := p.at[a] >= 0, p.at[b] >= 0
	switch {
	case l.Kind == link.MustLink && known:
		p.unite(a, b)
	case l.Kind == link.MustLink && other:
		p.unite(b, a)
	case known && other:
		p.differ(a, b)
	default:
		return
	}
	p.now = nil // groups may not be what they were
	p.lead()
}

// hint keeps a hint that means something.
func (p *play) hint(h hint) {
	if p.helps(h) {
		p.hints = append(p.hints, h)
	}
}

// lead puts nodes where must-links between rows that stand for nodes lead from the known ones: when
// such a link was learnt neither may have been known.
func (p *play) lead() {
	for again := true; again; {
		again = false
		for _, h := range p.hints {
			if !h.same || h.wrong != unclear {
				continue
			}
			switch one, two := p.at[h.one], p.at[h.two]; {
			case one >= 0 && two < 0:
				p.put(h.two, p.group[one], true, nil)
			case one < 0 && two >= 0:
				p.put(h.one, p.group[two], true, nil)
			default:
				continue
			}
			again = true
		}
	}
}

// speaks reports whether a row stands for its node, or would if it were not left out.
func (p *play) speaks(row int) bool {
	i := p.of[row]
	return p.standing[i] == row || p.medoids[i] == row
}

// helps reports whether a hint means something: of two nodes whose groups are known it does not.
func (p *play) helps(h hint) bool { return p.at[h.one] < 0 || p.at[h.two] < 0 }

// heed changes the masses of the nodes that hints are about: a group is as much more plausible as
// the hints are likelier if the node is of it, each node by what the others are (a mean-field
// approximation). Half of the ignorance is spread over the groups first.
func (p *play) heed(f [][]entry) {
	about, live := p.about(), p.live()
	each := float64(len(live))
	ignorance := func(row []entry) float64 { return max(0, 1-total(row)) }
	now, next := slices.Clone(f), slices.Clone(f)
	// what a hint multiplies groups by is the same for all hints of a kind from a node
	var known map[[2]int]factors
	factorsOf := func(h side) factors {
		key := [2]int{h.of, h.kind}
		out, ok := known[key]
		if !ok {
			out = h.factors(now[h.of], ignorance(now[h.of])/each, each)
			known[key] = out
		}
		return out
	}
	of := make([][]entry, p.m) // groups that each may be of, with nothing
	for i, hints := range about {
		if len(hints) > 0 {
			of[i] = p.mayBe(f, i, hints, live)
		}
	}
	for range rounds {
		known = make(map[[2]int]factors)
		for i, hints := range about {
			if len(hints) == 0 {
				continue
			}
			rest := ignorance(f[i])
			to := slices.Clone(of[i])
			for x, own := 0, f[i]; x < len(to); x++ {
				if len(own) > 0 && own[0].at == to[x].at {
					to[x].v, own = max(0, own[0].v), own[1:]
				}
				to[x].v += rest / (2 * each)
			}
			// Groups that it is not looked at for are as before.
			rest -= float64(float64(len(to)) * rest / (2 * each))
			for _, h := range hints {
				factor := factorsOf(h)
				rest = float64(rest * factor.mean)
				all := rest
				for x, some := 0, factor.some; x < len(to); x++ {
					for len(some) > 0 && some[0].at < to[x].at {
						some = some[1:]
					}
					if len(some) > 0 && some[0].at == to[x].at {
						to[x].v *= some[0].v
					} else {
						to[x].v *= factor.other
					}
					all += to[x].v
				}
				rest /= all
				for x := range to {
					to[x].v /= all
				}
			}
			next[i] = slices.DeleteFunc(to, func(e entry) bool { return e.v <= 0 })
		}
		now, next = next, now
	}
	copy(f, now)
}

// mayBe lists the groups that a node is looked at for, with nothing each: all groups, or where
// there are many those that it, or a node that hints are about as well, has mass on.
func (p *play) mayBe(f [][]entry, i int, hints []side, live []int) []entry {
	var out []entry
	if len(live) <= allPairs {
		for _, g := range live {
			out = append(out, entry{at: int32(g)})
		}
		return out
	}
	add := func(row []entry) {
		for _, e := range row {
			out = append(out, entry{at: e.at})
		}
	}
	add(f[i])
	for _, h := range hints {
		add(f[h.of])
	}
	slices.SortFunc(out, func(a, b entry) int { return cmp.Compare(a.at, b.at) })
	return slices.Compact(out)
}

// factors are what a hint multiplies the probabilities of groups by.
type factors struct {
	some  []entry
	other float64 // groups that are not among some
	mean  float64
}

// factors returns those of a hint whose other node has masses on groups, and a share of its
// ignorance on each of so many.
func (h side) factors(masses []entry, left, groups float64) factors {
	of := func(v float64) float64 {
		v = min(1, v+left)
		if !h.same {
			v = 1 - v
		}
		return h.wrong + float64((1-2*h.wrong)*v)
	}
	out := factors{other: of(0)}
	sum := float64((groups - float64(len(masses))) * out.other)
	for _, e := range masses {
		v := of(max(0, e.v))
		out.some = append(out.some, entry{e.at, v})
		sum += v
	}
	out.mean = sum / groups
	return out
}

// side is a hint as one of its nodes has it: its relation to the other.
type side struct {
	of    int // the other node
	same  bool
	wrong float64
	kind  int // of same and wrong
}

// about returns the hints about each node of no known group, in their order, and forgets those that
// help no more.
func (p *play) about() [][]side {
	out := make([][]side, p.m)
	kept := 0
	for _, h := range p.hints {
		if p.helps(h) {
			kept++
		}
	}
	if 2*kept < len(p.hints) {
		all := make([]hint, 0, 2*kept)
		for _, h := range p.hints {
			if p.helps(h) {
				all = append(all, h)
			}
		}
		p.hints = all
	}
	for _, h := range p.hints {
		kind := 0
		if h.same {
			kind = 1
		}
		if h.wrong == unclear {
			kind += 2
		}
		if p.at[h.one] < 0 {
			out[h.one] = append(out[h.one], side{h.two, h.same, max(h.wrong, p.rate), kind})
		}
		if p.at[h.two] < 0 {
			out[h.two] = append(out[h.two], side{h.one, h.same, max(h.wrong, p.rate), kind})
		}
	}
	return out
}
