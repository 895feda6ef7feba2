package lines

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/kindred-go/kindred/fault"
)

// chunkSize is the bytes read at once, at most.
const chunkSize = 128 << 10

// chunk is what one read returned.
type chunk struct {
	text []byte
	err  error // io.EOF at the end
}

// reader reads ahead of the decoder: a few chunks, and then it waits.
type reader struct {
	name   string
	from   io.Reader
	skip   int64 // bytes to pass over first, after unpacking
	chunks chan chunk
	free   chan []byte
	// once it is closed no other read begins; what was read is still handed on
	halt <-chan struct{}
	quit chan struct{}
	once sync.Once

	reading atomic.Bool // a read is under way, or about to be
}

func newReader(name string, from io.Reader, skip int64, halt <-chan struct{}) *reader {
	r := &reader{name: name, from: from, skip: skip, chunks: make(chan chunk, 2),
		free: make(chan []byte, 3), halt: halt, quit: make(chan struct{})}
	r.reading.Store(true)
	for range cap(r.free) {
		r.free <- make([]byte, chunkSize)
	}
	go r.run()
	return r
}

// end makes the reader stop, once it has returned from a read that is under way.
func (r *reader) end() { r.once.Do(func() { close(r.quit) }) }

func (r *reader) run() {
	defer close(r.chunks)
	if p, ok := r.from.(*namedPipe); ok {
		defer p.close()
	}
	from, done, err := Unpack(bufio.NewReaderSize(r.from, chunkSize))
	if err == nil {
		defer done()
		_, err = io.CopyN(io.Discard, from, r.skip)
		if err == io.EOF {
			err = &fault.Input{File: r.name, Problem: "is shorter than what was read of it before",
				Fix: "give the same data, or begin anew without the state"}
		}
	}
	r.reading.Store(false)
	for err == nil {
		halt := r.halt
		// taken already: nobody else can read it
		if b, plain := from.(*bufio.Reader); plain && b.Buffered() > 0 {
			halt = nil
		}
		var buffer []byte
		select {
		case buffer = <-r.free:
		case <-halt:
			return
		case <-r.quit:
			return
		}
		select {
		case <-halt: // both were ready
			return
		default:
		}
		var n int
		r.reading.Store(true)
		n, err = from.Read(buffer[:cap(buffer)])
		r.reading.Store(false)
		if n == 0 && err == nil {
			r.free <- buffer
			continue
		}
		select {
		case r.chunks <- chunk{text: buffer[:n]}:
		case <-r.quit:
			return
		}
	}
	select {
	case r.chunks <- chunk{err: r.fault(err)}:
	case <-r.quit:
	}
}

// Unpack returns a reader of what is perhaps compressed by gzip or zstd, by its first bytes: b
// itself where it is not. It does not wait for more of them than it needs.
func Unpack(b *bufio.Reader) (from io.Reader, done func(), err error) {
	head, _ := b.Peek(1)
	switch {
	case bytes.HasPrefix(head, []byte("\x1f")):
		if head, _ = b.Peek(2); bytes.Equal(head, []byte("\x1f\x8b")) {
			z, err := gzip.NewReader(b)
			return z, func() {}, err
		}
	case bytes.HasPrefix(head, []byte("\x28")):
		if head, _ = b.Peek(4); bytes.Equal(head, []byte("\x28\xb5\x2f\xfd")) {
			z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1),
				zstd.WithDecoderMaxWindow(512<<20), zstd.WithDecoderLowmem(true))
			if err != nil {
				return nil, nil, err
			}
			return z, z.Close, nil
		}
	}
	return b, func() {}, nil
}

// fault names the input in an error, and distinguishes damaged data from a failure of the machine.
func (r *reader) fault(err error) error {
	var machine *fs.PathError
	var in *fault.Input
	switch {
	case err == io.EOF, errors.As(err, &in), errors.As(err, &machine):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &fault.Input{File: r.name, Problem: "the compressed data end too early",
			Fix: "fetch or pack the file again", Err: err}
	}
	return &fault.Input{File: r.name, Problem: "the compressed data are damaged",
		Fix: "fetch or pack the file again", Err: err}
}
