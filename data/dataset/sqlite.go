package dataset

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	"modernc.org/sqlite/vfs"

	"github.com/kindred-go/kindred/fault"
)

// readSQLite reads a table or a query of a SQLite database, by position and for reading alone: no
// other file can be attached, and no extension loaded. Its log is part of what src reads.
func readSQLite(ctx context.Context, src *source, t *Table, o ReadOptions) (err error) {
	if err := checkQuery(src.name, o); err != nil {
		return err
	}
	in, size, err := src.bytesAt(ctx)
	if err != nil {
		return err
	}
	head := make([]byte, 100)
	if n, err := in.ReadAt(head, 0); n < len(head) {
		return damaged(src.name, "SQLite database", early(err))
	}
	name, files, err := vfs.New(oneFile{&endingReader{ctx, in}, size})
	if err != nil {
		return err
	}
	defer files.Close()
	db, err := sql.Open("sqlite", "file:data.db?mode=ro&immutable=1&vfs="+name+
		"&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=temp_store(2)")
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return sqliteFault(src.name, err)
	}
	defer conn.Close()
	if err := limitSQLite(conn); err != nil {
		return err
	}
	ctx, stop := watchSQLite(ctx, src.name, size)
	defer stop()
	defer func() {
		if heavy, ok := errors.AsType[*fault.Input](context.Cause(ctx)); ok && err != nil {
			err = heavy
		}
	}()
	query, note, err := sqliteQuery(ctx, src.name, conn, t, o)
	if err != nil {
		return sqliteFault(src.name, err)
	}
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return sqliteFault(src.name, err)
	}
	defer rows.Close()
	r := &sqliteRows{name: src.name, rows: rows,
		allowance: newAllowance(src.name, max(o.inflateLimit(), 64*size))}
	cells, err := r.records()
	if err != nil {
		return sqliteFault(src.name, err)
	}
	if err := readRecords(ctx, src.name, t, cells, o); err != nil {
		return sqliteFault(src.name, err)
	}
	if note != "" {
		t.Notes = append(t.Notes, note)
	}
	if head[18] == 2 && src.file == nil {
		t.Notes = append(t.Notes, "the database keeps a log (WAL): what was not yet written from "+
			"it into the file is not seen")
	}
	return nil
}

// early turns the end of a file, or none, into an unexpected one.
func early(err error) error {
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// sqliteQuery returns the statement to read: the query, or the rows of the table that is named or
// the only one.
func sqliteQuery(ctx context.Context, file string, conn *sql.Conn, t *Table,
	o ReadOptions) (query, note string, err error) {
	if o.Query != "" {
		return o.Query, "", nil
	}
	rows, err := conn.QueryContext(ctx, `SELECT name FROM sqlite_schema WHERE type IN ('table', `+
		`'view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY type, name`)
	if err != nil {
		return "", "", err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return "", "", err
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return "", "", err
	}
	name, note, err := chooseTable(file, names, o.Table, t)
	return "SELECT * FROM " + quoteName(name), note, err
}

// sqliteFault reports a damaged database or a wrong query.
func sqliteFault(name string, err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) || fault.IsInput(err) || isMachine(err) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_TOOBIG:
		return &fault.Input{File: name, Problem: "a value or row has more than 64 MiB",
			Fix: "leave its column out (--query)", Err: err}
	case sqlite3.SQLITE_NOMEM:
		return &fault.Input{File: name, Problem: "the query takes more memory than there is",
			Fix: "ask for less, or use a machine with more memory", Err: err}
	case sqlite3.SQLITE_ERROR, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_READONLY,
		sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE:
		return &fault.Input{File: name, Problem: "the query fails: " + e.Error(),
			Fix: "correct it; it can only read this database", Err: err}
	case sqlite3.SQLITE_INTERRUPT:
		return context.Canceled
	}
	return &fault.Input{File: name, Problem: "is a damaged SQLite database: " + e.Error(),
		Fix: "fetch or write the file again", Err: err}
}

// sqliteRows reads the rows of a query.
type sqliteRows struct {
	name string
	rows *sql.Rows
	allowance
	values, to []any
	bytes      []bool // columns of bytes
	number     int
	row        record
	buffers    [][]byte
}

func (r *sqliteRows) records() (records, error) {
	types, err := r.rows.ColumnTypes()
	if err != nil {
		return records{}, err
	}
	n := len(types)
	out := records{declared: make([]bool, n), next: r.next}
	r.values, r.to, r.bytes = make([]any, n), make([]any, n), make([]bool, n)
	r.row.cells, r.buffers = make([][]byte, n), make([][]byte, n)
	r.row.typed = make([]bool, n)
	for i, c := range types {
		r.to[i] = &r.values[i]
		s := sampled{name: c.Name()}
		declared := strings.ToUpper(c.DatabaseTypeName())
		switch {
		case declared == "BLOB":
			r.bytes[i] = true
			s.never, s.hidden = "holds bytes", true
		case strings.Contains(declared, "CHAR"), strings.Contains(declared, "TEXT"),
			strings.Contains(declared, "CLOB"):
			out.declared[i] = true
		}
		out.cols = append(out.cols, s)
	}
	return out, nil
}

// next returns the next row.
func (r *sqliteRows) next() (record, error) {
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return record{}, err
		}
		return record{}, io.EOF
	}
	if err := r.rows.Scan(r.to...); err != nil {
		return record{}, err
	}
	r.number++
	r.row.number = r.number
	for i, v := range r.values {
		b := r.buffers[i][:0]
		r.row.typed[i] = false
		switch v := v.(type) {
		case nil:
		case int64:
			b = strconv.AppendInt(b, v, 10)
			r.row.typed[i] = true
		case float64:
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
			r.row.typed[i] = true
		case bool:
			b = strconv.AppendBool(b, v)
		case string:
			b = append(b, strings.TrimSpace(v)...)
		case time.Time:
			b = appendMoment(b, v)
		case []byte:
			if !r.bytes[i] {
				types, _ := r.rows.Columns()
				return record{}, &fault.Input{File: r.name, Row: r.number, Column: types[i],
					Problem: "holds bytes", Fix: "leave the column out of the query"}
			}
			b = append(b, 'b') // they are there, and never shown
		}
		r.buffers[i], r.row.cells[i] = b, b
		r.spend(len(b) + 1)
	}
	return r.row, r.over()
}

// appendMoment appends a time as ISO 8601 has it; a day where it has no time of day.
func appendMoment(dst []byte, t time.Time) []byte {
	if t.Equal(t.Truncate(24*time.Hour)) && t.Location() == time.UTC {
		return t.AppendFormat(dst, "2006-01-02")
	}
	return t.AppendFormat(dst, "2006-01-02T15:04:05.999999999Z07:00")
}

// oneFile is a file system of one file.
type oneFile struct {
	from io.ReaderAt
	size int64
}

// Open implements fs.FS.
func (f oneFile) Open(name string) (fs.File, error) {
	if name != "data.db" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &openedFile{SectionReader: io.NewSectionReader(f.from, 0, f.size)}, nil
}

type openedFile struct{ *io.SectionReader }

func (f *openedFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *openedFile) Close() error               { return nil }
func (f *openedFile) Name() string               { return "data.db" }
func (f *openedFile) Mode() fs.FileMode          { return 0o400 }
func (f *openedFile) ModTime() time.Time         { return time.Time{} }
func (f *openedFile) IsDir() bool                { return false }
func (f *openedFile) Sys() any                   { return nil }
