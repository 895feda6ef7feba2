package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
)

// listText puts lists of numbers in JSON lines into double quotes, so that they are read as texts. All else passes unchanged,
// lists of anything else too, which are then refused with their place.
type listText struct {
	in      *bufio.Reader
	ready   []byte // to be read
	text    bool   // within a string
	escaped bool   // after a backslash there
}

func newListText(r io.Reader) *listText { return &listText{in: bufio.NewReaderSize(r, 1<<16)} }

// longestList bounds what is held of one list.
const longestList = 64 << 20

func (l *listText) Read(p []byte) (int, error) {
	for len(l.ready) == 0 {
		if err := l.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, l.ready)
	l.ready = l.ready[n:]
	return n, nil
}

// fill takes what is buffered, up to the next list, or that list.
func (l *listText) fill() error {
	if _, err := l.in.Peek(1); err != nil {
		return err
	}
	buffered, _ := l.in.Peek(l.in.Buffered()) // what is there is there
	n := 0
	for ; n < len(buffered); n++ {
		b := buffered[n]
		switch {
		case b == '\n' || b == '\r': // a string ends with its line at the latest
			l.text, l.escaped = false, false
		case !l.text && b == '[':
			if n == 0 {
				return l.list()
			}
			l.take(buffered[:n])
			return nil
		case l.escaped:
			l.escaped = false
		case l.text && b == '\\':
			l.escaped = true
		case b == '"':
			l.text = !l.text
		}
	}
	l.take(buffered)
	return nil
}

func (l *listText) take(b []byte) {
	l.ready = append(l.ready[:0], b...)
	l.in.Discard(len(b)) // which is buffered
}

// list takes a list, in quotes when it is one of numbers.
func (l *listText) list() error {
	l.ready = append(l.ready[:0], '"')
	for len(l.ready) < longestList {
		b, err := l.in.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		l.ready = append(l.ready, b)
		switch {
		case b == ']':
			l.ready = append(l.ready, '"')
			return nil
		case len(l.ready) == 2: // the bracket
		case b >= '0' && b <= '9', b == ' ', b == ',', b == '.', b == '-', b == '+', b == 'e', b == 'E', b == '\t':
		default:
			l.in.UnreadByte() // it was just read
			l.ready = l.ready[1 : len(l.ready)-1]
			return nil
		}
	}
	l.ready = l.ready[1:]
	return nil
}

// readLists reads JSON lines that hold lists of numbers, as texts.
func readLists(ctx context.Context, path string, o dataset.ReadOptions) (*dataset.Table, error) {
	r, done, err := openUnpacked(path)
	if err != nil {
		return nil, err
	}
	defer done()
	o.Format = dataset.FormatJSONL
	return dataset.ReadStream(ctx, newListText(r), path, o)
}

// openUnpacked opens a file, and undoes the packing that its name tells.
func openUnpacked(path string) (r io.Reader, done func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, &fault.Input{File: path, Problem: "the file cannot be opened", Mend: "see that it may be read", Err: err}
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gz":
		z, zerr := gzip.NewReader(f)
		if err = zerr; err == nil {
			return z, func() { z.Close(); f.Close() }, nil
		}
	case ".zst":
		z, zerr := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<28))
		if err = zerr; err == nil {
			return z, func() { z.Close(); f.Close() }, nil
		}
	default:
		return f, func() { f.Close() }, nil
	}
	f.Close()
	return nil, nil, &fault.Input{File: path, Problem: fmt.Sprintf("it cannot be unpacked (%v)", err), Mend: "pack it again, or give the file its right name", Err: err}
}

// hasLists tells whether a file may hold lists: JSON lines, by name or by flag, of which one column is compared.
func (s *source) hasLists(path string) bool {
	if s.series == "" && s.text == "" {
		return false
	}
	name := strings.ToLower(path)
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	return s.format == string(dataset.FormatJSONL) || s.format == "" && (strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson"))
}
