package dataset

import (
	"context"
	"errors"
	"io"

	"github.com/kindred-go/kindred/internal/memory"
)

// spoolSize is the size of a piece of a spooled stream.
const spoolSize = 256 << 10

// spool holds a stream in memory, for formats that are not read from front to back.
type spool struct {
	pieces [][]byte // all of spoolSize but the last
	size   int64
}

// bytesAt returns the whole input for reading by position: the file itself, or a stream's content,
// which is read to its end.
func (s *source) bytesAt(ctx context.Context) (io.ReaderAt, int64, error) {
	if s.file != nil {
		return forwards{s.file}, s.size, nil
	}
	m := &spool{}
	from := s.readFrom(0)
	s.head = nil
	left := memory.NewBudget()
	for {
		if err := fits(left, s.name, "the bytes read so far", spoolSize); err != nil {
			return nil, 0, err
		}
		left.Take(spoolSize)
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		piece := make([]byte, spoolSize)
		n, err := io.ReadFull(from, piece)
		if n < spoolSize {
			piece = append([]byte(nil), piece[:n]...)
		}
		m.pieces = append(m.pieces, piece)
		m.size += int64(n)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return m, m.size, nil
		}
		if err != nil {
			return nil, 0, s.wrap(err)
		}
	}
}

// ReadAt implements io.ReaderAt.
func (m *spool) ReadAt(p []byte, place int64) (int, error) {
	if place < 0 {
		return 0, errBefore
	}
	n := 0
	for n < len(p) && place < m.size {
		piece := m.pieces[place/spoolSize]
		got := copy(p[n:], piece[place%spoolSize:])
		n += got
		place += int64(got)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// errBefore is the error of a position that a damaged file wants. That of the system would count as
// one of the machine.
var errBefore = errors.New("a position before the beginning")

// forwards reads at positions that are in the file or behind its end.
type forwards struct{ io.ReaderAt }

func (f forwards) ReadAt(p []byte, place int64) (int, error) {
	if place < 0 {
		return 0, errBefore
	}
	return f.ReaderAt.ReadAt(p, place)
}
