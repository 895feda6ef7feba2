package session

import (
	"context"
	"errors"
)

// ErrDuplicate means that an event with the same ID is there already; [Project.ByID] gives it.
var ErrDuplicate = errors.New("a step with this id is there already")

// AppendAll adds events as one step: all of them or none. It gives them back with Seq, At and, when
// they are several, Batch. When it returns without an error they are on disk.
func (p *Project) AppendAll(ctx context.Context, events []Event) ([]Event, error) {
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
// returns when they are on disk. A caller that checks events against those before, under a lock of
// its own, can so submit under the lock and wait outside it, and share the write with others. When wait gives
// an error, nothing of the events is there, nor of those submitted after them that were not on disk.
func (p *Project) Submit(ctx context.Context, events []Event) (added []Event, wait func() error, err error) {
	return nil, nil, errors.ErrUnsupported
}

// ByID finds the event that a client named so.
func (p *Project) ByID(ctx context.Context, id string) (e Event, ok bool, err error) {
	return Event{}, false, nil
}

// Copy writes the project as it stands to another file, whole or not at all.
func (p *Project) Copy(ctx context.Context, path string) error { return errors.ErrUnsupported }

// Setting reads a small named value, kept as JSON, into what value points to; ok is false when there is none.
func (p *Project) Setting(ctx context.Context, name string, value any) (ok bool, err error) {
	return false, errors.ErrUnsupported
}

// SetSetting keeps a small value under a name, as JSON.
func (p *Project) SetSetting(ctx context.Context, name string, value any) error {
	return errors.ErrUnsupported
}
