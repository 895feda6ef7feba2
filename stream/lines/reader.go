package lines

import (
	"bufio"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"golang.org/x/text/transform"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
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
	// encoding of the text, as dataset.FindEncoding names it: before the first chunk that to read,
	// "" for one to be found, and then that found, "" for UTF-8
	charset string
	quit    chan struct{}
	once    sync.Once

	reading atomic.Bool // a read is under way, or about to be
}

func newReader(name string, from io.Reader, skip int64, halt <-chan struct{},
	charset string) *reader {
	r := &reader{name: name, from: from, skip: skip, charset: charset, chunks: make(chan chunk, 2),
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
	in := bufio.NewReaderSize(r.from, chunkSize)
	var ahead *bufio.Reader // what was read and not yet handed on
	from, done, err := infile.Unpack(in, infile.Compressed(in), r.damaged)
	if err == nil {
		defer done()
		if from, ahead, err = r.decoded(from); err == nil {
			_, err = io.CopyN(io.Discard, from, r.skip)
		}
		if err == io.EOF {
			err = fault.Inputf("give the same data, or begin anew without the state",
				"is shorter than what was read of it before").In(r.name)
		}
	}
	r.reading.Store(false)
	for err == nil {
		halt := r.halt
		// taken already: nobody else can read it
		if ahead.Buffered() > 0 {
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
	case r.chunks <- chunk{err: err}:
	case <-r.quit:
	}
}

// damaged explains an error in compressed data.
func (r *reader) damaged(err error) error {
	problem := "the compressed data are damaged"
	if errors.Is(err, io.ErrUnexpectedEOF) {
		problem = "the compressed data end too early"
	}
	return &fault.Input{File: r.name, Problem: problem, Fix: "fetch or pack the file again",
		Err: err}
}

// decoded returns the text in UTF-8, and the reader that it takes from. Its encoding is found from
// what comes with the first bytes, without waiting for more.
func (r *reader) decoded(from io.Reader) (io.Reader, *bufio.Reader, error) {
	in, ok := from.(*bufio.Reader)
	if !ok {
		in = bufio.NewReaderSize(from, chunkSize)
	}
	_, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return in, in, nil // which the next read reports
	}
	head, _ := in.Peek(in.Buffered()) // what is there is there
	code, name, failed := dataset.FindEncoding(head, err == io.EOF, r.charset)
	if r.charset = name; failed != nil || code == nil {
		return in, in, failed
	}
	return transform.NewReader(in, code.NewDecoder()), in, nil
}
