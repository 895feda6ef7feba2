package project

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/store"
)

// State returns the project as a person sees it now.
func (d *Project) State(who string) State {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.state(who)
}

// state is State. Its user holds mu.
func (d *Project) state(who string) State {
	least, upto := ask.Between(d.look.likely, d.look.most)
	count := d.facts.count()
	s := State{
		ID: d.id, Data: d.name, Kind: d.data.Kind(), Rows: d.data.N(), Method: d.method.Name,
		Links:    d.method.Links,
		Title:    strings.TrimSpace(d.method.Title),
		Clusters: d.result.out.Clusters, Hues: d.result.hues,
		Numbered:  d.method.Numbered(),
		Uncertain: d.result.out.Uncertain || d.result.out.Unfinished,
		Remarks:   slices.Clone(d.result.out.Notes), Masses: d.result.out.Credal != nil,
		Trace: d.traced(), Model: d.result.out.Model != nil, Settings: d.settings(),
		Notes:    slices.Clone(d.notes),
		Revision: d.facts.revision, Fitted: d.result.revision.Load(),
		Fitting: d.result.gen < d.facts.gen && d.failed == nil,
		Answers: count.Answers, Stated: count.Links, Mine: d.mine(who),
		Likely: d.look.likely, Least: least, Upto: upto, Most: d.look.most, Estimated: d.look.estimated, Endless: d.endless(),
		Settled: d.look.settled || d.finished(),
		Changed: d.changed(), Layout: string(d.charts.best),
		Skipped: len(d.skipped(who)), Bad: len(d.facts.bad), Contradictions: len(d.facts.clashes),
		Disagreements: len(d.facts.dispute),
		People:        d.persons(), Sharing: d.sharing,
	}
	if d.result.unmet != "" {
		s.Remarks = append(s.Remarks, d.result.unmet)
	}
	if d.failed != nil {
		s.Failed = d.failed.Error()
	}
	for _, list := range []*[]string{&s.Notes, &s.Remarks} {
		if *list == nil {
			*list = []string{}
		}
	}
	_, s.CanUndo = d.history.UndoTarget(who, d.here)
	_, s.CanRedo = d.history.RedoTarget(who, d.here)
	return s
}

// changed returns what the groups as they stand changed, and which answers that follows from where
// it is not the last one alone. Its user holds mu.
func (d *Project) changed() string {
	said := d.result.changed
	if said == "" {
		return ""
	}
	when := ""
	if n := d.answersAfter(d.result.revision.Load()); n == 1 {
		when = "Before the last answer: "
	} else if n > 1 {
		when = fmt.Sprintf("Before the last %d answers: ", n)
	} else if n := d.answersAfter(d.result.before); n > 1 {
		when = fmt.Sprintf("After %d answers: ", n)
	}
	if when != "" {
		said = strings.ToLower(said[:1]) + said[1:]
	}
	return when + said
}

// answersAfter counts the steps with answers that came after an event. Its user holds mu.
func (d *Project) answersAfter(seq int64) (n int) {
	for _, e := range slices.Backward(d.history.All()) {
		if e.Seq <= seq {
			break
		}
		if e.Step.IsAnswer() && (e.Batch == 0 || e.Batch == e.Seq) {
			n++
		}
	}
	return n
}

// traced reports whether it is known of the groups how their fit went. Its user holds mu.
func (d *Project) traced() bool {
	at := slices.IndexFunc(d.method.Pictures,
		func(p method.Picture) bool { return p.Name == "trace" })
	return at >= 0 && d.method.Pictures[at].Needs(&method.Scene{Problem: d.problem,
		Outcome: d.result.out}) == nil
}

// endless reports whether questions come as long as anybody answers. Its user holds mu.
func (d *Project) endless() bool {
	return d.look.likely > 0 && d.method.Strategic()
}

// History returns the steps of the project, the latest first, from offset on and at most limit, and
// how many there are.
func (d *Project) History(offset, limit int) (events []Event, total int) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	all := d.history.All()
	events = []Event{}
	for i := len(all) - 1 - max(0, offset); i >= 0 && len(events) < limit; i-- {
		e := d.event(all[i])
		if first, last := d.history.Step(e.Seq); last > first {
			e.First, e.Last = first, last
		}
		events = append(events, e)
	}
	return events, len(all)
}

// event makes of an event what a person is shown. Its user holds mu.
func (d *Project) event(e store.Event) Event {
	number, numbered := e.Number()
	if numbered {
		e.Text = ""
	}
	return Event{
		Clusters: number.To, Seq: e.Seq, ID: e.ID, At: e.At, Who: e.Who, Step: string(e.Step),
		A: d.object(e.A), B: d.object(e.B), Question: e.Question, Why: e.Why,
		Target: e.Target, Batch: e.Batch, Doubt: e.Doubt, Repeat: e.Repeat, Text: e.Text,
		InEffect: e.Seq > 0 && d.history.InEffect(e.Seq),
	}
}

// object finds the row of an id; nil of none.
func (d *Project) object(id string) *Object {
	if id == "" {
		return nil
	}
	row, ok := d.data.Row(id)
	if !ok {
		row = -1
	}
	return &Object{Row: row, ID: id}
}

// Effective returns what counts of each pair after all answers, those given with the data first.
func (d *Project) Effective() []Link {
	d.mu.RLock()
	defer d.mu.RUnlock()
	out := []Link{}
	for _, l := range slices.Concat(d.facts.given, d.facts.links) {
		out = append(out, Link{
			A: Object{l.A, d.data.ID(l.A)}, B: Object{l.B, d.data.ID(l.B)}, Link: l.Kind.String(),
			Plausibility: l.Confidence(), Source: l.Source,
		})
	}
	return out
}

// Given returns how many of the links of [Project.Effective] were given with the data: they come
// first.
func (d *Project) Given() int { return len(d.problem.Links) }

// finished reports whether the method has nothing left to ask. Its user holds mu.
func (d *Project) finished() bool { return d.look.gen == d.facts.gen && len(d.look.queue) == 0 }
