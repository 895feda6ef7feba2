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
