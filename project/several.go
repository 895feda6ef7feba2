package project

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/store"
)

// Several are links that a person states in one step, as a [Plan] lists them, and what goes with
// them. One undo takes all of it back.
type Several struct {
	ID    string // as in [Step]
	Pairs []Pair // 1 to 10 000; none where Clusters is what the step is about
	Keep  bool   // those that others contradict are kept as doubts
	// Back are events that the person may change by [Project.Edit]: answers that are taken back, or
	// replaced by a link about the same pair.
	Back []int64
	// Clusters is the number of groups that the method finds from then on, or begins with where
	// answers lead to others, until the setting of that name is changed; 0 leaves it.
	Clusters int
}

// Several takes several links at once, as one step. It fails as [Project.Links] and [Project.Drop]
// do, and with a [*fault.Input] where the method cannot find so many groups.
func (d *Project) Several(ctx context.Context, who string, s Several) (Reply, error) {
	if n := max(len(s.Pairs), len(s.Back)); n > mostLinks || len(s.Pairs) == 0 && s.Clusters == 0 {
		return Reply{}, fault.Inputf(fmt.Sprintf("give 1 to %d", mostLinks), "%d links at once", n)
	}
	if len(s.Pairs) == 0 {
		return d.number(ctx, who, s)
	}
	asked := request{pairs: s.Pairs, back: s.Back, clusters: s.Clusters}
	return d.step(ctx, who, s.ID, asked, func() ([]store.Event, error) {
		events, links, err := d.statements(who, s)
		if err != nil {
			return nil, err
		}
		if len(events) == 0 { // all of it was stated before
			old := d.facts.by(link.Link{A: s.Pairs[0].A, B: s.Pairs[0].B}.Pair(), who)
			return []store.Event{old[len(old)-1].Event}, nil
		}
		if err := d.together(events, links, s.Keep, s.Back); err != nil {
			return nil, err
		}
		return events, d.renumber(&events[0], s.Clusters)
	})
}

// number takes the number of groups alone, as one step.
func (d *Project) number(ctx context.Context, who string, s Several) (Reply, error) {
	asked := request{step: store.Groups, clusters: s.Clusters}
	return d.step(ctx, who, s.ID, asked, func() ([]store.Event, error) {
		e := store.Event{Step: store.Groups, Who: who}
		switch err := d.renumber(&e, s.Clusters); {
		case err != nil:
			return nil, err
		case len(s.Back) > 0:
			return nil, fault.Inputf("leave back out", "a number of groups takes no answers back")
		case e.Text == "":
			return nil, fault.Inputf("name another number", "the number of groups is %d already",
				s.Clusters)
		}
		return []store.Event{e}, nil
	})
}

// statements makes the events of links, and of what is taken back with them. Links that the person
// stated before are passed over. Its user holds mu.
func (d *Project) statements(who string, s Several) (events []store.Event, links []link.Link,
	err error) {
	back := make(map[[2]int]store.Event)
	for _, seq := range s.Back {
		was, l, err := d.editable(who, seq, nil)
		if err != nil {
			return nil, nil, err
		}
		back[l.Pair()] = was
	}
	stated, replaced := make(map[[2]int]link.Kind), make(map[int64]bool)
	for _, p := range s.Pairs {
		was := back[link.Link{A: p.A, B: p.B}.Pair()]
		e, l, err := d.statement(who, p, was.Seq)
		if err != nil {
			return nil, nil, err
		}
		kind, again := stated[l.Pair()]
		switch {
		case again && kind != l.Kind:
			return nil, nil, fault.Inputf("give one link a pair",
				"%s and %s are named twice, as %s and as %s", e.A, e.B, kind, l.Kind)
		case e.Seq == 0 && !again:
			e.Question, e.Why, e.Repeat = was.Question, was.Why, was.Repeat || e.Repeat
			replaced[was.Seq] = true
			events, links = append(events, e), append(links, l)
		}
		stated[l.Pair()] = l.Kind
	}
	for _, seq := range s.Back {
		if !replaced[seq] {
			replaced[seq] = true
			events = append(events, d.about(store.Drop, who, seq))
		}
	}
	return events, links, nil
}

// together checks links against what is known but for answers that are taken back, and those before
// them in the same step. One that they contradict is an error, or becomes a doubt where those are
// kept. Its user holds mu.
func (d *Project) together(events []store.Event, links []link.Link, keep bool,
	back []int64) error {
	reliability := d.reliability()
	counts := make([]link.Link, len(links))
	changed := make(map[[2]int]bool) // pairs that the step makes count as something else
	for i, l := range links {
		agreed, _ := link.Agree(append(d.facts.stated(l.Pair(), back...), l), reliability)
		counts[i] = agreed[0]
		if before, _ := link.Agree(d.facts.stated(l.Pair()), reliability); len(before) > 0 &&
			before[0].Kind != counts[i].Kind {
			changed[l.Pair()] = true
		}
	}
	so := d.facts.less(d.data.N(), changed, back, reliability)
	for i, l := range links {
		if so.Add(counts[i]) == nil || !d.arbiter {
			continue
		}
		if events[i].Doubt = keep; !keep {
			return d.contradiction(l, so.Explain(l.A, l.B))
		}
		if !changed[l.Pair()] {
			continue
		}
		others, _ := link.Agree(d.facts.stated(l.Pair(), back...), reliability)
		for _, was := range others { // they stay as they were
			so.Add(was)
		}
	}
	return nil
}

// less returns the closure of all that is known but for the answers about some pairs, and but for
// some answers.
func (f *facts) less(n int, pairs map[[2]int]bool, back []int64,
	reliability func(string) float64) *link.Set {
	if len(back) == 0 {
		return f.without(n, pairs)
	}
	left := make(map[[2]int]bool)
	var rest []link.Link // what else was said about the pairs of what is taken back
	for pair, said := range f.voices {
		if left[pair] = pairs[pair]; left[pair] {
			continue
		}
		left[pair] = slices.ContainsFunc(said,
			func(v voice) bool { return slices.Contains(back, v.Seq) })
		if left[pair] {
			rest = append(rest, f.stated(pair, back...)...)
		}
	}
	agreed, _ := link.Agree(rest, reliability)
	s := f.without(n, left)
	for _, l := range agreed {
		s.Add(l)
	}
	return s
}
