package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/kindred-go/kindred/internal/digest"
)

// digested is the first format whose files have digests, by which damage is noticed: each event has
// that of itself and of all before it, each setting and each row its own, and the table digests the
// number and the digest of all that is in each of these tables, and of their definitions.
const digested = 4

// The tables with digests, by name.
const (
	eventsTable   = "events"
	settingsTable = "settings"
	rowsTable     = "rows"
	schemaTable   = "schema" // the definitions of tables
)

// tally is how much is in a table, and its digest: of events that of the last one, of other tables
// the exclusive or of the digests of their entries.
type tally struct {
	count  int64
	digest digest.Sum
}

// tallies are those of the tables.
type tallies struct{ events, settings, rows, schema tally }

// chainStart is the digest before the first event. It names what is digested, and how.
var chainStart = digest.Of([]byte("kindred project events 1"))

// newTallies are those of tables with nothing in them.
func newTallies() tallies { return tallies{events: tally{digest: chainStart}} }

// named returns the tallies by the names of their tables.
func (t *tallies) named() map[string]*tally {
	return map[string]*tally{eventsTable: &t.events, settingsTable: &t.settings,
		rowsTable: &t.rows, schemaTable: &t.schema}
}

// next takes the next event into the tally, and returns its digest.
func (t *tally) next(e *Event) digest.Sum {
	b := append(make([]byte, 0, 512), t.digest[:]...)
	b = digest.AppendInt(b, e.Seq)
	for _, text := range [...]string{e.ID, stamp(e), string(e.Step), e.A, e.B, e.Why, e.Who,
		e.Text} {
		b = digest.AppendText(b, text)
	}
	for _, n := range [...]int64{int64(e.Question), e.Target, e.Batch, flag(e.Doubt),
		flag(e.Repeat)} {
		b = digest.AppendInt(b, n)
	}
	t.count, t.digest = t.count+1, digest.Of(b)
	return t.digest
}

// stamp is the time of an event as the file has it.
func stamp(e *Event) string { return e.At.UTC().Format(time.RFC3339Nano) }

func flag(set bool) int64 {
	if set {
		return 1
	}
	return 0
}

// entryDigest is the digest of a setting or a row.
func entryDigest(table, key, value string) digest.Sum {
	b := digest.AppendText(nil, table)
	return digest.Of(digest.AppendText(digest.AppendText(b, key), value))
}

// execer is a connection or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// batch is a transaction under way, with the tallies of what it makes of the file.
type batch struct {
	db       execer
	tallies  tallies
	settings map[string]string // that it set
}

// insert adds events, which are numbered.
func (b *batch) insert(ctx context.Context, events []Event) error {
	for i := range events {
		e := &events[i]
		sum := b.tallies.events.next(e)
		_, err := b.db.ExecContext(ctx,
			"INSERT INTO events (seq, id, at, kind, a, b, question, why, who, target, batch, "+
				"doubt, repeat, text, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			e.Seq, e.ID, stamp(e), string(e.Step), e.A, e.B, e.Question, e.Why, e.Who, e.Target,
			e.Batch, e.Doubt, e.Repeat, e.Text, sum[:])
		if err != nil {
			return err
		}
	}
	return nil
}

// rename writes the ids of the rows of all events anew.
func (b *batch) rename(ctx context.Context, events []Event) error {
	if n := int64(len(events)); n != b.tallies.events.count {
		return fmt.Errorf("%w: there are %d events, not %d", ErrMoved, b.tallies.events.count, n)
	}
	b.tallies.events = newTallies().events
	for i := range events {
		e := &events[i]
		sum := b.tallies.events.next(e)
		if _, err := b.db.ExecContext(ctx, "UPDATE events SET a = ?, b = ?, digest = ? WHERE "+
			"seq = ?", e.A, e.B, sum[:], e.Seq); err != nil {
			return err
		}
	}
	return nil
}

// set keeps a setting.
func (b *batch) set(ctx context.Context, name, value string) error {
	b.settings[name] = value
	return b.put(ctx, settingsTable, &b.tallies.settings, name, value)
}

// describe keeps what rows hold.
func (b *batch) describe(ctx context.Context, contents map[string]string) error {
	for id, content := range contents {
		if err := b.put(ctx, rowsTable, &b.tallies.rows, id, content); err != nil {
			return err
		}
	}
	return nil
}

// entryQueries are those that read and write an entry of a table.
var entryQueries = map[string]struct{ digest, put, all string }{
	settingsTable: {
		"SELECT digest FROM settings WHERE name = ?",
		"INSERT INTO settings (name, value, digest) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET " +
			"value = excluded.value, digest = excluded.digest",
		"SELECT name, value, digest FROM settings NOT INDEXED",
	},
	rowsTable: {
		"SELECT digest FROM rows WHERE id = ?",
		"INSERT INTO rows (id, content, digest) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET " +
			"content = excluded.content, digest = excluded.digest",
		"SELECT id, content, digest FROM rows",
	},
}

// put keeps a value under a key of a table.
func (b *batch) put(ctx context.Context, table string, t *tally, key, value string) error {
	var was []byte
	query := entryQueries[table]
	switch err := b.db.QueryRowContext(ctx, query.digest, key).Scan(&was); {
	case err == sql.ErrNoRows:
		t.count++
	case err != nil:
		return err
	case len(was) == len(digest.Sum{}):
		t.digest.Toggle(digest.Sum(was))
	}
	sum := entryDigest(table, key, value)
	t.digest.Toggle(sum)
	_, err := b.db.ExecContext(ctx, query.put, key, value, sum[:])
	return err
}

// forget empties the table of rows.
func (b *batch) forget(ctx context.Context) error {
	b.tallies.rows = tally{}
	_, err := b.db.ExecContext(ctx, "DELETE FROM rows")
	return err
}

// tally writes the tallies that are not as they were; all if nothing is said of those.
func (b *batch) tally(ctx context.Context, was *tallies) error {
	for table, t := range b.tallies.named() {
		if was != nil && *t == *was.named()[table] {
			continue
		}
		if _, err := b.db.ExecContext(ctx, "INSERT INTO digests (name, count, digest) VALUES "+
			"(?, ?, ?) ON CONFLICT DO UPDATE SET count = excluded.count, digest = "+
			"excluded.digest", table, t.count, t.digest[:]); err != nil {
			return err
		}
	}
	return nil
}

// define reads the definitions of tables. Whether a table is there that is none of ours does not
// matter.
func (t *tally) define(ctx context.Context, db querier) error {
	rows, err := db.QueryContext(ctx, "SELECT name, sql FROM sqlite_schema WHERE name IN "+
		"('settings', 'events', 'events_id', 'rows', 'digests')")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name, definition string
		if err := rows.Scan(&name, &definition); err != nil {
			return err
		}
		t.count++
		t.digest.Toggle(entryDigest(schemaTable, name, definition))
	}
	return errors.Join(rows.Err(), rows.Close())
}

// digest adds the digests to a file of the format before them.
func (p *File) digest(ctx context.Context, tx *sql.Tx) error {
	f, damage := p.find(ctx, tx, digested-1)
	if err := p.broken(ctx, damage); err != nil {
		return err
	}
	b := &batch{db: tx, tallies: newTallies(), settings: make(map[string]string)}
	b.tallies.events.count = int64(len(f.events)) // which rename looks at
	if err := b.rename(ctx, f.events); err != nil {
		return err
	}
	for name, value := range f.settings {
		if err := b.set(ctx, name, value); err != nil {
			return err
		}
	}
	if err := b.describe(ctx, f.rows); err != nil {
		return err
	}
	// The entries are there already; what they had for a digest is none.
	b.tallies.settings.count, b.tallies.rows.count = int64(len(f.settings)), int64(len(f.rows))
	if err := b.tallies.schema.define(ctx, tx); err != nil {
		return err
	}
	return b.tally(ctx, nil)
}
