package dataset

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/gzip"
)

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
