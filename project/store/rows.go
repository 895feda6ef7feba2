package store

import "context"

// Contents returns what [File.Describe] kept of rows, by id.
func (p *File) Contents(ctx context.Context) (map[string]string, error) {
	contents := make(map[string]string)
	if p.version < 3 {
		return contents, nil
	}
	rows, err := p.db.QueryContext(ctx, "SELECT id, content FROM rows")
	if err != nil {
		return nil, p.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, content string
		if err := rows.Scan(&id, &content); err != nil {
			return nil, p.explain(err)
		}
		contents[id] = content
	}
	if err := rows.Err(); err != nil {
		return nil, p.explain(err)
	}
	return contents, nil
}

// Describe keeps by what rows, by id, can be found again should the data change. It is on disk when
// an event is that was submitted after it.
func (p *File) Describe(contents map[string]string) error {
	if len(contents) == 0 {
		return nil
	}
	r := &request{done: make(chan struct{}), write: func(ctx context.Context, db execer) error {
		return describe(ctx, db, contents)
	}}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.enqueue(r)
}

func describe(ctx context.Context, db execer, contents map[string]string) error {
	for id, content := range contents {
		_, err := db.ExecContext(ctx, "INSERT INTO rows (id, content) VALUES (?, ?) ON CONFLICT "+
			"DO UPDATE SET content = excluded.content", id, content)
		if err != nil {
			return err
		}
	}
	return nil
}

// Carry writes, all or nothing, what a project is about once the data changed: the ids that rows of
// events have in them now, what the rows hold, in place of all that [File.Describe] kept, and the
// header. It is on disk when it returns.
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
	return p.do(ctx, func(ctx context.Context, db execer) error {
		for _, e := range events {
			if _, err := db.ExecContext(ctx, "UPDATE events SET a = ?, b = ? WHERE seq = ?", e.A,
				e.B, e.Seq); err != nil {
				return err
			}
		}
		if _, err := db.ExecContext(ctx, "DELETE FROM rows"); err != nil {
			return err
		}
		if err := describe(ctx, db, contents); err != nil {
			return err
		}
		return header(ctx, db)
	})
}
