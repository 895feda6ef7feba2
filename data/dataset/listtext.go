package dataset

import (
	"bufio"
	"crypto/sha256"
	"io"
)

// quotingLists returns the same input with lists of numbers in quotes. Where rows are compared by
// texts or lists, the fingerprint is that of the input in this form, as in the first edition, so
// that projects of it find their data unchanged.
func (s *source) quotingLists(printed bool) *source {
	var from io.Reader = &inOrder{of: s}
	if s.file == nil {
		from = s.readFrom(0)
		s.head = nil
	}
	from = newListText(from)
	if printed {
		s.quoted = sha256.New()
		from = io.TeeReader(from, s.quoted)
		s.rest = from
	}
	return &source{name: s.name, stream: from}
}

// inOrder reads a plain file from front to back, into its fingerprint.
type inOrder struct{ of *source }

func (r *inOrder) Read(p []byte) (int, error) {
	n, err := r.of.file.ReadAt(p, r.of.hashed)
	r.of.addHash(p[:n])
	r.of.advance(n)
	if n > 0 {
		err = nil // it comes again
	}
	return n, err
}

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
const longestList = maxRecord

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
