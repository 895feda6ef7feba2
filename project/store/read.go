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
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Events reads the whole history on disk, in order, answers that were taken back included.
func (p *File) Events(ctx context.Context) ([]Event, error) {
	return p.read(ctx, p.db, p.version, "ORDER BY seq")
}

func (p *File) read(ctx context.Context, db querier, version int, which string,
	args ...any) ([]Event, error) {
	rows, err := db.QueryContext(ctx, "SELECT "+columns[version]+" FROM events "+which, args...)
	if err != nil {
		return nil, p.explain(err)
	}
	defer rows.Close()
	var events []Event
	for rows.Next() {
		var e Event
		var at string
		err := rows.Scan(&e.Seq, &e.ID, &at, &e.Step, &e.A, &e.B, &e.Question, &e.Why, &e.Who,
			&e.Target, &e.Batch, &e.Doubt, &e.Repeat, &e.Text)
		if err != nil {
			return nil, p.explain(err)
		}
		if e.At, err = time.Parse(time.RFC3339Nano, at); err != nil {
			return nil, p.damaged(fmt.Errorf("event %d: %w", e.Seq, err))
		}
		events = append(events, e)
	}
	if err := rows.Err(); err != nil {
		return nil, p.explain(err)
	}
	return events, nil
}

// ByID finds the event that a client named so, once it is on disk.
func (p *File) ByID(ctx context.Context, id string) (e Event, ok bool, err error) {
	if id == "" || p.version < 2 {
		return Event{}, false, nil
	}
	if !p.reading {
		p.mu.Lock()
		seq, known := p.ids[id]
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
	events, err := p.read(ctx, p.db, p.version, "WHERE id = ?", id)
	if err != nil || len(events) == 0 {
		return Event{}, false, err
	}
	return events[0], true, nil
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

// known reads what Submit needs to number events and to know their ids.
func (p *File) known(ctx context.Context) error {
	var last sql.NullInt64
	if err := p.db.QueryRowContext(ctx, "SELECT max(seq) FROM events").Scan(&last); err != nil {
		return err
	}
	p.last = last.Int64
	rows, err := p.db.QueryContext(ctx, "SELECT id, seq FROM events WHERE id <> ''")
	if err != nil {
		return err
	}
	defer rows.Close()
	p.ids = make(map[string]int64)
	for rows.Next() {
		var id string
		var seq int64
		if err := rows.Scan(&id, &seq); err != nil {
			return err
		}
		p.ids[id] = seq
	}
	return errors.Join(rows.Err(), rows.Close())
}
