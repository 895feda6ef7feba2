package lines

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/stream"
)

// Source is a [stream.Source] of the lines of a file or pipe, plain or packed by gzip or zstd. It
// is made by [Open] or [From]; then [Source.WarmUp] finds the layout, or [Source.Resume] takes
// it. What is read ahead is bounded: a pipe's writer waits while the rows are not taken.
type Source struct {
	name  string
	file  *os.File // nil: a pipe of the caller's
	again bool     // the input can be read again: a regular file

	reader *reader
	from   io.Reader
	hold   []byte // memory of text
	text   []byte // read and not yet decoded
	whole  bool   // nothing follows text
	asked  bool   // the decoder has seen text and needs more
	leave  bool   // a last line without its end is left
	left   bool   // there was one
	failed error

	decoder *Decoder
	offset  int64 // of the input, unpacked: where text begins
	long    int64 // where the line began that the decoder passes over
	stop    chan struct{}
	once    sync.Once
	waits   int // for a read under way once the reading is to end
}

var _ stream.Source = (*Source)(nil)

// Open opens a file. A file that is not there is a *fault.Input. A named pipe is opened by the
// first read, which may wait for somebody to write to it.
func Open(path string) (*Source, error) {
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return From(&namedPipe{path: path}, path), nil
	}
	f, err := infile.Open(path, "a table")
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	s := From(f, path)
	s.file, s.again = f, info.Mode().IsRegular()
	return s, nil
}

// namedPipe is opened by the first read.
type namedPipe struct {
	path string
	file *os.File
}

func (p *namedPipe) Read(buffer []byte) (n int, err error) {
	if p.file == nil {
		if p.file, err = os.Open(p.path); err != nil {
			return 0, fault.Reading(p.path, err)
		}
	}
	return p.file.Read(buffer)
}

func (p *namedPipe) close() {
	if p.file != nil {
		p.file.Close()
	}
}

// From takes a pipe, such as stdin, which messages call name. It is not closed.
func From(r io.Reader, name string) *Source {
	return &Source{name: name, from: r, stop: make(chan struct{}), waits: lastReads}
}

// LeaveUnfinished declares that another run will go on where this one ends: the last line of a file
// that is not packed is left to it while it has no line end, for more of the line may come.
// Position is then before the line, and Notes mentions it.
func (s *Source) LeaveUnfinished() { s.leave = true }

// unfinished reports whether the end of text is left for the next run.
func (s *Source) unfinished() bool {
	if !s.leave || !s.whole || !s.again {
		return false
	}
	within := s.decoder != nil && s.decoder.discard ||
		len(s.text) > 0 && !isLineEnd(s.text[len(s.text)-1])
	return within && infile.Compression(s.head(4)) == "" && s.reader.charset == ""
}

// head returns the first bytes of a file, at most n.
func (s *Source) head(n int64) []byte {
	head := make([]byte, n)
	got, _ := s.file.ReadAt(head, 0) // what cannot be read shows where it is needed
	return head[:got]
}

// Resume goes on at a position with the layout that was found before. A file is read from there on.
// A pipe is taken as the continuation of what was read before, unless replayed reports that it
// begins again at its first row. Columns other than those of the layout, and a file that is too
// short, are a *fault.Input, here or from Fill.
func (s *Source) Resume(layout stream.Layout, at stream.Position, replayed bool) error {
	var err error
	if s.decoder, err = NewDecoder(s.name, layout, at.Rows); err != nil {
		return err
	}
	s.offset = at.Offset
	charset := charsetOf(layout)
	switch {
	case !s.again && !replayed:
		s.text = bytes.Clone(at.Rest)
		if len(at.Rest) == 0 {
			s.decoder.expectFront()
		}
		s.reader = newReader(s.name, s.from, 0, s.stop, charset)
	case at.Offset == 0:
		s.decoder.expectFront()
		s.reader = newReader(s.name, s.from, 0, s.stop, charset)
	case s.again:
		return s.seek(layout, at)
	default:
		s.reader = newReader(s.name, s.from, at.Offset, s.stop, charset)
	}
	return nil
}

// charsetOf returns the encoding of a text by its layout.
func charsetOf(layout stream.Layout) string { return cmp.Or(layout.Charset, "utf-8") }

// seek goes to a position in a file, once the header has been compared.
func (s *Source) seek(layout stream.Layout, at stream.Position) error {
	head, charset := s.head(min(at.Offset, MaxLine)), charsetOf(layout)
	if infile.Compression(head) != "" || layout.Charset != "" {
		s.reader = newReader(s.name, s.from, at.Offset, s.stop, charset)
		return nil
	}
	look, err := NewDecoder(s.name, layout, 0)
	if err != nil {
		return err
	}
	look.expectFront()
	if look.Decode(head, false, &stream.Block{}, 1); look.fault() != nil {
		return look.fault()
	}
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < at.Offset {
		return fault.Inputf("give the same data, or begin anew without the state",
			"is shorter than what was read of it before").In(s.name)
	}
	end := make([]byte, 2)
	n, err := s.file.ReadAt(end, at.Offset-1)
	if err != nil && err != io.EOF {
		return err
	}
	if end = end[:n]; n == 2 && !isLineEnd(end[0]) && !isLineEnd(end[1]) {
		return fault.Inputf(
			"give the same data, only with rows added, or begin anew without the state",
			"has no line end where the rows that were read before ended").In(s.name)
	}
	if _, err := s.file.Seek(at.Offset, io.SeekStart); err != nil {
		return err
	}
	s.reader = newReader(s.name, s.file, 0, s.stop, charset)
	return nil
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// Notes returns, after the reading, remarks on the rows: values of categories that
// the layout does not know, rows that were left out for missing values, a last line that was left
// for the next run.
func (s *Source) Notes() []string {
	notes := s.decoder.Notes()
	if s.left {
		notes = append(notes, "the last line has no line end yet: it is left for the next run")
	}
	return notes
}

// Fill implements [stream.Source].
func (s *Source) Fill(ctx context.Context, b *stream.Block) error {
	for {
		if !s.asked && (len(s.text) > 0 || s.whole) && !(s.again && s.stopped()) {
			within := s.decoder.discard
			used := s.decoder.Decode(s.text, s.whole && !s.unfinished(), b, stream.MostRows)
			if err := s.decoder.fault(); err != nil {
				return err
			}
			if s.decoder.discard && !within {
				s.long = s.offset + int64(s.decoder.long)
			}
			s.text, s.offset = s.text[used:], s.offset+int64(used)
			s.asked = b.Len() == 0 && len(b.Notes) == 0
			if !s.asked {
				b.After = s.position()
				return nil
			}
		}
		if s.whole || s.failed != nil || !s.more(ctx) {
			b.After = s.position()
			s.left = s.unfinished() && (s.decoder.discard || len(bytes.TrimSpace(s.text)) > 0)
			if s.failed != nil {
				return s.failed
			}
			if !s.again && !s.whole {
				b.After.Rest = bytes.Clone(s.text)
			}
			return io.EOF
		}
	}
}

// more waits for text; false when there is none, or no more is wanted.
func (s *Source) more(ctx context.Context) bool {
	var c chunk
	if s.stopped() {
		if s.again {
			return false
		}
		var ok bool
		if c, ok = s.taken(); !ok {
			return false
		}
	} else {
		select {
		case c = <-s.reader.chunks:
		case <-s.stop:
			return !s.again // look once more, without waiting long
		case <-ctx.Done():
			s.failed = ctx.Err()
			return false
		}
	}
	switch {
	case c.err == io.EOF:
		s.whole = true
	case c.err != nil:
		s.failed = c.err
		return false
	case c.text == nil:
		return false
	default:
		// what is left of the text lies further back in hold
		s.hold = append(append(s.hold[:0], s.text...), c.text...)
		s.text = s.hold
		s.reader.free <- c.text
		// A line that comes in many small pieces is looked at when it has come, or is too long.
		s.asked = s.asked && bytes.IndexByte(c.text, '\n') < 0 &&
			bytes.IndexByte(c.text, '\r') < 0 && len(s.text) <= MaxLine
		return true
	}
	s.asked = false
	return true
}

// A read of a pipe that is under way once the reading is to end may take 50 ms, which are waited
// for one by one: it may have what nobody can read again, and a process that is stopped meanwhile
// should not lose that.
const (
	lastReads = 10
	lastRead  = 5 * time.Millisecond
)

// taken returns what was taken from a pipe before the reading was to end; false where a read waits
// for what may never come.
func (s *Source) taken() (c chunk, ok bool) {
	for waited := 0; waited < s.waits; {
		select {
		case c = <-s.reader.chunks:
			return c, true
		case <-time.After(lastRead):
			if s.reader.reading.Load() {
				waited++
			}
		}
	}
	return chunk{}, false
}

// position returns the position of the source. Within a line that is too long it is the front of
// the line: whoever goes on there reports the bad row once more, and finds the end of the line.
func (s *Source) position() stream.Position {
	if s.again && s.decoder.discard {
		return stream.Position{Rows: s.decoder.Rows() - 1, Offset: s.long}
	}
	return stream.Position{Rows: s.decoder.Rows(), Offset: s.offset}
}

func (s *Source) stopped() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

// Stop implements [stream.Source].
func (s *Source) Stop() { s.once.Do(func() { close(s.stop) }) }

// Close ends the reading and closes a file that [Open] opened.
func (s *Source) Close() error {
	s.Stop()
	if s.reader != nil {
		s.reader.end()
	}
	if s.file != nil {
		return s.file.Close()
	}
	return nil
}
