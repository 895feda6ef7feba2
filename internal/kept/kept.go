// Package kept keeps what is made of data in a file, so that it is not made again: vectors of
// texts, and thumbnails of pictures.
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
	"time"

	"modernc.org/sqlite"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/internal/sqlitefault"
)

// File keeps bytes by a digest of all that they depend on, as of an encoder, the prompt and the
// text. The data themselves are not in it. It is safe for many goroutines and processes; nil keeps
// nothing.
type File struct {
	db     *sql.DB
	of     content
	path   string
	frozen bool // nothing can be written
}

// content is what a file keeps.
type content struct {
	id    int           // marks the file: its application_id in SQLite
	what  string        // also the name of the table
	each  string        // the name of its column
	fix   string        // of a file of something else
	again string        // what happens once the file is removed
	page  int           // bytes of a page of a new file, by which what is kept takes few or one
	wait  time.Duration // for others that use the file
}

// vectors are what files of encoders keep.
func vectors() content {
	return content{0x6b766563, "vectors", "vector", "name another by --encoder-cache",
		"the texts will be encoded again", 32768, 10 * time.Second} // "kvec"
}

// thumbnails are what files of albums keep.
func thumbnails() content {
	return content{0x6b74686d, "thumbnails", "thumbnail",
		"move it away: thumbnails are kept under its name",
		"the thumbnails will be made again", 4096, time.Second} // "kthm"
}

// Open opens a file of vectors, which is made where there is none, for its owner alone. From a file
// that may only be read vectors are taken all the same. A file of something else is a
// [*fault.Input].
func Open(ctx context.Context, path string) (*File, error) { return open(ctx, path, vectors()) }

// OpenThumbnails is [Open] for a file of thumbnails.
func OpenThumbnails(ctx context.Context, path string) (*File, error) {
	return open(ctx, path, thumbnails())
}

func open(ctx context.Context, path string, of content) (*File, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, &fault.Input{File: path, Problem: "is no ordinary file",
			Fix: "name another for the " + of.what}
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
	c, err := connect(ctx, path, of, false)
	if kind, ok := sqlitefault.Kind(err); ok && kind == fault.Unwritable {
		return connect(ctx, path, of, true)
	}
	return c, err
}

// held is for how long SQLite waits for others that use a file; it does not end when a context does.
const held = 100 * time.Millisecond

// patiently does what others that use the file are in the way of again, until they have let go of it
// or the time for them is over.
func (c *File) patiently(ctx context.Context, do func() error) error {
	for begun := time.Now(); ; {
		err := do()
		kind, _ := sqlitefault.Kind(err)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case kind != fault.InUse || time.Since(begun) >= c.of.wait:
			return c.explain(err)
		}
	}
}

// connect opens a file that is there; frozen: to read it alone.
func connect(ctx context.Context, path string, of content, frozen bool) (*File, error) {
	c := &File{path: path, of: of, frozen: frozen}
	q := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", held.Milliseconds()),
		"trusted_schema(0)", fmt.Sprintf("page_size(%d)", of.page)}}
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
	if err := c.patiently(ctx, func() error { return c.prepare(ctx) }); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// prepare marks a new file, and refuses one of something else.
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
	if id == c.of.id && c.frozen {
		return nil
	}
	if id == c.of.id { // SQLite reads a file that it may not write, and says so at the first change
		_, err := tx.ExecContext(ctx, "DELETE FROM "+c.of.what+" WHERE 0")
		return err
	}
	if c.frozen || objects > 0 || id != 0 {
		return &fault.Input{File: c.path,
			Problem: "is no file of " + c.of.what + " that kindred keeps", Fix: c.of.fix}
	}
	for _, statement := range []string{fmt.Sprintf("PRAGMA application_id = %d", c.of.id),
		"CREATE TABLE " + c.of.what + " (key BLOB PRIMARY KEY, " + c.of.each +
			" BLOB NOT NULL) WITHOUT ROWID"} {
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
	kind, ok := sqlitefault.KindAt(c.path, err)
	switch {
	case kind == fault.Damaged:
		return &fault.Input{File: c.path, Problem: "the kept " + c.of.what + " are damaged",
			Fix: "remove it: " + c.of.again, Err: err}
	case kind == fault.InUse:
		return &fault.Input{File: c.path, Problem: "the kept " + c.of.what + " are in use elsewhere",
			Fix: "try again, or " + c.of.fix, Err: err}
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
	return c.Load(ctx, keys, func(i int, data []byte) { found[i] = floats(data) })
}

// Load calls take with the index of each key of which something is kept whole, and what that is,
// which take may not hold on to.
func (c *File) Load(ctx context.Context, keys []digest.Sum, take func(i int, data []byte)) error {
	if c == nil {
		return nil
	}
	for lo := 0; lo < len(keys); lo += some {
		err := c.patiently(ctx, func() error {
			return c.part(ctx, keys[lo:min(len(keys), lo+some)],
				func(i int, data []byte) { take(lo+i, data) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *File) part(ctx context.Context, keys []digest.Sum, take func(i int, data []byte)) error {
	at := make(map[digest.Sum]int, len(keys))
	args := make([]any, len(keys))
	for i := range keys {
		at[keys[i]], args[i] = i, keys[i][:]
	}
	rows, err := c.db.QueryContext(ctx, "SELECT * FROM "+c.of.what+" WHERE key IN (?"+
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
		if len(key) != len(digest.Sum{}) { // a view may hold anything
			continue
		}
		i, ok := at[digest.Sum(key)]
		if data, whole := opened(data); ok && whole {
			take(i, data)
		}
	}
	return rows.Err()
}

// opened returns what lies behind its digest, and reports whether it is whole.
func opened(data []byte) ([]byte, bool) {
	var sum digest.Sum
	if len(data) <= len(sum) {
		return nil, false
	}
	data = data[copy(sum[:], data):]
	return data, digest.Of(data) == sum
}

// floats reads a vector; nil: it is none.
func floats(data []byte) []float32 {
	if len(data)%4 != 0 {
		return nil
	}
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if out[i]-out[i] != 0 { // not finite: no encoder made it
			return nil
		}
	}
	return out
}

// Put keeps the vectors of some keys: found[i] of keys[i], for each i of some.
func (c *File) Put(ctx context.Context, keys []digest.Sum, some []int, found [][]float32) error {
	return c.Store(ctx, keys, some, func(i int) []byte {
		values := make([]byte, 0, 4*len(found[i]))
		for _, v := range found[i] {
			values = binary.LittleEndian.AppendUint32(values, math.Float32bits(v))
		}
		return values
	})
}

// Store keeps data(i), of at least a byte, of keys[i], for each i of some: all of it, or nothing.
func (c *File) Store(ctx context.Context, keys []digest.Sum, some []int,
	data func(i int) []byte) error {
	if c == nil || c.frozen {
		return nil
	}
	return c.write(ctx, func(tx *sql.Tx) error {
		for _, i := range some {
			values := data(i)
			sum := digest.Of(values)
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO "+c.of.what+" VALUES (?, ?)",
				keys[i][:], append(sum[:], values...)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Keep removes what is kept of other keys than those given, and returns which of these are there.
func (c *File) Keep(ctx context.Context, keys map[digest.Sum]bool) (there map[digest.Sum]bool,
	err error) {
	var gone [][]byte
	err = c.patiently(ctx, func() error {
		there, gone, err = c.sorted(ctx, keys)
		return err
	})
	if err != nil || len(gone) == 0 || c.frozen {
		return there, err
	}
	return there, c.write(ctx, func(tx *sql.Tx) error {
		for _, key := range gone {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+c.of.what+" WHERE key = ?",
				key); err != nil {
				return err
			}
		}
		return nil
	})
}

// sorted returns which keys are there, and which others.
func (c *File) sorted(ctx context.Context, keys map[digest.Sum]bool) (there map[digest.Sum]bool,
	others [][]byte, err error) {
	rows, err := c.db.QueryContext(ctx, "SELECT key FROM "+c.of.what)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	there = map[digest.Sum]bool{}
	for rows.Next() {
		var key []byte
		if err := rows.Scan(&key); err != nil {
			return nil, nil, err
		}
		if len(key) == len(digest.Sum{}) && keys[digest.Sum(key)] {
			there[digest.Sum(key)] = true
		} else {
			others = append(others, key)
		}
	}
	return there, others, rows.Err()
}

// Frozen reports whether nothing can be written.
func (c *File) Frozen() bool { return c != nil && c.frozen }

// Size returns how many bytes of the file are in use.
func (c *File) Size(ctx context.Context) (bytes int64, err error) {
	err = c.patiently(ctx, func() error {
		return c.db.QueryRowContext(ctx, "SELECT (page_count - freelist_count) * page_size FROM "+
			"pragma_page_count, pragma_freelist_count, pragma_page_size").Scan(&bytes)
	})
	return bytes, err
}

// write changes the file, or leaves it as it was. It may call change again.
func (c *File) write(ctx context.Context, change func(tx *sql.Tx) error) error {
	return c.patiently(ctx, func() error {
		tx, err := c.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := change(tx); err != nil {
			return err
		}
		return tx.Commit()
	})
}
