package infile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// The kinds of compression.
const (
	Gzip = "gzip"
	Zstd = "zstd"
)

// Compression returns the kind of compression that the first bytes of a file show; "" for none.
func Compression(magic []byte) string {
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		return Gzip
	case bytes.HasPrefix(magic, []byte("\x28\xb5\x2f\xfd")):
		return Zstd
	}
	return ""
}

// Compressed returns the kind of compression of what in holds. It does not wait for more of the
// first bytes than it needs.
func Compressed(in *bufio.Reader) string {
	head, _ := in.Peek(1) // an error comes again when it is read
	switch string(head) {
	case "\x1f":
		head, _ = in.Peek(2)
	case "\x28":
		head, _ = in.Peek(4)
	}
	return Compression(head)
}

// NamedCompression returns the kind of compression that the extension of a file states; "" for
// none.
func NamedCompression(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		return Gzip
	case ".zst":
		return Zstd
	}
	return ""
}

// MostInflated bounds what so many bytes of a kind of compression can inflate to, which the formats
// limit: gzip has 258 bytes to two bits, zstd a block of 128 KiB to a repeated byte and its header.
func MostInflated(kind string, packed int64) int64 {
	const margin = 1 << 16 // what is stated of small data is small
	switch kind {
	case Gzip:
		return 1032*packed + margin
	case Zstd:
		return 32<<10*packed + margin
	}
	return packed
}

// maxWindow bounds the memory that a zstd frame may ask for. zstd itself writes windows of up to
// 128 MiB unless it is told otherwise.
const maxWindow = 256 << 20

// Unpack returns a reader of what in holds, which is compressed by the kind, or plain for "".
// Errors of damaged data pass through damaged; those of the file system and of contexts do not. The
// caller calls done at the end.
func Unpack(in *bufio.Reader, kind string, damaged func(error) error) (plain io.Reader,
	done func(), err error) {
	u := &unpacker{damaged: damaged}
	switch kind {
	case Gzip:
		if u.from, err = newGzipReader(in); err != nil {
			return nil, nil, u.explain(err)
		}
		return u, func() {}, nil
	case Zstd:
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, nil, u.explain(err)
		}
		u.from = z
		return u, z.Close, nil
	}
	return in, func() {}, nil
}

// CutOff returns the problem of data compressed by kind that end too early; nil where err is another
// error.
func CutOff(kind string, err error) *fault.Input {
	if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil
	}
	return &fault.Input{Problem: "the " + kind + " data ends too early",
		Fix: "fetch or pack the file again", Err: err}
}

// unpacker explains errors in compressed data.
type unpacker struct {
	from    io.Reader
	damaged func(error) error
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	if err != nil && err != io.EOF {
		err = u.explain(err)
	}
	return n, err
}

func (u *unpacker) explain(err error) error {
	var machine *fs.PathError
	if errors.As(err, &machine) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return u.damaged(err)
}

// gzipReader inflates one or more gzip members. Zeros after a member are padding, as archives from
// tapes and disks have it.
type gzipReader struct {
	from *bufio.Reader
	z    *gzip.Reader
}

func newGzipReader(from *bufio.Reader) (*gzipReader, error) {
	z, err := gzip.NewReader(from)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gzipReader{from, z}, nil
}

func (r *gzipReader) Read(p []byte) (int, error) {
	n, err := r.z.Read(p)
	if err != io.EOF {
		return n, err
	}
	for {
		c, err := r.from.ReadByte()
		if err != nil { // io.EOF when that was the last member
			return n, err
		}
		if c != 0 {
			break
		}
	}
	if err := r.from.UnreadByte(); err != nil {
		return n, err
	}
	if err := r.z.Reset(r.from); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return n, err
	}
	r.z.Multistream(false)
	return n, nil
}
