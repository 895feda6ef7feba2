package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/ours"
)

// applicationID marks the SQLite file as a kindred project.
const applicationID = ours.ProjectID

// migrations bring a file from format i to format i+1. A file's format is SQLite's user_version.
var migrations = []func(ctx context.Context, p *File, tx *sql.Tx) error{
	func(ctx context.Context, _ *File, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `CREATE TABLE settings (
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
		) STRICT;`)
		return err
	},
	func(ctx context.Context, p *File, tx *sql.Tx) error {
		var events []Event
		err := each(ctx, tx, 1, "ORDER BY seq", func(e *Event, _ []byte) error {
			events = append(events, *e)
			return nil
		})
		if err != nil {
			return p.damaged("its steps cannot be read", err)
		}
		_, err = tx.ExecContext(ctx, `ALTER TABLE events RENAME TO events_1;
		CREATE TABLE events (
			seq      INTEGER PRIMARY KEY AUTOINCREMENT, -- order of the session
			id       TEXT NOT NULL,                     -- as the client named it, or empty
			at       TEXT NOT NULL,                     -- RFC 3339, UTC
			kind     TEXT NOT NULL CHECK (kind IN ('same', 'different', 'unknown', 'undo', 'redo', 'skip', 'bad', 'name', 'drop', 'groups')),
			a        TEXT NOT NULL,                     -- ids of the rows it is about
			b        TEXT NOT NULL,
			question INTEGER NOT NULL,                  -- number of the question on the screen
			why      TEXT NOT NULL,                     -- why it was asked
			who      TEXT NOT NULL,                     -- who did it
			target   INTEGER NOT NULL,                  -- event it takes back, brings back, drops or replaces, or 0
			batch    INTEGER NOT NULL,                  -- first of the events done together, or 0
			doubt    INTEGER NOT NULL CHECK (doubt IN (0, 1)),  -- kept although it contradicts others
			repeat   INTEGER NOT NULL CHECK (repeat IN (0, 1)), -- asked a second time
			text     TEXT NOT NULL                      -- name of a group
		) STRICT;
		INSERT INTO events SELECT seq, '', at, kind, a, b, question, why, who, 0, 0, 0, 0, '' FROM events_1;
		DROP TABLE events_1;
		CREATE UNIQUE INDEX events_id ON events (id) WHERE id <> '';`)
		if err != nil {
			return err
		}
		// Format 1 named what an undo or redo is about by its pair.
		for _, e := range NewHistory(events).All() {
			if e.Target == 0 {
				continue
			}
			if _, err := tx.ExecContext(ctx, "UPDATE events SET target = ? WHERE seq = ?", e.Target,
				e.Seq); err != nil {
				return err
			}
		}
		return nil
	},
	func(ctx context.Context, _ *File, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `CREATE TABLE rows (
			id      TEXT PRIMARY KEY, -- of a row that an event is about, where data have no ids
			content TEXT NOT NULL     -- what finds the row again in changed data
		) STRICT, WITHOUT ROWID;`)
		return err
	},
	func(ctx context.Context, p *File, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `ALTER TABLE events ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
		ALTER TABLE settings ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
		ALTER TABLE rows ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
		CREATE TABLE digests (
			name   TEXT PRIMARY KEY, -- of a table
			count  INTEGER NOT NULL, -- of what is in it
			digest BLOB NOT NULL     -- of all of it
		) STRICT, WITHOUT ROWID;`)
		if err != nil {
			return err
		}
		return p.digest(ctx, tx)
	},
	func(ctx context.Context, p *File, tx *sql.Tx) error {
		_, damage := p.find(ctx, tx, 4)
		if err := p.broken(ctx, damage); err != nil {
			return err
		}
		// A table that was made since allows these steps: to make it again would only take room.
		var definition string
		if err := tx.QueryRowContext(ctx, "SELECT sql FROM sqlite_schema WHERE name = 'events'").
			Scan(&definition); err != nil || strings.Contains(definition, "'"+string(Groups)+"'") {
			return err
		}
		_, err := tx.ExecContext(ctx, `ALTER TABLE events RENAME TO events_4;
		CREATE TABLE events (
			seq      INTEGER PRIMARY KEY AUTOINCREMENT, -- order of the session
			id       TEXT NOT NULL,                     -- as the client named it, or empty
			at       TEXT NOT NULL,                     -- RFC 3339, UTC
			kind     TEXT NOT NULL CHECK (kind IN ('same', 'different', 'unknown', 'undo', 'redo', 'skip', 'bad', 'name', 'drop', 'groups')),
			a        TEXT NOT NULL,                     -- ids of the rows it is about
			b        TEXT NOT NULL,
			question INTEGER NOT NULL,                  -- number of the question on the screen
			why      TEXT NOT NULL,                     -- why it was asked
			who      TEXT NOT NULL,                     -- who did it
			target   INTEGER NOT NULL,                  -- event it takes back, brings back, drops or replaces, or 0
			batch    INTEGER NOT NULL,                  -- first of the events done together, or 0
			doubt    INTEGER NOT NULL CHECK (doubt IN (0, 1)),  -- kept although it contradicts others
			repeat   INTEGER NOT NULL CHECK (repeat IN (0, 1)), -- asked a second time
			text     TEXT NOT NULL,                     -- name of a group, or how many groups there are
			digest   BLOB NOT NULL DEFAULT x''
		) STRICT;
		INSERT INTO events SELECT `+columns[4]+` FROM events_4;
		DROP TABLE events_4;
		CREATE UNIQUE INDEX events_id ON events (id) WHERE id <> '';`)
		if err != nil {
			return err
		}
		b := &batch{db: tx}
		if err := b.tallies.read(ctx, tx); err != nil {
			return err
		}
		was := b.tallies
		b.tallies.schema = tally{}
		if err := b.tallies.schema.define(ctx, tx); err != nil {
			return err
		}
		return b.tally(ctx, &was)
	},
}

// migrate makes a new file, or brings an older one up to date, in one transaction.
func (p *File) migrate(ctx context.Context) error {
	if err := p.recognise(ctx); err != nil && !errors.Is(err, errEmpty) {
		return err
	}
	version := p.version
	switch {
	case version == len(migrations):
		return nil
	case version > 0:
		if err := p.pages(ctx); err != nil {
			return err
		}
		backup, err := p.backup(ctx)
		if err != nil {
			return err
		}
		if version < digested {
			p.notes = append(p.notes, p.path+" had no digests, by which damage is noticed; it has "+
				"them now, and as it was it is kept as "+backup)
		}
	}
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, step := range migrations[version:] {
		if err := step(ctx, p, tx); err != nil {
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
	if err := tx.Commit(); err != nil {
		return err
	}
	p.version = len(migrations)
	return nil
}

// errEmpty and errNewer are the causes of the errors of a file with nothing in it, and of one of a
// newer format.
var (
	errEmpty = errors.New("nothing is in it")
	errNewer = errors.New("the format is newer")
)

// recognise reads the format of the file, and refuses what this program cannot read.
func (p *File) recognise(ctx context.Context) error {
	var app, objects, strange, tables, digests int
	for _, x := range []struct {
		query string
		into  *int
	}{
		{"PRAGMA application_id", &app},
		{"PRAGMA user_version", &p.version},
		{"SELECT count(*) FROM sqlite_schema", &objects},
		// would run what they hold
		{"SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')", &strange},
		{"SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('events', " +
			"'settings')", &tables},
		{"SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'digests'", &digests},
	} {
		if err := p.db.QueryRowContext(ctx, x.query).Scan(x.into); err != nil {
			return err
		}
	}
	in := &fault.Input{File: p.path}
	switch {
	case app == 0 && p.version == 0 && objects == 0:
		in.Problem, in.Fix, in.Err = "the project is empty", "begin one with kindred ask", errEmpty
	case app != applicationID, p.version < 1, strange > 0:
		in.Problem, in.Fix = "this is an SQLite file, but not a kindred project",
			"name another file with --project"
	case p.version > len(migrations):
		in.Problem = "the project is of format " + strconv.Itoa(p.version) +
			", and this kindred knows formats up to " + strconv.Itoa(len(migrations))
		in.Fix, in.Err = "use a newer kindred", errNewer
	case tables < 2:
		return p.damaged("a table is missing", nil)
	case p.version < digested && digests > 0:
		return p.damaged("the number of its format is not as it was written", nil)
	default:
		return nil
	}
	return in
}
