package project

import (
	"fmt"

	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/store"
)

// request is what a client asks for by a step.
type request struct {
	step   store.Step // "" for pairs
	rows   []int
	target int64 // event that an edit or a drop is about
	text   string
	pairs  []Pair
	// of pairs
	back     []int64
	clusters int
}

// answering returns the step of an answer, as clients spell it; "" for what is none.
func answering(answer string) store.Step {
	kind, err := link.ParseKind(answer)
	if err != nil {
		return ""
	}
	return store.StepOf(kind)
}

// repeated returns an error unless the step that an event is the first of was asked for as now, by
// the same person: then it came twice. Its user holds steps.
func (d *Project) repeated(was store.Event, who string, now request) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	switch {
	case was.Who != who:
		return fmt.Errorf("%w, of someone else", ErrReused)
	case !d.same(was, now):
		return fmt.Errorf("%w, event %d: %s", ErrReused, was.Seq, was.Step)
	}
	return nil
}

// same reports whether a step is what is asked for. Its user holds mu.
func (d *Project) same(was store.Event, now request) bool {
	if now.pairs != nil {
		return d.samePairs(was, now)
	}
	if was.Step != now.step || was.Batch != 0 {
		return false
	}
	switch was.Step {
	case store.Undo, store.Redo:
		return true // it is about what was the last step then
	case store.Drop:
		return was.Target == now.target
	case store.Groups:
		n, _ := was.Number()
		return n.To == now.clusters
	}
	if was.Target != now.target || was.Text != now.text {
		return false
	}
	if now.target > 0 { // an edit has the pair of what it replaced
		return true
	}
	ids := make([]string, 2)
	for i, row := range now.rows {
		if row < 0 || row >= d.data.N() {
			return false
		}
		ids[i] = d.data.ID(row)
	}
	return was.A == ids[0] && was.B == ids[1]
}

// samePairs reports whether the links that are asked for are those of a step, but for those that
// the person had stated before, which it passed over; and whether it took back the same answers,
// and made the same of the number of groups. Its user holds mu.
func (d *Project) samePairs(was store.Event, now request) bool {
	if n, ok := was.Number(); ok && n.To != now.clusters {
		return false
	}
	back := make(map[int64]bool)
	for _, seq := range now.back {
		back[seq] = true
	}
	type pair [2]string
	of := func(a, b string) pair { return pair{min(a, b), max(a, b)} }
	asked := make(map[pair]store.Step)
	for _, p := range now.pairs {
		if max(p.A, p.B) >= d.data.N() || min(p.A, p.B) < 0 {
			return false
		}
		asked[of(d.data.ID(p.A), d.data.ID(p.B))] = answering(p.Link)
	}
	before := make(map[pair]map[store.Step]bool)
	for _, e := range d.history.All() {
		key := of(e.A, e.B)
		switch {
		case e.Seq < was.Seq && e.Who == was.Who && e.Step.IsAnswer():
			if before[key] == nil {
				before[key] = make(map[store.Step]bool)
			}
			before[key][e.Step] = true
		case e.Seq == was.Seq || was.Batch > 0 && e.Batch == was.Batch:
			if e.Target > 0 && !back[e.Target] {
				return false
			}
			delete(back, e.Target)
			if e.Step == store.Drop {
				continue
			}
			if asked[key] != e.Step {
				return false
			}
			delete(asked, key)
		}
	}
	if len(back) > 0 {
		return false
	}
	for key, step := range asked {
		if !before[key][step] {
			return false
		}
	}
	return true
}
