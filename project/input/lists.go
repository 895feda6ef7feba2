package input

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
)

// listText puts lists of numbers in JSON lines into double quotes, so that they are read as texts.
// All else passes unchanged, lists of anything else too, which are then refused with their place.
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
		case b >= '0' && b <= '9', b == ' ', b == ',', b == '.', b == '-', b == '+', b == 'e',
			b == 'E', b == '\t':
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
func readLists(ctx context.Context, r io.Reader, name string,
	o dataset.ReadOptions) (*dataset.Table, error) {
	r, packed, done, err := Unpacked(r, name)
	if err != nil {
		return nil, err
	}
	defer done()
	o.Format = dataset.FormatJSONL
	called := name
	if packed { // as its ending would speak of bytes that are plain by now
		called = withoutPacking(name)
	}
	t, err := dataset.ReadStream(ctx, newListText(r), called, o)
	var in *fault.Input
	if errors.As(err, &in) && in.File == called {
		in.File = name
	}
	if err != nil {
		return nil, err
	}
	t.Name = name
	return t, nil
}

// Unpacked undoes the compression that the first bytes of r show, if any. The caller calls done at
// the end.
func Unpacked(r io.Reader, name string) (plain io.Reader, packed bool, done func(), err error) {
	b := bufio.NewReaderSize(r, 1<<16)
	kind := infile.Compressed(b)
	plain, done, err = infile.Unpack(b, kind, func(err error) error {
		return &fault.Input{File: name, Problem: fmt.Sprintf("cannot be unpacked (%v)", err),
			Fix: "pack it again", Err: err}
	})
	return plain, kind != "", done, err
}

// withoutPacking takes the ending of a packed file off its name.
func withoutPacking(name string) string {
	if infile.NamedCompression(name) != "" {
		return strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

// hasLists reports whether a file may hold lists: JSON lines, by name or by flag, of which one
// column is compared.
func (s *Source) hasLists(path string) bool {
	if s.Series == "" && s.Text == "" && !s.AsTexts {
		return false
	}
	name := strings.ToLower(withoutPacking(path))
	return s.Format == string(dataset.FormatJSONL) ||
		s.Format == "" && (strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson"))
}
