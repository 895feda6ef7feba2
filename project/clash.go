package project

import (
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// Clashes returns the answers that are kept as doubts because others contradict them, each with a
// shortest chain of those.
func (d *Project) Clashes() []Clash {
	d.mu.RLock()
	defer d.mu.RUnlock()
	out := []Clash{}
	for _, c := range d.facts.clashes {
		chain := d.facts.known.Explain(c.link.A, c.link.B)
		if len(chain) == 0 {
			continue
		}
		out = append(out, d.clash(d.event(c.answer.Event), c.link, chain))
	}
	return out
}

// clashesWithGiven returns the error of answers that the links given with the data contradict. An
// answer that was kept as a doubt is no such error: it does not count.
func (d *Project) clashesWithGiven(path string) error {
	if d.keep {
		return nil
	}
	before := "the links in " + d.recipe.Links
	without := "correct the links, leave them out with --links ''"
	if d.recipe.Labelled.Given() {
		before, without = "the classes known before", "correct the classes"
		if d.recipe.Links != "" {
			before, without = before+" or the links in "+d.recipe.Links, without+" or the links"
		}
	}
	given := func(l link.Link) bool { return slices.Contains(d.problem.Links, l) }
	for _, c := range d.facts.clashes {
		chain := d.facts.known.Explain(c.link.A, c.link.B)
		if !c.answer.Doubt && slices.ContainsFunc(chain, given) {
			return fmt.Errorf("the answers in %s and %s contradict each other: %w; %s, or keep both "+
				"with --contradictions keep", path, before,
				&link.Contradiction{Link: c.link, Chain: chain, Names: d.data.ID}, without)
		}
	}
	return nil
}

// contradiction makes the error for an answer that a chain contradicts. Its user holds mu.
func (d *Project) contradiction(l link.Link, chain []link.Link) error {
	c := &link.Contradiction{Link: l, Chain: chain, Names: d.data.ID}
	return &Contradiction{Clash: d.clash(d.unkept(l), l, chain), link: c}
}

// clash shows an answer and the chain against it. Its user holds mu.
func (d *Project) clash(answer Event, l link.Link, chain []link.Link) Clash {
	c := Clash{Answer: answer, Weighed: d.keep,
		Words: (&link.Contradiction{Link: l, Chain: chain, Names: d.data.ID}).Error()}
	seen := make(map[int]bool)
	show := func(row int) {
		if !seen[row] {
			seen[row] = true
			c.Objects = append(c.Objects, d.data.Card(row))
		}
	}
	at := l.A
	for _, step := range chain {
		show(at)
		if at = step.A + step.B - at; at != step.A && at != step.B {
			at = step.B
		}
		c.Chain = append(c.Chain, d.stated(step))
	}
	show(l.B)
	return c
}

// stated finds the event of a link that counts; one that was given with the data has none.
func (d *Project) stated(l link.Link) Event {
	for _, v := range d.facts.voices[l.Pair()] {
		if v.link.Kind == l.Kind {
			return d.event(v.Event)
		}
	}
	e := d.unkept(l)
	e.At, e.InEffect = l.Time, true
	return e
}

// unkept shows a link that no event is about.
func (d *Project) unkept(l link.Link) Event {
	return Event{Step: l.Kind.String(), A: &Object{l.A, d.data.ID(l.A)},
		B: &Object{l.B, d.data.ID(l.B)}, Who: l.Source}
}

// Disputes returns the pairs that were answered in different ways.
func (d *Project) Disputes() []Dispute {
	d.mu.RLock()
	defer d.mu.RUnlock()
	out := []Dispute{}
	for _, dispute := range d.facts.dispute {
		s := Dispute{A: d.data.Card(dispute.Pair[0]), B: d.data.Card(dispute.Pair[1]),
			Counts: dispute.Counts.Kind.String()}
		for _, v := range d.facts.voices[dispute.Pair] {
			s.Answers = append(s.Answers, d.event(v.Event))
		}
		out = append(out, s)
	}
	return out
}
