package store

import "context"

// Contents returns what [File.Describe] kept of rows, by id.
func (p *File) Contents(ctx context.Context) (map[string]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	var rows map[string]string
	if p.found != nil { // they were read on opening
		rows, p.found.rows = p.found.rows, nil
	}
	p.mu.Unlock()
	if rows != nil {
		return rows, nil
	}
	f, err := p.again(ctx)
	if err != nil {
		return nil, err
	}
	return f.rows, nil
}

// Describe keeps by what rows, by id, can be found again should the data change. It is on disk when
// an event is that was submitted after it.
func (p *File) Describe(contents map[string]string) error {
	if len(contents) == 0 {
		return nil
	}
	r := &request{done: make(chan struct{}), write: func(ctx context.Context, b *batch) error {
		return b.describe(ctx, contents)
	}}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.enqueue(r)
}

// Carry writes, all or nothing, what a project is about once the data changed: all its events with
// the ids that their rows have now, what the rows hold, in place of all that [File.Describe] kept,
// and the header. It is on disk when it returns.
func (p *File) Carry(ctx context.Context, h Header, events []Event,
	contents map[string]string) error {
	header, err := setting(headerName, h)
	if err != nil {
		return err
	}
	for i := range events {
		if err := events[i].check(); err != nil {
			return err
		}
	}
	return p.do(ctx, func(ctx context.Context, b *batch) error {
		if err := b.rename(ctx, events); err != nil {
			return err
		}
		if err := b.forget(ctx); err != nil {
			return err
		}
		if err := b.describe(ctx, contents); err != nil {
			return err
		}
		return header(ctx, b)
	})
}
