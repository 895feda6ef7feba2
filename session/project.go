package session

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/kindred-go/kindred/fault"
)

// ErrInUse means that another process has the project open.
var ErrInUse = errors.New("the project is open in another kindred; close that one first")

// Project is an open project file. Its methods may be used by several goroutines.
type Project struct {
	db      *sql.DB
	path    string
	reading bool // opened by View
}

// Open opens the project at path, and makes it when there is none. The error is a [*fault.Input] for
// a file that is damaged, no kindred project, or of a newer format, and [ErrInUse] when another
// process has it open. What is in the way of opening is never overwritten.
func Open(ctx context.Context, path string) (*Project, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	_, statErr := os.Stat(path)
	fresh := errors.Is(statErr, fs.ErrNotExist)
	p, err := connect(path, url.Values{"_pragma": {
		"busy_timeout(250)", "locking_mode(EXCLUSIVE)", "journal_mode(WAL)", "synchronous(FULL)", "wal_autocheckpoint(1)", "foreign_keys(1)", "trusted_schema(0)",
	}})
	if err != nil {
		return nil, err
	}
	if err := p.prepare(ctx); err != nil {
		p.db.Close()
		if info, err := os.Stat(path); fresh && err == nil && info.Size() == 0 {
			os.Remove(path) // nothing was kept in it
		}
		return nil, p.explain(err)
	}
	return p, nil
}

// Exists tells whether a project file is at path.
func Exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

func regular(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		// SQLite's own words for this are poor.
		_, err = os.Stat(filepath.Dir(path))
		return err
	}
	if err == nil && !info.Mode().IsRegular() {
		return &fault.Input{File: path, Problem: "this is not a regular file", Mend: "name another file with --project"}
	}
	return err
}

// View opens a project for reading alone, also where nothing can be written. It fails as [Open] does.
func View(ctx context.Context, path string) (*Project, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	q := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(250)", "query_only(1)", "trusted_schema(0)"}}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		q.Set("immutable", "1") // without a log the file is all there is, and needs no lock
	}
	p, err := connect(path, q)
	if err != nil {
		return nil, err
	}
	app, version, err := p.format(ctx)
	switch {
	case err != nil:
	case app != applicationID && app != 0, app == 0 && version != 0:
		err = p.foreign()
	case version != len(migrations):
		err = p.otherFormat(version)
	}
	if err != nil {
		p.db.Close()
		return nil, p.explain(err)
	}
	return p, nil
}

// connect opens the database at a path, whatever characters it has.
func connect(path string, q url.Values) (*Project, error) {
	address := url.URL{Scheme: "file", Opaque: url.PathEscape(filepath.ToSlash(path)), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // a lock belongs to the connection
	return &Project{db: db, path: path, reading: q.Get("mode") == "ro"}, nil
}

func (p *Project) prepare(ctx context.Context) error {
	var found string
	if err := p.db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return p.damaged(errors.New(found))
	}
	return p.migrate(ctx)
}

// explain turns SQLite's codes into words.
func (p *Project) explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: %s", ErrInUse, p.path)
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return p.damaged(err)
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return fmt.Errorf("session: %s cannot be written: %w", p.path, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("session: the disk is full; %s holds all earlier answers: %w", p.path, err)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("session: the disk failed; %s holds all earlier answers: %w", p.path, err)
	}
	return fmt.Errorf("session: %s: %w", p.path, err)
}

func (p *Project) damaged(err error) error {
	return &fault.Input{
		File:    p.path,
		Problem: "the project file is damaged, or is no project file",
		Mend:    "restore it from a copy, or name another file with --project; it was left as it is",
		Err:     err,
	}
}

// Path is the file the project is in.
func (p *Project) Path() string { return p.path }

// Close folds the log into the file and lets go of it.
func (p *Project) Close() error {
	if p.reading {
		return p.db.Close()
	}
	_, err := p.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	if err != nil {
		err = p.explain(err)
	}
	return errors.Join(err, p.db.Close())
}

// Header says what a project is about.
type Header struct {
	Data        string            `json:"data"`        // as the person named it
	Path        string            `json:"path"`        // from the project's folder; "" for what is no file
	Fingerprint string            `json:"fingerprint"` // of the data's bytes
	Rows        int               `json:"rows"`        // rows read
	Method      string            `json:"method"`      // the asking method
	Settings    map[string]string `json:"settings"`    // flags that decide what is asked, by name
	Created     time.Time         `json:"created"`
}

// Header reads what the project is about; ok is false for a project just made.
func (p *Project) Header(ctx context.Context) (h Header, ok bool, err error) {
	var text string
	err = p.db.QueryRowContext(ctx, "SELECT value FROM settings WHERE name = 'header'").Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return Header{}, false, nil
	}
	if err != nil {
		return Header{}, false, p.explain(err)
	}
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return Header{}, false, p.damaged(err)
	}
	return h, true, nil
}

// SetHeader writes what the project is about.
func (p *Project) SetHeader(ctx context.Context, h Header) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	_, err = p.db.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ('header', ?) ON CONFLICT DO UPDATE SET value = excluded.value", string(text))
	if err != nil {
		return p.explain(err)
	}
	return nil
}
