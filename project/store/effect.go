package store

import (
	"cmp"
	"slices"
)

// All returns all events in order, those taken back included. It is shared: do not change it.
func (h *History) All() []Event { return slices.Clip(h.events) }

// Last is the number of the last event, 0 when there is none.
func (h *History) Last() int64 {
	if len(h.events) == 0 {
		return 0
	}
	return h.events[len(h.events)-1].Seq
}

// Event finds an event by its number.
func (h *History) Event(seq int64) (Event, bool) {
	i, ok := slices.BinarySearchFunc(h.events, seq,
		func(e Event, seq int64) int { return cmp.Compare(e.Seq, seq) })
	if !ok {
		return Event{}, false
	}
	return h.events[i], true
}

// Answers returns the answers in effect, in order; an edit has the place of what it replaced.
func (h *History) Answers() []Event {
	answers := make([]Event, len(h.counted))
	for i, r := range h.counted {
		answers[i] = r.Event
	}
	return answers
}

// LastAnswer returns the last of [History.Answers]; ok is false where there is none.
func (h *History) LastAnswer() (e Event, ok bool) {
	if len(h.counted) == 0 {
		return e, false
	}
	return h.counted[len(h.counted)-1].Event, true
}

// Single reports whether an event is an answer, the only event of its step, and one that nothing
// replaced or dropped.
func (h *History) Single(seq int64) bool {
	u := h.unitOf(seq)
	return u != nil && u.first == seq && u.single() != nil
}

// Bad returns the ids of the objects left out as bad data, each once, in the order they were.
func (h *History) Bad() []string {
	var ids []string
	seen := make(map[string]bool)
	for _, r := range h.bad {
		if r.inEffect() && !seen[r.A] {
			seen[r.A] = true
			ids = append(ids, r.A)
		}
	}
	return ids
}

// Names returns the last name in effect that each object carries for its group, in the order of
// their first names. An empty name takes the name away.
func (h *History) Names() []Event {
	var names []Event
	for _, p := range h.named {
		if r := p.top(); r != nil && r.Step == Name && r.Text != "" {
			names = append(names, r.Event)
		}
	}
	return names
}

// Groups returns the number of groups that the method is to find, of so many at first, by the steps
// that are not taken back: one that says how many there are sets it, others change it. Those up to
// event after do not count.
func (h *History) Groups(first int, after int64) int {
	for _, r := range h.numbers {
		n, _ := r.Number()
		switch {
		case r.Seq <= after || r.unit.undone:
		case r.Step == Groups:
			first = n.To
		default:
			first += n.To - n.From
		}
	}
	return first
}

// Skipped returns the pairs that a person put off and has not answered since, each once, the one
// put off longest ago first.
func (h *History) Skipped(who string) [][2]string {
	p := h.people[who]
	if p == nil {
		return nil
	}
	var pairs [][2]string
	seen := make(map[pair]bool)
	for _, r := range slices.Backward(p.skips) {
		if key := pairOf(r.A, r.B); r.inEffect() && !seen[key] {
			seen[key] = true
			if !h.answered(key, who, r.Seq) {
				pairs = append(pairs, [2]string{r.A, r.B})
			}
		}
	}
	slices.Reverse(pairs)
	return pairs
}

// PutOff bounds from above how many pairs one person has put off.
func (h *History) PutOff() (most int) {
	for _, p := range h.people {
		most = max(most, len(p.skips))
	}
	return most
}

// answered reports whether a person's answer to a pair that is newer than an event is in effect.
func (h *History) answered(key pair, who string, after int64) bool {
	for _, r := range h.pairs[key] {
		if r.Who == who && r.Seq > after && r.inEffect() {
			return true
		}
	}
	return false
}

// InEffect reports whether an event counts: it is not taken back, dropped or replaced. An Undo or
// Redo counts until what it changed is changed again; one that changed nothing never does.
func (h *History) InEffect(seq int64) bool {
	if u := h.changes[seq]; u != nil {
		return u.changed == seq
	}
	r := h.records[seq]
	return r != nil && r.inEffect()
}

// Step returns the first and the last event of the step that an event is of, or that it names as
// what it takes back or brings back; both are seq of a step of one event, and 0 where there is none.
func (h *History) Step(seq int64) (first, last int64) {
	u := h.unitOf(seq)
	if c := h.changes[seq]; c != nil {
		u = c
	}
	if u == nil || len(u.members) == 0 {
		return 0, 0
	}
	return u.members[0].Seq, u.members[len(u.members)-1].Seq
}

// UndoTarget returns the number of the first event of a person's last step that is in effect, in
// whole or in part: what their undo is to take back. Where here is set, events count for which it
// is true.
func (h *History) UndoTarget(who string, here func(Event) bool) (seq int64, ok bool) {
	p := h.people[who]
	if p == nil {
		return 0, false
	}
	for _, u := range slices.Backward(p.steps) {
		if !u.undone && u.has(func(r *record) bool {
			return r.inEffect() && (here == nil || here(r.Event))
		}) {
			return u.first, true
		}
	}
	return 0, false
}

// RedoTarget returns the number of the first event of the step that a person took back last: what
// their redo is to bring back. Steps are forgotten once the person does a new one, and passed over
// while what others did since stands in their place. Here is as in [History.UndoTarget].
func (h *History) RedoTarget(who string, here func(Event) bool) (seq int64, ok bool) {
	p := h.people[who]
	if p == nil {
		return 0, false
	}
	for _, u := range slices.Backward(p.back) {
		if u.has(func(r *record) bool {
			return r.place != nil && r.place.topWith(u) == r && (here == nil || here(r.Event))
		}) {
			return u.first, true
		}
	}
	return 0, false
}

func (u *unit) has(what func(*record) bool) bool { return slices.ContainsFunc(u.members, what) }
