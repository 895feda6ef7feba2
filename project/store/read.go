package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// columns of events as a file of each format has them, in the order of scan.
var columns = []string{
	1: "seq, '', at, kind, a, b, question, why, who, 0, 0, 0, 0, ''",
	2: "seq, id, at, kind, a, b, question, why, who, target, batch, doubt, repeat, text",
	3: "seq, id, at, kind, a, b, question, why, who, target, batch, doubt, repeat, text",
	4: "seq, id, at, kind, a, b, question, why, who, target, batch, doubt, repeat, text, digest",
	5: "seq, id, at, kind, a, b, question, why, who, target, batch, doubt, repeat, text, digest",
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Events returns the whole history on disk, in order, answers that were taken back included.
func (p *File) Events(ctx context.Context) ([]Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	var events []Event
	if p.found != nil { // it was read on opening
		events, p.found.events = p.found.events, nil
	}
	p.mu.Unlock()
	if events != nil {
		return events, nil
	}
	f, err := p.again(ctx)
	if err != nil {
		return nil, err
	}
	return f.events, nil
}

// each calls do with each event of a file of a format, and with its digest where it has one, until
// that returns an error.
func each(ctx context.Context, db querier, version int, which string,
	do func(e *Event, sum []byte) error, args ...any) error {
	rows, err := db.QueryContext(ctx, "SELECT "+columns[version]+" FROM events "+which, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var e Event
		var at string
		var sum sql.RawBytes
		into := []any{&e.Seq, &e.ID, &at, &e.Step, &e.A, &e.B, &e.Question, &e.Why, &e.Who,
			&e.Target, &e.Batch, &e.Doubt, &e.Repeat, &e.Text}
		if version >= digested {
			into = append(into, &sum)
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if e.At, err = time.Parse(time.RFC3339Nano, at); err != nil {
			return fmt.Errorf("event %d: %w", e.Seq, err)
		}
		if err := do(&e, sum); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// ByID finds the event that a client named so, once it is on disk.
func (p *File) ByID(ctx context.Context, id string) (e Event, ok bool, err error) {
	if id == "" || p.version < 2 {
		return Event{}, false, nil
	}
	which, args := "NOT INDEXED WHERE id = ?", []any{id}
	if !p.reading {
		p.mu.Lock()
		seq, known := p.ids[id]
		which, args = "WHERE seq = ?", []any{seq}
		under := p.pending(seq)
		p.mu.Unlock()
		if !known {
			return Event{}, false, nil // nearly always so, and no reason to wait for the disk
		}
		if under != nil {
			select {
			case <-under.done:
			case <-ctx.Done():
				return Event{}, false, ctx.Err()
			}
		}
	}
	err = each(ctx, p.db, p.version, which, func(found *Event, _ []byte) error {
		e, ok = *found, true
		return nil
	}, args...)
	if err != nil {
		return Event{}, false, p.explain(err)
	}
	return e, ok, nil
}

// Wait returns when an event that was submitted is on disk, or with the error that it met, which is
// [ErrMoved] for one that is not there by now.
func (p *File) Wait(seq int64) error {
	p.mu.Lock()
	under, last := p.pending(seq), p.last
	p.mu.Unlock()
	switch {
	case seq > last:
		return fmt.Errorf("%w: event %d is not there", ErrMoved, seq)
	case under == nil:
		return nil
	}
	return under.wait()
}

// Last is the number given last.
func (p *File) Last() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}
