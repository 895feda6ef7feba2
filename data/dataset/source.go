package dataset

import (
	"context"
	"encoding/hex"
	"hash"
	"io"
	"strconv"
	"sync"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
)

// source is an input being read: a plain file, read by position, or a stream.
type source struct {
	name string
	head []byte // what has been looked at
	over bool   // head is all there is

	file io.ReaderAt // a plain file; nil for a stream
	size int64       // of file

	parts []part // the files that file is made of, one after the other; nil: it is one

	stream  io.Reader // after decompression, positioned after head
	charset string    // that the text was in, as in Reading.Encoding
	raw     *infile.Reader

	quoted hash.Hash // of the text with its lists in quotes; nil: the raw bytes count
	rest   io.Reader // what of it was not read

	hash     hash.Hash // of a plain file, fed in order by whoever reads it; a stream's is in raw
	hashed   int64
	progress func(done, total int64)
	lock     sync.Mutex
	done     int64
}

// peek returns the first n bytes, fewer when the input is shorter; over reports whether it is.
func (s *source) peek(n int) (head []byte, over bool, err error) {
	if n <= len(s.head) {
		return s.head[:n], s.over && n == len(s.head), nil
	}
	if s.over {
		return s.head, true, nil
	}
	const small = 64 << 10 // so that a short stream takes little memory
	if s.file == nil && n > small && len(s.head) < small {
		if head, over, err := s.peek(small); over || err != nil {
			return head, over, err
		}
	}
	have := len(s.head)
	grown := make([]byte, n)
	copy(grown, s.head)
	var got int
	if s.file != nil {
		got, err = s.file.ReadAt(grown[have:], int64(have))
	} else {
		got, err = io.ReadFull(s.stream, grown[have:])
	}
	s.head = grown[:have+got]
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF: // and not one wrapped in a fault
		s.over = true
		err = nil
	case err != nil:
		return nil, false, s.wrap(err)
	}
	return s.head, s.over, nil
}

// front passes the beginning of a text, without a byte order mark of so many bytes, to look, which
// gets twice as much each time until it is done. A front that is too long is the fault of that
// problem.
func (s *source) front(look func(text []byte, mark int, whole bool) (done bool, err error),
	tooLong fault.Input) error {
	for size := sampleBytes; ; size *= 2 {
		head, whole, err := s.peek(size)
		if err != nil {
			return err
		}
		text, err := csvStart(s.name, head)
		if err != nil {
			return err
		}
		if done, err := look(text, len(head)-len(text), whole); done || err != nil {
			return err
		}
		if size >= maxRecord {
			tooLong.File = s.name
			return &tooLong
		}
	}
}

// readFrom returns a reader of a stream from position start, which must lie in the head.
func (s *source) readFrom(start int) io.Reader {
	return io.MultiReader(&sliceReader{s.head[start:]}, s.stream)
}

// sliceReader reads a slice and lets go of it.
type sliceReader struct{ rest []byte }

func (r *sliceReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		r.rest = nil
		return 0, io.EOF
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// addHash takes the next bytes of a plain file into the fingerprint.
func (s *source) addHash(b []byte) {
	s.hash.Write(b)
	s.hashed += int64(len(b))
}

// advance reports n more bytes of a plain file as read.
func (s *source) advance(n int) {
	if s.progress == nil {
		return
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.done += int64(n)
	s.progress(min(s.done, s.size), s.size)
}

// fingerprint completes and returns the hash of the raw bytes, or of the text with its lists in
// quotes; of a plain file, those after the last ones read are read now.
func (s *source) fingerprint(ctx context.Context) (string, error) {
	h := s.hash
	var rest io.Reader
	switch {
	case s.quoted != nil:
		h, rest = s.quoted, s.rest
	case s.file != nil:
		rest = io.NewSectionReader(s.file, s.hashed, s.size-s.hashed)
	default:
		h, rest = s.raw.Hash, s.raw
	}
	buffer := make([]byte, 256<<10)
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := rest.Read(buffer)
		if s.file != nil && s.quoted == nil {
			h.Write(buffer[:n])
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", s.wrap(err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashAhead computes the fingerprint of a plain file while others read it, and returns a function
// that waits for it. What is read by both comes from the disk once.
func (s *source) hashAhead(ctx context.Context) func() (string, error) {
	wait := sync.OnceValues(func() (string, error) { return s.fingerprint(ctx) })
	go wait()
	return wait
}

// wrap names the input in an error of reading it.
func (s *source) wrap(err error) error { return infile.Failure(s.name, err) }

// limitReader fails after more than limit bytes.
type limitReader struct {
	from        io.Reader
	name        string
	left, limit int64
}

func (r *limitReader) Read(p []byte) (int, error) {
	if int64(len(p))-1 > r.left { // r.left+1 could be beyond int64
		p = p[:r.left+1]
	}
	n, err := r.from.Read(p)
	if r.left -= int64(n); r.left < 0 {
		return 0, &fault.Input{File: r.name,
			Problem: "inflates to more than " + strconv.FormatInt(r.limit, 10) + " bytes",
			Fix:     "unpack it to a file first, or raise --inflate-limit if the input can be trusted"}
	}
	return n, err
}
