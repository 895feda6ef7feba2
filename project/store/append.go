package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// ErrDuplicate means that an event with the same ID is there already; [Project.ByID] gives it.
var ErrDuplicate = errors.New("a step with this id is there already")

// ErrMoved means that events were numbered by someone who takes other events to be there than are.
var ErrMoved = errors.New("the project has other events than that")

// errReading and errClosed are mistakes of the program.
var (
	errReading = errors.New("session: the project is open for reading alone")
	errClosed  = errors.New("session: the project is closed")
)

// Append adds an event, as [Project.AppendAll] does.
func (p *File) Append(ctx context.Context, e Event) error {
	_, err := p.AppendAll(ctx, []Event{e})
	return err
}

// AppendAll adds events as one step of one person: all of them or none. It gives them back with
// Seq, At and, when they are several, Batch. When it returns without an error they are on disk;
// when it returns one, nothing of them is there. Callers at the same time share a write.
//
// An Undo or Redo that names its pair and no Target gets one: the last answer to the pair in
// effect, or the last one taken back since the last new answer; it stays without where there is
// none. When that answer was given together with others, or replaced another, the event becomes a
// Drop of it alone, and a later Redo an Undo of that Drop.
//
// The error is [ErrDuplicate] when an ID is there already, and a [*fault.Input] for events that
// make no sense or are too large: ids of steps have at most 64 of A–Z, a–z, 0–9, - and _, ids of
// objects 64 KiB, Who 256 bytes, Why 4 KiB, Text 1 KiB.
func (p *File) AppendAll(ctx context.Context, events []Event) ([]Event, error) {
	added, wait, err := p.Submit(ctx, events)
	if err != nil {
		return nil, err
	}
	if err := wait(); err != nil {
		return nil, err
	}
	return added, nil
}

// Submit is AppendAll in two: it settles the order and the numbers of the events at once, and wait
// returns when they are on disk. So a caller that checks events against those before, under a lock
// of its own, submits under the lock, waits outside it, and shares the write with others. When wait
// gives an error, nothing of the events is there, nor of those submitted after them: their numbers
// are given anew. A caller that checked events against those up to number n sets the Seq of the
// first to n+1: it is [ErrMoved] then if others came, or if some of those it knows turned out not
// to be there. The context is looked at before anything is submitted; from then on the events are
// written.
func (p *File) Submit(ctx context.Context, events []Event) (added []Event, wait func() error,
	err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if len(events) == 0 {
		return nil, func() error { return nil }, nil
	}
	for i := range events {
		if err := events[i].check(); err != nil {
			return nil, nil, err
		}
		if events[i].Who != events[0].Who {
			return nil, nil, &fault.Input{Problem: "one step has several people"}
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := events[0].Seq; n != 0 && n != p.last+1 {
		return nil, nil, fmt.Errorf("%w: %d is next, not %d", ErrMoved, p.last+1, n)
	}
	if added, err = p.number(ctx, events); err != nil {
		p.history = nil // may hold some of them
		return nil, nil, err
	}
	r := &request{events: added,
		write: func(ctx context.Context, db execer) error { return insert(ctx, db, added) },
		done:  make(chan struct{})}
	if err := p.enqueue(r); err != nil {
		return nil, nil, err
	}
	p.last = added[len(added)-1].Seq
	for _, e := range added {
		if e.ID != "" {
			p.ids[e.ID] = e.Seq
		}
	}
	return slices.Clone(added), r.wait, nil
}

// number returns events what is set when they are added. The caller holds the lock.
func (p *File) number(ctx context.Context, events []Event) ([]Event, error) {
	now := time.Now()
	first := p.last + 1
	added := slices.Clone(events)
	ids := make(map[string]bool)
	for i := range added {
		e := &added[i]
		if _, there := p.ids[e.ID]; e.ID != "" && (there || ids[e.ID]) {
			return nil, fmt.Errorf("%w: %s", ErrDuplicate, e.ID)
		}
		ids[e.ID] = true
		e.Seq, e.Batch = first+int64(i), 0
		if len(added) > 1 {
			e.Batch = first
		}
		if e.At.IsZero() {
			e.At = now
		}
		e.At = e.At.UTC().Round(0) // as it is read again
		if e.Target >= first {
			return nil, &fault.Input{Problem: fmt.Sprintf("there is no earlier event %d", e.Target)}
		}
		aimless := e.Target == 0 && (e.Step == Undo || e.Step == Redo)
		if aimless && p.history == nil {
			if err := p.remember(ctx, added[:i]); err != nil {
				return nil, err
			}
		}
		if p.history != nil {
			*e = p.history.aim(*e)
			p.history.add(*e)
		}
	}
	return added, nil
}

// remember folds all that is on disk, under way and in hand. The history is kept from then on;
// where every Undo has its target, none is needed.
func (p *File) remember(ctx context.Context, inHand []Event) error {
	events, err := p.Events(ctx)
	if err != nil {
		return err
	}
	h := NewHistory(events)
	for _, r := range slices.Concat(p.flying, p.queue) {
		for _, e := range r.events {
			h.add(e)
		}
	}
	for _, e := range inHand {
		h.add(e)
	}
	p.history = h
	return nil
}
