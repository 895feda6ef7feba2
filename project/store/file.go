package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/ours"
	"github.com/kindred-go/kindred/internal/sqlitefault"
)

// ErrInUse means that another process has the project open.
var ErrInUse error = fault.InUse

// Project is an open project file. Its methods may be used by several goroutines.
type File struct {
	db      *sql.DB
	path    string
	reading bool        // opened by View
	version int         // format of the file
	file    os.FileInfo // as it was opened

	tallies tallies // of what is on disk; the writer's own once that runs
	notes   []string
	bare    atomic.Bool // no event is on disk

	mu       sync.Mutex
	settings map[string]string // on disk
	found    *found            // all on disk, from opening to the first write; nil later
	closing  bool
	last     int64            // Seq given last
	ids      map[string]int64 // events by the ids of clients
	queue    []*request       // to be written
	flying   []*request       // being written
	wake     chan struct{}    // has a token when something is in the queue
	stopped  chan struct{}    // closed when the writer has ended; nil when it never ran
}

// Open opens the project at path, and makes it, for this user alone, when there is none. A file of
// an older format is brought up to date, after a copy of it as it was is put beside it as
// NAME.kindred.vN.bak, N being its format; copies that are there already stay. All that is in the
// file is read, and compared with the digests in it. The error is a [*fault.Input] for a file that
// is damaged, no kindred project, or of a newer format, and else a [*fault.Storage], as [ErrInUse]
// when another process has it open. What is in the way of opening is never overwritten.
func Open(ctx context.Context, path string) (*File, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	_, statErr := os.Stat(path)
	fresh := errors.Is(statErr, fs.ErrNotExist)
	if fresh {
		// SQLite would let others read it, and gives its log the permissions of the file. What is
		// in the way of it is in its own way as well, and it reports that.
		if f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			f.Close()
		}
	}
	p, err := connect(path, url.Values{"_pragma": {
		"busy_timeout(250)", "locking_mode(EXCLUSIVE)", "journal_mode(WAL)", "synchronous(FULL)",
		"foreign_keys(1)", "trusted_schema(0)",
	}})
	if err != nil {
		return nil, err
	}
	p.bare.Store(fresh)
	if err := p.prepare(ctx); err != nil {
		p.db.Close()
		if info, err := os.Stat(path); fresh && err == nil && info.Size() == 0 {
			os.Remove(path) // nothing was kept in it
		}
		return nil, p.opening(err)
	}
	if p.file, err = os.Stat(path); err != nil {
		p.db.Close()
		return nil, err
	}
	p.wake, p.stopped = make(chan struct{}, 1), make(chan struct{})
	go p.writer()
	return p, nil
}

// there reports whether what is written goes to the file that has the project's name: elsewhere it
// would be lost.
func (p *File) there() error {
	info, err := os.Stat(p.path)
	if err == nil && !os.SameFile(info, p.file) {
		err = errors.New("another file is in its place")
	}
	if err != nil {
		return &fault.Storage{Kind: fault.Moved, File: p.path, Err: err}
	}
	return nil
}

// Exists reports whether a project file is at path.
func Exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

// Missing returns why no project file is at path, as a [*fault.Input], or nil where one is. fix is
// what to do where there is no file at all.
func Missing(path, fix string) error {
	if Exists(path) {
		return nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrPermission) {
		return fault.Reading(path, err)
	}
	if err == nil && info.Mode().IsRegular() {
		return fault.Inputf("restore it from a copy, or remove it and give the data to begin anew",
			"the file is empty, so it is no project").In(path)
	}
	return fault.Inputf(fix, "there is no such project").In(path)
}

func regular(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		// SQLite's own words for this are poor.
		_, err = os.Stat(filepath.Dir(path))
		return err
	}
	if err == nil && !info.Mode().IsRegular() {
		return fault.Inputf("name another file with --project",
			"this is not a regular file").In(path)
	}
	return fault.Reading(path, err)
}

// View opens a project for reading alone, also where nothing can be written, and of older formats,
// too. It fails as [Open] does.
func View(ctx context.Context, path string) (*File, error) {
	p, err := view(path)
	if err != nil {
		return nil, err
	}
	err = p.recognise(ctx)
	if err == nil {
		err = p.know(ctx)
	}
	if err != nil {
		p.db.Close()
		return nil, p.opening(err)
	}
	if p.version < digested {
		p.notes = append(p.notes, path+": "+undigested)
	}
	return p, nil
}

// view connects to a project for reading alone.
func view(path string) (*File, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	q := url.Values{"mode": {"ro"},
		"_pragma": {"busy_timeout(250)", "query_only(1)", "trusted_schema(0)"}}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		q.Set("immutable", "1") // without a log the file is all there is, and needs no lock
	}
	return connect(path, q)
}

// connect opens the database at a path, whatever characters it has.
func connect(path string, q url.Values) (*File, error) {
	address := url.URL{Scheme: "file", Opaque: url.PathEscape(filepath.ToSlash(path)),
		RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // a lock belongs to the connection
	return &File{db: db, path: path, reading: q.Get("mode") == "ro"}, nil
}

// prepare makes a new file, or brings one up to date, and reads all that is in it.
func (p *File) prepare(ctx context.Context) error {
	if err := p.migrate(ctx); err != nil {
		return err
	}
	if err := p.know(ctx); err != nil {
		return err
	}
	return p.pages(ctx)
}

// pages has SQLite check the pages of the file and its indexes.
func (p *File) pages(ctx context.Context) error {
	var found string
	if err := p.db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return p.damaged("its pages are not as they were written", errors.New(found))
	}
	return nil
}

// explain turns SQLite's codes into words.
func (p *File) explain(err error) error {
	if _, known := fault.Of(err); known {
		return err
	}
	if kind, ok := sqlitefault.KindAt(p.path, err); ok {
		trouble := &fault.Storage{Kind: kind, File: p.path, Err: err}
		if (kind == fault.Full || kind == fault.Failing) && !p.bare.Load() {
			trouble.Kept = p.path + " holds all earlier answers"
		}
		return trouble
	}
	if errors.As(err, new(*sqlite.Error)) {
		return fmt.Errorf("project: %s: %w", p.path, err)
	}
	return err
}

// opening is explain for errors of opening, where what SQLite does not understand is damage, and it
// does not say of a file that is only read that it may not be.
func (p *File) opening(err error) error {
	if kind, _ := sqlitefault.Kind(err); p.reading && kind == fault.Unwritable {
		f, err := os.Open(p.path)
		if errors.Is(err, fs.ErrPermission) {
			return fault.Reading(p.path, err)
		}
		if err == nil {
			f.Close()
		}
	}
	err = p.explain(err)
	class, known := fault.Of(err)
	if !known && errors.As(err, new(*sqlite.Error)) {
		return p.damaged("", err)
	}
	if class.Kind == fault.Damaged {
		if other := p.other(); other != nil {
			return other.Because(err)
		}
	}
	return err
}

// other returns the error of a file of kindred's that is no project; nil where it may be one.
func (p *File) other() *fault.Input {
	f, err := os.Open(p.path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, ours.HeadBytes)
	n, _ := io.ReadFull(f, head)
	if in := ours.Instead(head[:n], ours.Project); in != nil {
		return in.In(p.path)
	}
	return nil
}

// damaged returns the error of a file in which something is damaged.
func (p *File) damaged(lost string, err error) error {
	return &fault.Storage{Kind: fault.Damaged, File: p.path, Lost: lost, Err: err}
}

// Notes returns what is to be known of the file, in sentences.
func (p *File) Notes() []string { return slices.Clone(p.notes) }

// Path is the file the project is in.
func (p *File) Path() string { return p.path }

// Close writes what was submitted, folds the log into the file, and closes it.
func (p *File) Close() error {
	if p.reading {
		return p.db.Close()
	}
	p.mu.Lock()
	closed := p.closing
	p.closing = true
	p.mu.Unlock()
	if closed {
		<-p.stopped
		return nil
	}
	p.wakeWriter()
	<-p.stopped
	_, err := p.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	if err != nil {
		err = p.explain(err)
	}
	return errors.Join(err, p.db.Close())
}
