package store

import (
	"context"
	"fmt"
)

// LimitPages lets the database grow to so many pages, as a full disk would.
func (p *File) LimitPages(ctx context.Context, n int) error {
	var now int
	return p.db.QueryRowContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", n)).Scan(&now)
}

// Append adds an event, and waits for the disk.
func (p *File) Append(ctx context.Context, e Event) error {
	_, err := p.AppendAll(ctx, []Event{e})
	return err
}

// AppendAll adds events as one step, and waits for the disk.
func (p *File) AppendAll(ctx context.Context, events []Event) ([]Event, error) {
	added, wait, err := p.Submit(ctx, events)
	if err == nil {
		err = wait()
	}
	return added, err
}
