package project

import (
	"context"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/store"
)

// step makes the events of a step, keeps them, and lets them count. Steps come one after the other.
// A step that is there already by its id is not done again if it was asked for as now. prepare runs
// with mu held, and changes nothing that cannot stay if the step is not kept.
func (d *Project) step(ctx context.Context, who, id string, asked request,
	prepare func() ([]store.Event, error)) (Reply, error) {
	if !store.StepID.MatchString(id) {
		return Reply{}, fault.Inputf("give up to 64 of the characters A–Z, a–z, 0–9, _ and -",
			"the id of the step cannot be used")
	}
	first, kept, err := d.submit(ctx, who, id, asked, prepare)
	if err != nil {
		return Reply{}, err
	}
	if err := kept(); err != nil {
		d.forget()
		return Reply{}, err
	}
	d.notify() // of what is on disk
	d.wait(ctx, who)
	d.mu.Lock()
	defer d.mu.Unlock()
	return Reply{Event: d.event(first), State: d.state(who), Turn: d.turn(who)}, nil
}

// submit prepares a step and hands it to the file; it returns the first event of it, and what waits
// until it is on disk. Steps that come meanwhile share the write. They count at once, as the next
// is checked against them; should the write fail, [Project.forget] undoes it.
func (d *Project) submit(ctx context.Context, who, id string, asked request,
	prepare func() ([]store.Event, error)) (first store.Event, kept func() error, err error) {
	there := func() error { return d.file.Wait(first.Seq) }
	d.steps.Lock()
	defer d.steps.Unlock()
	if d.ctx.Err() != nil {
		return first, nil, ErrClosed
	}
	if err := d.resync(); err != nil {
		return first, nil, err
	}
	if id != "" {
		was, known, err := d.file.ByID(ctx, id)
		if known && err == nil {
			err = d.repeated(was, who, asked)
		}
		if first = was; known || err != nil {
			return first, there, err
		}
	}
	d.mu.Lock()
	events, err := prepare()
	next := d.history.Last() + 1
	d.mu.Unlock()
	if err != nil {
		return first, nil, err
	}
	if events[0].Seq > 0 { // it was there already
		d.mu.RLock()
		defer d.mu.RUnlock()
		first, _ = d.history.Event(events[0].Seq)
		return first, there, nil
	}
	if d.later != nil {
		if err := d.file.SetHeader(ctx, *d.later); err != nil {
			return first, nil, err
		}
		d.later = nil
	}
	if err := d.describe(events); err != nil {
		return first, nil, err
	}
	events[0].ID, events[0].Seq = id, next
	if events, kept, err = d.file.Submit(ctx, events); err != nil {
		return first, nil, err
	}
	d.apply(events)
	return events[0], kept, nil
}

// forget goes back to what is on disk after a write that failed.
func (d *Project) forget() {
	d.steps.Lock()
	defer d.steps.Unlock()
	// If the disk cannot be read either, the next step tries again.
	_ = d.resync()
}

// resync goes back to what is on disk where that is not what counts here: a write failed since.
// Nothing is under way then, as what was is void and no further step is taken before. Its user
// holds steps.
func (d *Project) resync() error {
	d.mu.RLock()
	last := d.history.Last()
	d.mu.RUnlock()
	if d.file.Last() == last {
		return nil
	}
	events, err := d.file.Events(d.ctx)
	if err != nil {
		return err
	}
	if d.content, err = d.file.Contents(d.ctx); err != nil {
		return err
	}
	d.mu.Lock()
	d.history = store.NewHistory(events)
	d.gather()
	d.mu.Unlock()
	d.refit()
	d.notify()
	return nil
}

// apply lets events count.
func (d *Project) apply(events []store.Event) {
	d.mu.Lock()
	for _, e := range events {
		d.history.Add(e)
	}
	d.failed = nil // what failed before may fit now
	e := events[0]
	if len(events) > 1 || !d.adjust(e) {
		d.gather()
	}
	if p := d.at(e.Who); e.Step == store.Undo {
		d.bringBack(p, e)
	} else if e.Step.IsAnswer() && e.Question > 0 && e.Target == 0 && !d.shows(p, e) {
		p.lease, p.held = nil, false
	}
	d.mu.Unlock()
	d.refit()
}

// shows reports whether a person's page has another pair than that of an answer on the screen. Its
// user holds mu.
func (d *Project) shows(p *person, e store.Event) bool {
	v, ok := place(e, d.data.Row)
	return p.held && ok && !p.lease.about(v.link.A, v.link.B)
}

// adjust takes a step about one answer into the facts: a new one, or the last one, taken back or
// brought back. ok is false where they must be worked out anew. Its user holds mu.
func (d *Project) adjust(e store.Event) (ok bool) {
	change, about := d.facts.extend, e
	switch {
	case e.Step == store.Undo || e.Step == store.Redo:
		if about, ok = d.history.Event(e.Target); !ok || !d.history.Single(e.Target) {
			return false
		}
		if e.Step == store.Undo {
			change = d.facts.retract
		} else if last, _ := d.history.LastAnswer(); last.Seq != e.Target {
			return false
		}
	case !e.Step.IsAnswer() || e.Target > 0:
		return false
	}
	if _, numbered := about.Number(); numbered {
		return false
	}
	v, ok := place(about, d.data.Row)
	return ok && change(v, e.Seq, d.sharing.Discount)
}

// bringBack puts a question that was answered or put off on the screen again once that is taken
// back, unless the page says what it has there.
func (d *Project) bringBack(p *person, undo store.Event) {
	if p.held {
		return
	}
	p.lease = nil
	was, ok := d.history.Event(undo.Target)
	if asked := was.Step.IsAnswer() && was.Question > 0 || was.Step == store.Skip; !ok || !asked {
		return
	}
	v, ok := place(was, d.data.Row)
	if ok && d.facts.open(v.link.A, v.link.B) && !d.taken(undo.Who, v.link.A, v.link.B) {
		q := link.Question{A: v.link.A, B: v.link.B, Why: was.Why}
		p.lease = &lease{a: q.A, b: q.B, source: fromMethod, prompt: ask.Prompt{Question: q}}
	}
}

// Subscribe returns a channel that a value comes on whenever there is something new to see; it is
// closed with the project. stop ends it.
func (d *Project) Subscribe() (news <-chan struct{}, stop func()) {
	ctx, cancel := context.WithCancel(d.ctx)
	ch := make(chan struct{}, 1)
	next := func() <-chan struct{} {
		d.mu.RLock()
		defer d.mu.RUnlock()
		return d.moved.wait()
	}
	moved := next()
	go func() {
		defer close(ch)
		for {
			select {
			case <-moved:
			case <-ctx.Done():
				return
			}
			moved = next() // before the news is sent: what moves after that is news again
			select {
			case ch <- struct{}{}:
			default: // the one before is still to be taken
			}
		}
	}()
	return ch, cancel
}

// notify wakes the subscribers.
func (d *Project) notify() {
	d.mu.Lock()
	d.moved.broadcast()
	d.mu.Unlock()
}
