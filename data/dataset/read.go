package dataset

import (
	"bufio"
	"context"
	"crypto/sha256"
	"io"
	"os"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
)

// Read reads the table in the file at path, in any format, plain, gzip'ed or zstd-compressed.
//
// In the text formats the types of columns are decided by the first 1000 rows (as far as they lie
// within the first MiB): more than half numbers among the values present makes a number, and then
// anything else in that column, wherever it is, is a fault; words for true and false alone make a
// boolean; dates or times alone a time; few different texts a category; many a text. Whole numbers
// of which one begins with a zero are codes, and so texts. Nothing, NA, N/A, n.a., null, NaN (in
// any case), ?, #N/A, <NA> and \N mean a missing value, and among numbers, dates and booleans
// dashes, points and the errors of spreadsheets do. What is found besides, the encoding, the layout
// and the forms of numbers and dates, the notes of the table report, and ReadOptions set.
//
// It fails with a [*fault.Input] when the file or an option is wrong.
func Read(ctx context.Context, path string, o ReadOptions) (*Table, error) {
	f, err := infile.OpenBy(ctx, os.Open, path, "a table")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadFile(ctx, f, path, o)
}

// ReadFile reads a table as [Read] does from a file that is open already, and which messages call
// path.
func ReadFile(ctx context.Context, f *os.File, path string, o ReadOptions) (*Table, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return ReadStream(ctx, f, path, o)
	}
	var magic [8]byte
	n, err := f.ReadAt(magic[:], 0)
	if err != nil && err != io.EOF {
		return nil, infile.Failure(path, err)
	}
	if infile.Compression(magic[:n]) != "" || infile.NamedCompression(path) != "" {
		return readStream(ctx, f, path, info.Size(), o)
	}
	s := &source{name: path, file: f, size: info.Size(), hash: sha256.New(), progress: o.Progress}
	return readSource(ctx, s, o)
}

// ReadStream reads a table from a stream, such as standard input. name is what messages call it
// ("" and "-" become "stdin"); a known extension decides the format, else the first bytes do.
// When ctx ends while r blocks, ReadStream returns and leaves that one call of r.Read behind.
func ReadStream(ctx context.Context, r io.Reader, name string, o ReadOptions) (*Table, error) {
	if name == "" || name == "-" {
		name = "stdin"
	}
	return readStream(ctx, r, name, 0, o)
}

// readStream reads what may be compressed; size is that of the raw bytes, or 0.
func readStream(ctx context.Context, r io.Reader, name string, size int64, o ReadOptions) (*Table,
	error) {
	raw := infile.NewReader(ctx, r, size, o.Progress)
	buffered := bufio.NewReaderSize(raw, 256<<10)
	magic, err := buffered.Peek(8)
	if err != nil && err != io.EOF {
		return nil, infile.Failure(name, err)
	}
	s := &source{name: name, raw: raw}
	kind, named := infile.Compression(magic), infile.NamedCompression(name)
	if kind == "" && named != "" && len(magic) > 0 {
		return nil, &fault.Input{File: name,
			Problem: "is not " + named + "-compressed, as its name suggests",
			Fix:     "take the ending off its name"}
	}
	plain, done, err := infile.Unpack(buffered, kind, func(err error) error {
		if in := infile.CutOff(kind, err); in != nil {
			return in.In(name)
		}
		return &fault.Input{File: name, Problem: "the " + kind + " data is damaged",
			Fix: "fetch or pack the file again", Err: err}
	})
	if err != nil {
		return nil, err
	}
	defer done()
	limit := o.inflateLimit()
	s.stream = &limitReader{from: plain, name: name, left: limit, limit: limit}
	return readSource(ctx, s, o)
}

// readSource finds the format, reads the table and completes it.
func readSource(ctx context.Context, s *source, o ReadOptions) (*Table, error) {
	format, note, err := findFormat(s, o)
	if err != nil {
		return nil, err
	}
	t := &Table{Name: s.name, Format: format, idColumn: -1}
	if note != "" {
		t.Notes = append(t.Notes, note)
	}
	if o.Vectors != "" && !format.hasVectors(o.Plain) {
		fix := "give Parquet, Arrow, JSON lines or CSV, or name single numbers with --features"
		if format == FormatNPY || format == FormatNPZ {
			fix = "leave out --vectors, as each row of an array is a vector"
		}
		return nil, &fault.Input{File: s.name,
			Problem: "is " + string(format) + ", which has no columns of vectors", Fix: fix}
	}
	finished := func() error { return nil }
	if format == FormatSQLite {
		note, finish, err := s.takeLog(ctx, o)
		if err != nil {
			return nil, err
		}
		defer finish()
		if finished = finish; note != "" {
			t.Notes = append(t.Notes, note)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	fingerprint := func() (string, error) { return s.fingerprint(ctx) }
	if s.file != nil && byPosition(format) {
		fingerprint = s.hashAhead(ctx)
		defer func() { // the file may be closed only when nobody reads it
			cancel()
			fingerprint()
		}()
	}
	switch format {
	case FormatCSV, FormatTSV:
		err = readCSV(ctx, s, t, o)
	case FormatNPY:
		err = readNPY(ctx, s, t, o)
	case FormatParquet:
		err = readParquet(ctx, s, t, o)
	case FormatARFF:
		err = readARFF(ctx, s, t, o)
	case FormatJSONL:
		err = readJSONL(ctx, s, t, o)
	case FormatXLSX:
		err = readXLSX(ctx, s, t, o)
	case FormatArrow:
		err = readArrow(ctx, s, t, o)
	case FormatNPZ:
		err = readNPZ(ctx, s, t, o)
	case FormatSQLite:
		err = readSQLite(ctx, s, t, o)
	}
	t.charset = s.charset
	if err == nil {
		err = t.finish(ctx, o)
	}
	if err != nil {
		return nil, t.withParts(err)
	}
	if t.Fingerprint, err = fingerprint(); err != nil {
		return nil, err
	}
	if err := finished(); err != nil {
		return nil, err
	}
	if format == FormatSQLite {
		t.Fingerprint = withQuery(t.Fingerprint, o)
	}
	return t, nil
}

// hasVectors reports whether a format has columns of lists, those of texts among them.
func (f Format) hasVectors(plain bool) bool {
	switch f {
	case FormatArrow, FormatParquet, FormatJSONL:
		return true
	case FormatCSV, FormatTSV, FormatXLSX, FormatSQLite:
		return !plain
	}
	return false
}

// byPosition reports whether a format is read by position, so that nobody reads the bytes in order.
func byPosition(f Format) bool {
	switch f {
	case FormatNPY, FormatParquet, FormatXLSX, FormatArrow, FormatNPZ, FormatSQLite:
		return true
	}
	return false
}
