package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// ErrDuplicate means that an event with the same ID is there already; [File.ByID] returns it.
var ErrDuplicate = errors.New("a step with this id is there already")

// ErrMoved means that events were numbered by someone who takes other events to be there than are.
var ErrMoved = errors.New("the project has other events than that")

// errReading and errClosed are mistakes of the program.
var (
	errReading = errors.New("project: the project is open for reading alone")
	errClosed  = errors.New("project: the project is closed")
)

// Submit adds events as one step of one person: all of them or none. It settles their order and
// returns them with Seq, At and, when they are several, Batch; wait returns when they are on disk.
// So a caller that checks events against those before, under a lock of its own, submits under the
// lock, waits outside it, and shares the write with others. When wait returns an error, nothing of
// the events is there, nor of those submitted after them: their numbers are used anew. A caller
// that checked events against those up to number n sets the Seq of the first to n+1: it is
// [ErrMoved] then if others came, or if some of those it knows turned out not to be there. The
// context is looked at before anything is submitted; from then on the events are written.
//
// The error is [ErrDuplicate] when an ID is there already, and a [*fault.Input] for events that
// make no sense or are too large: ids of steps have at most 64 of A–Z, a–z, 0–9, - and _, ids of
// objects 64 KiB, Who 256 bytes, Why 4 KiB, Text 1 KiB.
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
			return nil, nil, fault.Inputf("", "one step has several people")
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := events[0].Seq; n != 0 && n != p.last+1 {
		return nil, nil, fmt.Errorf("%w: %d is next, not %d", ErrMoved, p.last+1, n)
	}
	if added, err = p.number(events); err != nil {
		return nil, nil, err
	}
	r := &request{events: added,
		write: func(ctx context.Context, b *batch) error { return b.insert(ctx, added) },
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

// number returns events with what is set when they are added. The caller holds the lock.
func (p *File) number(events []Event) ([]Event, error) {
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
			return nil, fault.Inputf("", "there is no earlier event %d", e.Target)
		}
	}
	return added, nil
}
