package dataset

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"slices"

	"github.com/kindred-go/kindred/internal/infile"
)

// How much of a file ColumnNames reads: a text's front, and whole what is small and cannot be cut.
const (
	frontBytes = 256 << 10
	wholeBytes = 8 << 20
)

// ColumnNames returns the names of the columns of the table in the file at path, as [Read] names
// them, without reading the table: of a text it looks at the first rows, of Parquet at the schema.
// Of other files it names those of up to 8 MiB alone; nil where there are none to name.
func ColumnNames(ctx context.Context, path string, o ReadOptions) ([]string, error) {
	f, err := infile.OpenBy(ctx, os.Open, path, "a table")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	in := bufio.NewReader(f)
	magic, _ := in.Peek(8) // what cannot be read fails below
	kind := infile.Compression(magic)
	plain, done, err := infile.Unpack(in, kind, func(err error) error { return err })
	if err != nil {
		return nil, err
	}
	defer done()
	s := &source{name: path, stream: plain}
	format, _, err := findFormat(s, o)
	switch {
	case err != nil:
		return nil, err
	case format == FormatParquet && kind == "":
		return parquetNames(part{path, f, info.Size()}, o)
	case !byPosition(format):
		return frontNames(ctx, s, format, o)
	case info.Size() > wholeBytes:
		return nil, nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	t, err := ReadFile(ctx, f, path, o)
	return t.columnNames(), err
}

// frontNames returns the names of columns by the whole lines at the front of a text.
func frontNames(ctx context.Context, s *source, format Format, o ReadOptions) ([]string, error) {
	head, over, err := s.peek(frontBytes)
	if err != nil {
		return nil, err
	}
	if !over {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	o.Format = format
	t, err := readSource(ctx, &source{name: s.name, head: slices.Clone(head), over: true,
		stream: bytes.NewReader(nil), raw: infile.NewReader(ctx, bytes.NewReader(nil), 0, nil)}, o)
	return t.columnNames(), err
}

// parquetNames returns the names of columns by the schema.
func parquetNames(in part, o ReadOptions) ([]string, error) {
	r, err := openParquet(in, o)
	if err != nil {
		return nil, err
	}
	if err := r.follow(r); err != nil {
		return nil, err
	}
	var names []string
	for _, l := range r.leaves {
		names = append(names, l.Name)
	}
	return names, nil
}

// columnNames returns the names of the columns of a table; nil where t is nil.
func (t *Table) columnNames() []string {
	if t == nil {
		return nil
	}
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}
