package dataset

import "context"

func readSQLite(ctx context.Context, src *source, t *Table, o ReadOptions) error { return nil }
