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
// it. Nodes of tentative groups stay, so that groups outlive a mistake about them, and so do those
// that verdicts are about.
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
	members, live, stays := p.members(), p.live(), p.staying()
	for l, i := range p.ends {
		if stays[l] {
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
		for _, g := range live {
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
	out, odds := surroundings+around, p.rate/(1-p.rate)
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
	if p.rate > 0 && l.Kind != link.Unknown && a != b && p.speaks(l.A) && p.speaks(l.B) {
		p.facts, p.fresh = append(p.facts, fact{a, b, l.Kind == link.MustLink}), true
	}
}

// An error rate that nobody stated is supposed to be supposedRate at first, as firmly as by
// supposedFacts answers, and contraryRate as by contraryFacts once one contradicts others. Up to
// believedRate, and while the play is calm, links and answers hold for their own rows.
const (
	supposedRate, supposedFacts = 0.03, 10
	contraryRate, contraryFacts = 0.1, 20
	believedRate, mostRate      = 0.045, 0.3
	// answers that are wrong for each that is not as the groups have it: others decide on a group
	wrongEach = 1.5
	// answers that one counts for that is as the groups have it: groups follow answers, right or
	// wrong. Those that agree with an answer about the same two groups count in full
	untested = 0.3
)

// doubtful reports whether links and answers need not hold for their own rows.
func (p *play) doubtful() bool {
	return p.cfg.ErrorRate > 0 || p.rate > believedRate && !p.calm()
}

// calm reports whether the error rate is inferred, and no answer contradicts others where that is
// not expected.
func (p *play) calm() bool {
	return p.cfg.infers() && p.cfg.Contradictions == link.Refuse && p.against == 0
}

// infer finds the error rate by the answers about known nodes: what share of them is not as the
// groups have it.
func (p *play) infer() {
	if !p.cfg.infers() {
		return
	}
	all, rate, each := float64(supposedFacts), float64(supposedRate), untested
	if p.against > 0 {
		all, rate, each = contraryFacts, contraryRate, 1
	}
	wrong := rate * all / wrongEach
	for _, f := range p.facts {
		one, two := p.at[f.one], p.at[f.two]
		if one < 0 || two < 0 {
			continue
		}
		if (p.group[one] == p.group[two]) != f.same {
			wrong++
			all++
		} else {
			all += each
		}
	}
	for _, v := range p.verdicts {
		agree := v.votes.no
		if v.same {
			agree = v.votes.yes
		}
		all += float64((1 - each) * float64(max(0, agree-1)))
	}
	p.rate = min(mostRate, wrongEach*wrong/all)
}
