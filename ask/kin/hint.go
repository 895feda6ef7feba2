package kin

import (
	"github.com/kindred-go/kindred/internal/linalg"
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
	if h := (hint{fact{a, b, l.Kind == link.MustLink}, wrong}); p.helps(h) {
		p.hints = append(p.hints, h)
	}
	if !speak || p.rate > 0 {
		return
	}
	switch known, other := p.at[a], p.at[b]; {
	case known >= 0 && other >= 0:
		if l.Kind == link.MustLink {
			p.join(p.group[known], p.group[other])
		} else {
			p.part(p.group[known], p.group[other])
		}
	case l.Kind != link.MustLink || known < 0 && other < 0:
		return
	case known >= 0:
		p.put(b, p.group[known], true, nil)
	default:
		p.put(a, p.group[other], true, nil)
	}
	p.now = nil // groups may not be what they were
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
func (p *play) heed(f []float64) {
	if len(p.hints) == 0 {
		return
	}
	k, live := p.size, p.live()
	about := p.about()
	each := float64(len(live))
	ignorance := func(f []float64, i int) float64 {
		rest := 1.0
		for _, g := range live {
			rest -= f[i*k+g]
		}
		return max(0, rest)
	}
	now, next := append([]float64(nil), f...), append([]float64(nil), f...)
	// what a hint multiplies groups by, and in all, is the same for all hints of a kind from a node
	width := len(live) + 1
	factors, known := make([]float64, p.m*kinds*width), make([]bool, p.m*kinds)
	factorsOf := func(h side) []float64 {
		at := h.of*kinds + h.kind
		out := factors[at*width : (at+1)*width]
		if known[at] {
			return out
		}
		known[at] = true
		left, sum := ignorance(now, h.of)/each, 0.0
		for x, g := range live {
			v := min(1, max(0, now[h.of*k+g])+left)
			if !h.same {
				v = 1 - v
			}
			v = h.wrong + float64((1-2*h.wrong)*v)
			sum += v
			out[x] = v
		}
		out[len(live)] = sum / each
		return out
	}
	to := make([]float64, len(live))
	for range rounds {
		clear(known)
		for i, hints := range about {
			if len(hints) == 0 {
				continue
			}
			rest := ignorance(f, i)
			for x, g := range live {
				to[x] = max(0, f[i*k+g]) + rest/(2*each)
			}
			rest /= 2
			for _, h := range hints {
				factor := factorsOf(h)
				rest = float64(rest * factor[len(live)])
				all := rest
				for x := range to {
					to[x] *= factor[x]
					all += to[x]
				}
				rest /= all
				linalg.Divide(to, all)
			}
			for x, g := range live {
				next[i*k+g] = to[x]
			}
		}
		now, next = next, now
	}
	copy(f, now)
}

// side is a hint as one of its nodes has it: its relation to the other.
type side struct {
	of    int // the other node
	same  bool
	wrong float64
	kind  int // of same and wrong
}

const kinds = 4 // of sides

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
