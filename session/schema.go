package session

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/kindred-go/kindred/fault"
)

// applicationID marks the SQLite file as a kindred project: "kind" in ASCII.
const applicationID = 0x6b696e64

// migrations bring a file from version i to version i+1. A file's version is SQLite's user_version.
var migrations = []string{
	`CREATE TABLE settings (
		name  TEXT PRIMARY KEY,
		value TEXT NOT NULL
	) STRICT;
	CREATE TABLE events (
		seq      INTEGER PRIMARY KEY AUTOINCREMENT, -- order of the session
		at       TEXT NOT NULL,                     -- RFC 3339, UTC
		kind     TEXT NOT NULL CHECK (kind IN ('same', 'different', 'unknown', 'undo', 'redo')),
		a        TEXT NOT NULL,                     -- ids of the rows answered about; for undo and redo,
		b        TEXT NOT NULL,                     -- of the answer they change
		question INTEGER NOT NULL,                  -- number of the question on the screen
		why      TEXT NOT NULL,                     -- why it was asked
		who      TEXT NOT NULL                      -- who answered
	) STRICT;`,
}

// migrate makes a new file, or brings an older one up to date, in one transaction.
func (p *Project) migrate(ctx context.Context) error {
	db := p.db
	app, version, err := p.format(ctx)
	if err != nil {
		return err
	}
	switch {
	case app != applicationID && (app != 0 || version != 0 || !empty(ctx, db)):
		return p.foreign()
	case version > len(migrations):
		return p.otherFormat(version)
	case version == len(migrations):
		return nil
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, step := range migrations[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	for _, pragma := range []string{
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
		fmt.Sprintf("PRAGMA user_version = %d", len(migrations)),
	} {
		if _, err := tx.ExecContext(ctx, pragma); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// format reads what the file says it is.
func (p *Project) format(ctx context.Context) (app, version int, err error) {
	if err = p.db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&app); err == nil {
		err = p.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	}
	return app, version, err
}

// foreign refuses a database of another program.
func (p *Project) foreign() error {
	return &fault.Input{File: p.path, Problem: "this is an SQLite file, but not a kindred project", Mend: "name another file with --project"}
}

// otherFormat refuses a file of a format that cannot be read as it is.
func (p *Project) otherFormat(version int) error {
	in := &fault.Input{
		File:    p.path,
		Problem: fmt.Sprintf("the project is of format %d, and this kindred knows formats up to %d", version, len(migrations)),
		Mend:    "use a newer kindred",
	}
	if version < len(migrations) {
		in.Problem, in.Mend = "the project is of an older format, or empty", "open it once with kindred ask"
	}
	return in
}

// empty tells whether the database has no tables.
func empty(ctx context.Context, db *sql.DB) bool {
	var n int
	err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n)
	return err == nil && n == 0
}
