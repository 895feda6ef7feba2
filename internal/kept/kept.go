// Package kept keeps vectors of texts in a file, so that no text is encoded twice.
package kept

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/internal/sqlitefault"
)

// File keeps vectors by a digest of all that they depend on: the encoder, the prompt and the text. The
// texts are not in it. It is safe for many goroutines and processes; nil keeps nothing.
type File struct {
	db     *sql.DB
	path   string
	frozen bool // nothing can be written
}

// fileID marks a file of vectors: its application_id in SQLite.
const fileID = 0x6b766563 // "kvec"

// Open opens a file, which is made where there is none, for its owner alone. From a file that may
// only be read vectors are taken all the same. A file of something else is a [*fault.Input].
func Open(ctx context.Context, path string) (*File, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, &fault.Input{File: path, Problem: "is no ordinary file",
			Fix: "name another for the vectors"}
	case errors.Is(err, fs.ErrNotExist):
		// SQLite would let others read it. A file that is there is opened by SQLite alone: the
		// locks of this process on it end when any descriptor of it is closed.
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			err = f.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, &fault.Storage{Kind: fault.Unwritable, File: path, Err: err}
		}
	}
	c, err := open(ctx, path, false)
	if kind, ok := sqlitefault.Kind(err); ok && kind == fault.Unwritable {
		return open(ctx, path, true)
	}
	return c, err
}

// open opens a file that is there; frozen: to read it alone.
func open(ctx context.Context, path string, frozen bool) (*File, error) {
	c := &File{path: path, frozen: frozen}
	// Pages of a new file hold vectors whole, which would take a page of their own each otherwise.
	q := url.Values{"_pragma": {"busy_timeout(10000)", "trusted_schema(0)", "page_size(32768)"}}
	if c.frozen {
		q.Set("mode", "ro")
		q.Set("immutable", "1")
	} else {
		q.Set("_txlock", "immediate") // two that read first would wait for each other
	}
	address := url.URL{Scheme: "file", Opaque: url.PathEscape(filepath.ToSlash(path)),
		RawQuery: q.Encode()}
	var err error
	if c.db, err = sql.Open("sqlite", address.String()); err != nil {
		return nil, err
	}
	c.db.SetMaxOpenConns(1)
	if err := c.prepare(ctx); err != nil {
		return nil, errors.Join(c.explain(err), c.Close())
	}
	return c, nil
}

// prepare makes a new file one of vectors, and refuses another.
func (c *File) prepare(ctx context.Context) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id, objects int
	if err := tx.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	err = tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&objects)
	if err != nil {
		return err
	}
	if id == fileID && c.frozen {
		return nil
	}
	if id == fileID { // SQLite reads a file that it may not write, and says so at the first change
		_, err := tx.ExecContext(ctx, "DELETE FROM vectors WHERE 0")
		return err
	}
	if c.frozen || objects > 0 || id != 0 {
		return &fault.Input{File: c.path, Problem: "is no file of vectors that kindred keeps",
			Fix: "name another by --encoder-cache"}
	}
	for _, statement := range []string{fmt.Sprintf("PRAGMA application_id = %d", fileID),
		"CREATE TABLE vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Close closes the file.
func (c *File) Close() error {
	if c == nil {
		return nil
	}
	return c.db.Close()
}

// explain returns an error that names the file, what is wrong with it and what to do.
func (c *File) explain(err error) error {
	const fix = "remove it: the texts will be encoded again"
	kind, ok := sqlitefault.KindAt(c.path, err)
	switch {
	case kind == fault.Damaged:
		return &fault.Input{File: c.path, Problem: "the kept vectors are damaged", Fix: fix, Err: err}
	case kind == fault.InUse:
		return &fault.Input{File: c.path, Problem: "the kept vectors are in use elsewhere",
			Fix: "try again, or name another file by --encoder-cache", Err: err}
	case ok:
		return &fault.Storage{Kind: kind, File: c.path, Err: err}
	case errors.As(err, new(*sqlite.Error)):
		return &fault.Storage{Kind: fault.Failing, File: c.path, Err: err}
	}
	return err
}

// some is the number of keys that a query names.
const some = 256

// Get sets found[i] to the vector of keys[i], where it is kept whole.
func (c *File) Get(ctx context.Context, keys []digest.Sum, found [][]float32) error {
	if c == nil {
		return nil
	}
	for lo := 0; lo < len(keys); lo += some {
		if err := c.part(ctx, keys[lo:min(len(keys), lo+some)], found[lo:]); err != nil {
			return c.explain(err)
		}
	}
	return nil
}

func (c *File) part(ctx context.Context, keys []digest.Sum, found [][]float32) error {
	at := make(map[digest.Sum]int, len(keys))
	args := make([]any, len(keys))
	for i := range keys {
		at[keys[i]], args[i] = i, keys[i][:]
	}
	rows, err := c.db.QueryContext(ctx, "SELECT key, vector FROM vectors WHERE key IN (?"+
		strings.Repeat(", ?", len(keys)-1)+")", args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key, data sql.RawBytes
		if err := rows.Scan(&key, &data); err != nil {
			return err
		}
		if i, ok := at[digest.Sum(key)]; ok {
			found[i] = floats(data)
		}
	}
	return rows.Err()
}

// floats reads a vector behind its digest; nil: it is damaged.
func floats(data []byte) []float32 {
	sum, values := digest.Sum{}, data
	if len(data) <= len(sum) || len(data)%4 != 0 {
		return nil
	}
	values = data[copy(sum[:], data):]
	if digest.Of(values) != sum {
		return nil
	}
	out := make([]float32, len(values)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(values[4*i:]))
		if out[i]-out[i] != 0 { // not finite: no encoder made it
			return nil
		}
	}
	return out
}

// Put keeps the vectors of some keys: found[i] of keys[i], for each i of some.
func (c *File) Put(ctx context.Context, keys []digest.Sum, some []int, found [][]float32) error {
	if c == nil || c.frozen {
		return nil
	}
	return c.explain(c.write(ctx, keys, some, found))
}

func (c *File) write(ctx context.Context, keys []digest.Sum, some []int, found [][]float32) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, i := range some {
		values := make([]byte, 0, 4*len(found[i]))
		for _, v := range found[i] {
			values = binary.LittleEndian.AppendUint32(values, math.Float32bits(v))
		}
		sum := digest.Of(values)
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO vectors VALUES (?, ?)", keys[i][:],
			append(sum[:], values...)); err != nil {
			return err
		}
	}
	return tx.Commit()
}
