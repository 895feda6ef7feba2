package kin

import "github.com/kindred-go/kindred/link"

// fact is an answer about two nodes.
type fact struct {
	one, two int
	same     bool
}

// around is the least of the probability of any group by the surroundings of a node, where answers
// may be wrong.
const around = 0.05

// revise looks at the known nodes again where answers may be wrong: each goes to the group where it
// is most probable by the answers about it, as the others stand, and by its surroundings without
// it. Nodes of tentative groups stay, so that groups outlive a mistake about them.
func (p *play) revise() {
	if !p.fresh {
		return
	}
	p.fresh = false
	about := make(map[int][]fact)
	for _, f := range p.facts {
		about[f.one] = append(about[f.one], f)
		about[f.two] = append(about[f.two], fact{f.two, f.one, f.same})
	}
	members := p.members()
	for l, i := range p.ends {
		if p.tentative[l] {
			continue
		}
		own := p.group[l]
		to := p.beside(p.walk, l)
		if members[own] == 1 { // nobody else can speak for its group
			rest := 1.0
			for _, v := range to {
				rest -= v
			}
			to[own] = freshShare * max(0, rest)
		}
		best, at := p.plausibility(own, to[own], about[i]), own
		for _, g := range p.live() {
			if v := p.plausibility(g, to[g], about[i]); v > best {
				best, at = v, g
			}
		}
		if at != own {
			p.group[l] = at
			members[own]--
			members[at]++
		}
	}
}

// plausibility is how probable a node is of a group, but for a factor: by its surroundings, and by
// the answers about it.
func (p *play) plausibility(group int, surroundings float64, about []fact) float64 {
	out, odds := surroundings+around, p.cfg.ErrorRate/(1-p.cfg.ErrorRate)
	for _, f := range about {
		if l := p.at[f.two]; l >= 0 && (p.group[l] == group) != f.same {
			out *= odds
		}
	}
	return out
}

// note keeps an answer that may be wrong.
func (p *play) note(l link.Link) {
	a, b := int(p.of[l.A]), int(p.of[l.B])
	if p.cfg.ErrorRate > 0 && l.Kind != link.Unknown && a != b {
		p.facts, p.fresh = append(p.facts, fact{a, b, l.Kind == link.MustLink}), true
	}
}
