package store

import "slices"

// History is what a sequence of events amounts to: which answers count, what is left out, named and
// put off, and what undo and redo would change. Every person undoes their own steps, as far back as
// they go; events done together are one step.
//
// Several goroutines may read a History at once, while none adds to it.
type History struct {
	events  []Event
	records map[int64]*record // of all but Undo and Redo, by Seq
	units   map[int64]*unit   // by the Seq of their first event
	changes map[int64]*unit   // what an Undo or Redo changed, by its Seq

	answers []*place  // in order
	counted []*record // the answers in effect
	stale   bool      // counted is to be made again
	named   []*place  // one an object, in the order of their first names
	names   map[string]*place
	bad     []*record
	pairs   map[pair][]*record // answers by pair
	numbers []*record          // those with a Number
	people  map[string]*person
	latest  int64 // the last event that is an answer
}

// person is what one person did.
type person struct {
	steps []*unit   // in order, those taken back included
	back  []*unit   // taken back, to be brought back from the end
	skips []*record // in order
}

// record is an event other than Undo and Redo.
type record struct {
	Event
	unit  *unit
	place *place // nil for a Drop of nothing
}

// unit is a step: an event, or those done together. Undo takes all of it.
type unit struct {
	first   int64
	members []*record
	undone  bool
	by      string // who took it back
	changed int64  // Seq of the last Undo or Redo of it
}

// place holds an event and all that replaced or dropped it since, in order. The last that is not
// taken back counts.
type place struct {
	number  int // order among the answers
	members []*record
}

// top returns what counts in the place; nil when all is taken back.
func (p *place) top() *record { return p.topWith(nil) }

// topWith is top as it were with a unit brought back.
func (p *place) topWith(u *unit) *record {
	if p == nil {
		return nil
	}
	for _, r := range slices.Backward(p.members) {
		if !r.unit.undone || r.unit == u {
			return r
		}
	}
	return nil
}

func (r *record) inEffect() bool { return r.place.top() == r && r.place != nil }

// NewHistory folds events in order, as [History.Add] does one by one.
func NewHistory(events []Event) *History {
	h := &History{
		records: make(map[int64]*record), units: make(map[int64]*unit),
		changes: make(map[int64]*unit),
		names:   make(map[string]*place), pairs: make(map[pair][]*record),
		people: make(map[string]*person),
	}
	for _, e := range events {
		h.add(e)
	}
	h.count()
	return h
}

// Add takes in the next event. One without Seq is numbered after the last; one whose Seq is not
// above the last is there already, and left out. An Undo or Redo without Target, as files of format
// 1 have them, is about its pair. What names a target that is not there changes
// nothing; an answer that does so is a new one.
//
// A new answer takes constant time, and so does to take the last one back and to bring it back; a
// change of earlier ones takes time in the number of answers.
func (h *History) Add(e Event) {
	h.add(e)
	h.count()
}

func (h *History) add(e Event) {
	if e.Seq == 0 {
		e.Seq = h.Last() + 1
	}
	if e.Seq <= h.Last() {
		return
	}
	if e.Target == 0 && (e.Step == Undo || e.Step == Redo) {
		e.Target = h.aim(e)
	}
	h.events = append(h.events, e)
	switch e.Step {
	case Undo:
		h.undo(e)
	case Redo:
		h.redo(e)
	default:
		h.do(e)
	}
}

// do takes in what is neither Undo nor Redo.
func (h *History) do(e Event) {
	r := &record{Event: e}
	h.records[e.Seq] = r
	who := h.person(e.Who)
	who.back = nil
	r.unit = h.unitOf(e.Batch)
	if r.unit == nil {
		r.unit = &unit{first: e.Seq}
		if e.Batch > 0 && e.Batch < e.Seq {
			r.unit.first = e.Batch
		}
		h.units[r.unit.first] = r.unit
		who.steps = append(who.steps, r.unit)
	}
	r.unit.members = append(r.unit.members, r)

	fresh := &place{}
	switch {
	case e.Step.IsAnswer():
		r.place = h.placeOf(e.Target)
		if r.place == nil || !r.place.members[0].Step.IsAnswer() {
			r.place = fresh
			r.place.number = len(h.answers)
			h.answers = append(h.answers, r.place)
		}
		h.pairs[pairOf(e.A, e.B)] = append(h.pairs[pairOf(e.A, e.B)], r)
		h.latest = e.Seq
		if _, ok := e.Number(); ok {
			h.numbers = append(h.numbers, r)
		}
	case e.Step == Name:
		if r.place = h.names[e.A]; r.place == nil {
			r.place = fresh
			h.names[e.A] = r.place
			h.named = append(h.named, r.place)
		}
	case e.Step == Groups:
		r.place = fresh
		h.numbers = append(h.numbers, r)
	case e.Step == Drop:
		r.place = h.placeOf(e.Target)
	case e.Step == Bad:
		r.place = fresh
		h.bad = append(h.bad, r)
	default:
		r.place = fresh
		who.skips = append(who.skips, r)
	}
	if r.place == nil {
		return
	}
	r.place.members = append(r.place.members, r)
	switch {
	case r.place == fresh && e.Step.IsAnswer() && !r.unit.undone && !h.stale:
		h.counted = append(h.counted, r) // what is nearly always so, and costs nothing
	case e.Step.IsAnswer() || e.Step == Drop:
		h.stale = true
	}
}

func (h *History) undo(e Event) {
	u := h.unitOf(e.Target)
	if u == nil || u.undone {
		return
	}
	u.undone, u.by, u.changed = true, e.Who, e.Seq
	h.changes[e.Seq] = u
	who := h.person(e.Who)
	who.back = append(who.back, u)
	last := len(h.counted) - 1
	if r := u.single(); r != nil && !h.stale && last >= 0 && h.counted[last] == r {
		h.counted = h.counted[:last]
	} else {
		h.stale = true
	}
}

func (h *History) redo(e Event) {
	u := h.unitOf(e.Target)
	if u == nil || !u.undone {
		return
	}
	who := h.person(u.by)
	for i, x := range slices.Backward(who.back) {
		if x == u {
			who.back = slices.Delete(who.back, i, i+1)
			break
		}
	}
	u.undone, u.changed = false, e.Seq
	h.changes[e.Seq] = u
	last := len(h.counted) - 1
	if r := u.single(); r != nil && !h.stale &&
		(last < 0 || h.counted[last].place.number < r.place.number) {
		h.counted = append(h.counted, r)
	} else {
		h.stale = true
	}
}

// single returns the answer of a step that is one answer, which nothing replaced or dropped; else
// nil.
func (u *unit) single() *record {
	if r := u.members[0]; len(u.members) == 1 && r.Step.IsAnswer() && len(r.place.members) == 1 {
		return r
	}
	return nil
}

// aim returns the event that an Undo or Redo of a file of format 1 is about, as those name a pair
// alone: the last answer to the pair in effect, or the one taken back last since the last new
// answer; 0 for none.
func (h *History) aim(e Event) (target int64) {
	var found *record
	for _, r := range h.pairs[pairOf(e.A, e.B)] {
		switch {
		case e.Step == Undo && r.inEffect():
			if found == nil || r.place.number > found.place.number {
				found = r
			}
		case e.Step == Redo && r.unit.undone && r.unit.changed > h.latest:
			if found == nil || r.unit.changed > found.unit.changed {
				found = r
			}
		}
	}
	if found == nil {
		return 0
	}
	return found.Seq
}

// count makes the list of answers in effect anew where an earlier one changed.
func (h *History) count() {
	if !h.stale {
		return
	}
	h.stale = false
	h.counted = make([]*record, 0, len(h.answers))
	for _, p := range h.answers {
		if r := p.top(); r != nil && r.Step.IsAnswer() {
			h.counted = append(h.counted, r)
		}
	}
}

func (h *History) person(who string) *person {
	p := h.people[who]
	if p == nil {
		p = &person{}
		h.people[who] = p
	}
	return p
}

// unitOf finds the step that an event belongs to.
func (h *History) unitOf(seq int64) *unit {
	if r := h.records[seq]; r != nil {
		return r.unit
	}
	return h.units[seq]
}

func (h *History) placeOf(seq int64) *place {
	if r := h.records[seq]; r != nil {
		return r.place
	}
	return nil
}

// pair names two objects without order.
type pair [2]string

func pairOf(a, b string) pair {
	if b < a {
		a, b = b, a
	}
	return pair{a, b}
}
