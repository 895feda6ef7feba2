// Package sqlitefault finds the kind of trouble with a file behind errors of SQLite.
package sqlitefault

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/kindred-go/kindred/fault"
)

// kinds are SQLite's codes of trouble with a file.
var kinds = map[int]fault.Kind{
	sqlite3.SQLITE_BUSY: fault.InUse, sqlite3.SQLITE_LOCKED: fault.InUse,
	sqlite3.SQLITE_NOTADB: fault.Damaged, sqlite3.SQLITE_CORRUPT: fault.Damaged,
	sqlite3.SQLITE_CANTOPEN: fault.Unwritable, sqlite3.SQLITE_READONLY: fault.Unwritable,
	sqlite3.SQLITE_PERM: fault.Unwritable,
	sqlite3.SQLITE_FULL: fault.Full, sqlite3.SQLITE_IOERR: fault.Failing,
	sqlite3.SQLITE_IOERR_SHMSIZE: fault.Full, // as a file beside it does not grow
}

// Kind returns the kind of trouble with a file that an error of SQLite is about, if it is.
func Kind(err error) (kind fault.Kind, ok bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return "", false
	}
	if kind, ok = kinds[e.Code()]; !ok {
		kind, ok = kinds[e.Code()&0xff]
	}
	return kind, ok
}

// KindAt is [Kind] for the database at a path, and looks for what is behind a failure where SQLite
// does not say: it knows of a full disk, but takes a quota, a limit on the size of files, and a disk
// that may only be read now for failures. Writing as much as its log next to it meets the same.
func KindAt(path string, err error) (kind fault.Kind, ok bool) {
	kind, ok = Kind(err)
	if kind != fault.Failing {
		return kind, ok
	}
	const most = 64 << 10
	var at int64
	for _, log := range []string{"-wal", "-journal"} {
		if info, err := os.Stat(path + log); err == nil {
			at = max(at, info.Size())
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".*.kindred.tmp")
	if err == nil {
		_, err = f.WriteAt(make([]byte, most), at)
		err = cmp.Or(err, f.Sync())
		f.Close()
		os.Remove(f.Name())
	}
	if class, ok := fault.Of(fault.Writing(path, err)); ok {
		return class.Kind, true
	}
	return fault.Failing, true
}
