package project

import (
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// against lists the person's own answers that stand against a plan, and takes them back where the
// person wants that.
func (p *planner) against(stands func(l link.Link) bool) {
	for _, said := range p.facts.voices {
		for _, v := range said {
			if v.Who == p.who && stands(v.link) {
				p.plan.Against = append(p.plan.Against, p.event(v.Event))
			}
		}
	}
	slices.SortFunc(p.plan.Against, func(a, b Event) int { return int(a.Seq - b.Seq) })
	if !p.plan.Regroup.Back {
		return
	}
	for _, e := range p.plan.Against {
		p.back = append(p.back, e.Seq)
	}
	p.known = p.facts.less(p.data.N(), nil, p.back, p.reliability())
}

// stopped reports whether answers stand against the plan.
func (p *planner) stopped() bool { return len(p.plan.Against) > 0 && !p.plan.Regroup.Back }

// againstMove is against of rows that move: what parts them from each other or from their target,
// and what ties them to rows that do not move with them.
func (p *planner) againstMove(to int, moved []int) {
	held := make(map[int]bool)
	p.against(func(l link.Link) bool {
		one, other := p.moving[l.A], p.moving[l.B]
		in := p.r.out.Labels[l.A] == to || p.r.out.Labels[l.B] == to
		stands := l.Kind == link.CannotLink && (one && other || (one || other) && in) ||
			l.Kind == link.MustLink && one != other && !in
		for _, row := range [2]int{l.A, l.B} {
			if stands && p.moving[row] {
				held[row] = true
			}
		}
		return stands
	})
	// A method that weighs answers, as kin does, moves the objects all the same.
	p.plan.Blocked = p.stopped() && p.fixed() == 0 && !p.keep && len(held) == len(moved)
}

// fewer offers to find as many groups fewer as go, where the method finds a fixed number.
func (p *planner) fewer(gone int) {
	switch k := p.fixed(); {
	case gone == 0 || k < 2 || k != p.r.out.Clusters:
	case k-gone < p.fewest():
		p.note("%s finds %d groups, and no fewer: objects are divided among as many in another way.",
			p.method.Name, k)
	default:
		p.plan.Clusters = k - gone
		p.note("%s finds %d groups whatever links say: another group may come apart, unless it "+
			"finds %d from now on.", p.method.Name, k, k-gone)
	}
}

// refused notes what the person answered otherwise, which stands against the plan.
func (p *planner) refused() {
	var first [2]string
	n := len(p.plan.Against)
	switch {
	case n > 0 && !p.plan.Regroup.Back:
		first = [2]string{p.plan.Against[0].A.ID, p.plan.Against[0].B.ID}
	default:
		first = [2]string{p.data.ID(p.denied[0].A), p.data.ID(p.denied[0].B)}
		n = len(p.denied)
	}
	more, effect := "", "the groups may not become one"
	if n > 1 {
		more = fmt.Sprintf(" and %s", words.Count(n-1, "other pair"))
	}
	switch {
	case len(p.plan.Pairs) == 0:
		effect = "nothing is changed"
	case p.plan.Regroup.Do == Move:
		effect = "not all may go there"
	}
	p.note("You answered otherwise about %s and %s%s: %s, unless you change that.", first[0],
		first[1], more, effect)
}
