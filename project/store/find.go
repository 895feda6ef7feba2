package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/internal/words"
)

// found is all that a file holds, as far as it is sound.
type found struct {
	tallies  tallies // of what was read
	stated   int64   // how many events the file says there are; 0: not known
	events   []Event
	settings map[string]string
	rows     map[string]string
}

// Damage is a part of a project file that is not as it was written.
type Damage struct {
	What    string `json:"what"`              // what is damaged, as a clause
	Affects string `json:"affects,omitempty"` // what that affects, as a clause
}

// errStop ends a reading at what is damaged.
var errStop = errors.New("the rest is not read")

// know reads all that is in the file, and what Submit needs to know of it. What is damaged is an
// error.
func (p *File) know(ctx context.Context) error {
	f, damage := p.find(ctx, p.db, p.version)
	if err := p.broken(ctx, damage); err != nil {
		return err
	}
	p.found, p.tallies, p.settings = f, f.tallies, f.settings
	p.bare.Store(len(f.events) == 0)
	p.ids = make(map[string]int64)
	for i := range f.events {
		e := &f.events[i]
		if p.last = e.Seq; e.ID != "" {
			p.ids[e.ID] = e.Seq
		}
	}
	return nil
}

// again reads all that is on disk.
func (p *File) again(ctx context.Context) (*found, error) {
	tx, err := p.db.BeginTx(ctx, nil) // nothing is written meanwhile
	if err != nil {
		return nil, p.explain(err)
	}
	defer tx.Rollback()
	f, damage := p.find(ctx, tx, p.version)
	return f, p.broken(ctx, damage)
}

// broken returns the error of damage, if there is any. Trouble of other kinds, such as a failing
// disk, is returned as it is, and so is the end of the context.
func (p *File) broken(ctx context.Context, damage []finding) error {
	if len(damage) == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	var lost []string
	for _, d := range damage {
		if d.err != nil {
			err := p.explain(d.err)
			if class, known := fault.Of(err); known && class.Kind != fault.Damaged {
				return err
			}
		}
		lost = append(lost, d.What+"; "+d.Affects)
	}
	const most = 3
	if n := len(lost) - most; n > 0 {
		lost = append(lost[:most], fmt.Sprintf("and %d more", n))
	}
	return p.damaged(strings.Join(lost, "; "), damage[0].err)
}

// finding is damage, and what SQLite has to say of it.
type finding struct {
	Damage
	err error
}

// find reads all that is in a file of a format, as far as it is sound.
func (p *File) find(ctx context.Context, db querier, version int) (f *found, damage []finding) {
	report := func(err error, affects, what string, args ...any) {
		damage = append(damage, finding{Damage{fmt.Sprintf(what, args...), affects}, err})
	}
	stated := newTallies()
	if version >= digested {
		if err := stated.read(ctx, db); err != nil {
			report(err, "what is missing at the end cannot be noticed",
				"the numbers of steps, settings and rows cannot be read")
		}
	}
	var schema tally
	err := schema.define(ctx, db)
	if version >= digested && (err != nil || schema != stated.schema) {
		report(err, "nothing that was read", "the definition of a table is not as it was written")
	}
	f = &found{tallies: newTallies(), settings: make(map[string]string),
		rows: make(map[string]string), stated: stated.events.count}
	p.findEntries(ctx, db, version, settingsTable, f.settings, &f.tallies.settings,
		stated.settings, report)
	if version > 2 {
		p.findEntries(ctx, db, version, rowsTable, f.rows, &f.tallies.rows, stated.rows, report)
	}
	f.findEvents(ctx, db, version, stated.events, report)
	f.tallies.schema = schema
	return f, damage
}

// reporter is called with what SQLite reports, what damage affects, and what is damaged.
type reporter = func(err error, affects, what string, args ...any)

// read reads what the file has.
func (t *tallies) read(ctx context.Context, db querier) error {
	rows, err := db.QueryContext(ctx, "SELECT name, count, digest FROM digests")
	if err != nil {
		return err
	}
	defer rows.Close()
	tables := t.named()
	for rows.Next() {
		var name string
		var count int64
		var sum []byte
		if err := rows.Scan(&name, &count, &sum); err != nil {
			return err
		}
		into := tables[name]
		if into == nil || len(sum) != len(digest.Sum{}) {
			return fmt.Errorf("%.40q is of no table", name)
		}
		*into = tally{count, digest.Sum(sum)}
		delete(tables, name)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	if len(tables) > 0 {
		return errors.New("one is missing")
	}
	return nil
}

// affected is what damage to a setting or to rows affects.
func affected(table, key string) string {
	switch {
	case table == rowsTable:
		return "answers about it cannot be carried over to changed data"
	case key == headerName:
		return "which data the project is about, and how they are compared, is not known"
	}
	return "it has its default"
}

// findEntries reads a table of keyed entries.
func (p *File) findEntries(ctx context.Context, db querier, version int, table string,
	into map[string]string, have *tally, stated tally, report reporter) {
	query, what, plural := entryQueries[table].all, "the setting", "settings"
	if table == rowsTable {
		what, plural = "the content of row", "contents of rows"
	}
	if version < digested {
		query = strings.Replace(query, ", digest", "", 1)
	}
	damaged := 0
	err := func() error {
		rows, err := db.QueryContext(ctx, query)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var key, value string
			var sum sql.RawBytes
			fields := []any{&key, &value, &sum}
			if version < digested {
				fields = fields[:2]
			}
			if err := rows.Scan(fields...); err != nil {
				return err
			}
			want := entryDigest(table, key, value)
			if version >= digested && string(sum) != string(want[:]) {
				report(nil, affected(table, key), "%s %s is not as it was written", what,
					called(key))
				damaged++
				continue
			}
			if _, twice := into[key]; twice {
				return fmt.Errorf("%.40q is there twice", key)
			}
			into[key] = value
			have.count++
			have.digest.Toggle(want)
		}
		return errors.Join(rows.Err(), rows.Close())
	}()
	switch lost := stated.count - have.count; {
	case err != nil:
		report(err, affected(table, headerName), "the %s cannot be read", plural)
	case version < digested || damaged > 0 || *have == stated:
	case lost > 0 && lost <= stated.count:
		report(nil, affected(table, headerName), "%d of %d %s are missing", lost, stated.count,
			plural)
	default:
		report(nil, "nothing that was read", "the number of the %s is not as it was written",
			plural)
	}
}

// findEvents reads the events up to the first that is damaged.
func (f *found) findEvents(ctx context.Context, db querier, version int, stated tally,
	report reporter) {
	chain := newTallies().events
	of := func(seq int64) string {
		if stated.count >= seq {
			return fmt.Sprintf("step %d of %d", seq, stated.count)
		}
		return "step " + strconv.FormatInt(seq, 10)
	}
	rest := func() string {
		return fmt.Sprintf("this step and those after it count no longer; %s before it %s sound",
			words.Count(len(f.events), "step"), is(len(f.events)))
	}
	err := each(ctx, db, version, "ORDER BY seq", func(e *Event, sum []byte) error {
		before := chain
		want := chain.next(e)
		if n := int64(len(f.events) + 1); e.Seq != n || version >= digested &&
			string(sum) != string(want[:]) {
			chain = before
			what := "is not as it was written"
			if e.Seq != n {
				e, what = &Event{Seq: n}, "is missing"
			}
			report(nil, rest(), "%s%s %s", of(n), described(e), what)
			return errStop
		}
		f.events = append(f.events, *e)
		return nil
	})
	f.tallies.events = chain
	n := int64(len(f.events))
	switch lost := stated.count - n; {
	case errors.Is(err, errStop):
	case err != nil:
		report(err, rest(), "%s cannot be read", of(n+1))
	case version < digested || chain == stated:
	case lost > 0 && chain.digest != stated.digest:
		report(nil, "they count no longer; "+words.Count(int(n), "step")+" before them "+
			is(int(n))+" sound", "the last %d of %d steps are missing", lost, stated.count)
	default:
		report(nil, "no step", "the number of the steps is not as it was written")
	}
}

func is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// described returns which step an event is, in words.
func described(e *Event) string {
	if e.Step == "" {
		return ""
	}
	kind, who := "a step of "+string(e.Step), ""
	if e.Step.IsAnswer() {
		kind = "an answer"
	}
	if e.Who != "" {
		who = " by " + called(e.Who)
	}
	return fmt.Sprintf(", %s%s at %s,", words.Cut(kind, 40), who, e.At.Format(time.RFC3339))
}

// called returns a name for a sentence, which may be damaged.
func called(name string) string {
	return words.Cut(strings.ToValidUTF8(name, "\uFFFD"), 40)
}
