package store

import "slices"

// Fold returns the answers in effect after a history, in order, and those taken back that a person
// who works alone could bring back, the next one last; a new answer forgets those. It serves where
// questions are asked one after another and undo and redo name pairs alone. Events without Seq are
// numbered in order.
func Fold(events []Event) (answers, taken []Answer) {
	h := NewHistory(events)
	for _, x := range h.emptied {
		if x.returns() {
			taken = append(taken, x.answer.answer())
		}
	}
	return h.Answers(), taken
}

// emptied is an answer that was taken back alone, by an Undo or by a Drop, and left nothing in its
// place. Those since the last new answer are what a Redo that names a pair looks through.
type emptied struct {
	answer *record
	drop   *record // nil after an Undo
}

// empty keeps that an answer in effect was taken back, if it was so alone.
func (h *History) empty(r, drop *record) {
	by := r
	if drop != nil {
		by = drop
	}
	if r.Step.IsAnswer() && len(by.unit.members) == 1 &&
		(r.place.top() == nil || r.place.top().Step == Drop) {
		h.emptied = append(h.emptied, emptied{r, drop})
	}
}

// fill forgets what was taken back in a place that may hold an answer again.
func (h *History) fill(p *place) {
	for i, x := range slices.Backward(h.emptied) {
		if x.answer.place == p {
			h.emptied = slices.Delete(h.emptied, i, i+1)
			return
		}
	}
}

// returns reports whether bringing back what took the answer away would bring back just that
// answer.
func (x emptied) returns() bool {
	if x.drop == nil {
		return x.answer.place.topWith(x.answer.unit) == x.answer
	}
	for _, r := range slices.Backward(x.answer.place.members) {
		if r != x.drop && !r.unit.undone {
			return r == x.answer && x.answer.place.top() == x.drop
		}
	}
	return false
}

// aim returns an Undo or Redo that names only a pair its target: the last answer to the pair in
// effect, or that was taken back since the last new answer. Where the step would change more than
// that answer, because it replaced another or was given together with others, the answer alone is
// dropped. An event that finds nothing stays as it is.
func (h *History) aim(e Event) Event {
	if e.Target != 0 || e.A == "" && e.B == "" {
		return e
	}
	switch key := pairOf(e.A, e.B); e.Step {
	case Undo:
		var last *record
		for _, r := range h.pairs[key] {
			if r.inEffect() && (last == nil || r.place.number > last.place.number) {
				last = r
			}
		}
		if last == nil {
			return e
		}
		e.Target = last.Seq
		live := 0
		for _, r := range last.place.members {
			if !r.unit.undone {
				live++
			}
		}
		if live > 1 || len(last.unit.members) > 1 {
			e.Step = Drop
		}
	case Redo:
		for _, x := range slices.Backward(h.emptied) {
			if pairOf(x.answer.A, x.answer.B) != key || !x.returns() {
				continue
			}
			e.Target = x.answer.Seq
			if x.drop != nil {
				e.Step, e.Target = Undo, x.drop.Seq
			}
			break
		}
	}
	return e
}
