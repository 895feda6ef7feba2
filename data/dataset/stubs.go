package dataset

import "context"

func readArrow(ctx context.Context, src *source, t *Table, o ReadOptions) error { return nil }
func readSQLite(ctx context.Context, src *source, t *Table, o ReadOptions) error { return nil }
