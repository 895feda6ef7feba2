package dataset

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// The layout of a log of SQLite (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
const (
	logMagic     = 0x377f0682 // its last bit is set where checksums are big-endian
	logVersion   = 3007000
	logHeader    = 32
	frameHeader  = 24
	leastPage    = 512
	mostPageSize = 1 << 16
)

// loggedFile is a database as it is with the pages of its log: those of the last version of each
// page that a whole transaction has written.
type loggedFile struct {
	io.ReaderAt // the database itself
	log         io.ReaderAt
	page        int64
	size        int64           // of the database with its log
	at          map[int64]int64 // where in the log pages are, by number from 0
}

// ReadAt reads from the log what it has, else from the database.
func (f *loggedFile) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) {
		if at >= f.size {
			return n, io.EOF
		}
		number, within := at/f.page, at%f.page
		piece := p[n:min(int64(len(p)), int64(n)+f.page-within)]
		var err error
		if logged, ok := f.at[number]; ok {
			_, err = f.log.ReadAt(piece, logged+within)
		} else if _, err = f.ReaderAt.ReadAt(piece, at); err == io.EOF {
			err = io.ErrUnexpectedEOF // the size says that it is there
		}
		if err != nil {
			return n, err
		}
		n += len(piece)
		at += int64(len(piece))
	}
	return n, nil
}

// withLog returns a database with the pages of its log; nil where the log has none that count. Of a
// log what follows the last whole transaction does not count, nor what is left of an older one.
func withLog(ctx context.Context, db, log io.ReaderAt, size int64) (*loggedFile, error) {
	var head [logHeader]byte
	if n, err := log.ReadAt(head[:], 0); n < len(head) {
		if err == io.EOF {
			err = nil // nothing was written yet
		}
		return nil, err
	}
	magic := binary.BigEndian.Uint32(head[:])
	page := int64(binary.BigEndian.Uint32(head[8:]))
	if magic&^1 != logMagic || binary.BigEndian.Uint32(head[4:]) != logVersion ||
		page < leastPage || page > mostPageSize || page&(page-1) != 0 {
		return nil, nil // SQLite ignores such a log, too
	}
	var order binary.ByteOrder = binary.LittleEndian
	if magic&1 != 0 {
		order = binary.BigEndian
	}
	var sum [2]uint32
	add := func(b []byte) {
		for i := 0; i < len(b); i += 8 {
			sum[0] += order.Uint32(b[i:]) + sum[1]
			sum[1] += order.Uint32(b[i+4:]) + sum[0]
		}
	}
	matches := func(b []byte) bool {
		return binary.BigEndian.Uint32(b) == sum[0] && binary.BigEndian.Uint32(b[4:]) == sum[1]
	}
	if add(head[:24]); !matches(head[24:]) {
		return nil, nil
	}
	f := &loggedFile{ReaderAt: db, log: log, page: page, at: map[int64]int64{}}
	written := map[int64]int64{} // by the transaction that is not over
	frame := make([]byte, frameHeader+page)
	for at := int64(logHeader); at+int64(len(frame)) <= size; at += int64(len(frame)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := log.ReadAt(frame, at); err != nil {
			return nil, err
		}
		number := int64(binary.BigEndian.Uint32(frame))
		if number == 0 || !bytes.Equal(frame[8:16], head[16:24]) { // of an older log
			break
		}
		add(frame[:8])
		add(frame[frameHeader:])
		if !matches(frame[16:]) {
			break
		}
		written[number-1] = at + frameHeader
		if pages := int64(binary.BigEndian.Uint32(frame[4:])); pages > 0 { // the transaction is over
			for number, at := range written {
				f.at[number] = at
			}
			clear(written)
			f.size = pages * page
		}
	}
	if len(f.at) == 0 {
		return nil, nil
	}
	return f, nil
}

// journalMagic begins the journal of a transaction that may be half written.
const journalMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"

// takeLog reads a SQLite database together with the log beside it, if there is one: what was
// written to the log alone, and not yet copied from it into the database, is read from there. The
// fingerprint is then that of the database after it is copied. finish closes the log, and reports
// whether anything was written meanwhile; note, unless "", is to be reported.
func (s *source) takeLog(ctx context.Context, o ReadOptions) (note string, finish func() error,
	err error) {
	finish = func() error { return nil }
	db, ok := s.file.(*os.File)
	if !ok {
		return "", finish, nil
	}
	if err := s.checkJournal(o); err != nil {
		return "", finish, err
	}
	name := s.name + "-wal"
	log, err := o.beside(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", finish, nil
	}
	refused := func(err error) error {
		return &fault.Input{File: s.name, Problem: "its log " + name + " cannot be read, and may " +
			"hold rows that are not in the database yet",
			Fix: "let it be read, or close the program that writes the database", Err: err}
	}
	if err != nil {
		return "", finish, refused(err)
	}
	files := [2]*os.File{db, log}
	before, err := marksOf(files)
	var logged *loggedFile
	if err == nil {
		logged, err = withLog(ctx, db, log, before[1].size)
	}
	if err != nil {
		log.Close()
		if ctx.Err() != nil {
			return "", finish, ctx.Err()
		}
		return "", finish, refused(err)
	}
	if logged != nil {
		s.file, s.size = logged, logged.size
		note = "with what its log " + filepath.Base(name) + " holds"
	}
	return note, func() error { // twice does no harm
		defer log.Close()
		if after, err := marksOf(files); err != nil || after != before {
			return &fault.Input{File: s.name, Problem: "was written while it was read",
				Fix: "read it again, or close the program that writes it", Err: err}
		}
		return nil
	}, nil
}

// checkJournal refuses a database with the journal of a transaction that is not over.
func (s *source) checkJournal(o ReadOptions) error {
	name := s.name + "-journal"
	f, err := o.beside(name)
	if err != nil { // mostly there is none; the database is then as it should be
		return nil
	}
	defer f.Close()
	head := make([]byte, len(journalMagic))
	if n, _ := f.ReadAt(head, 0); n < len(head) || string(head) != journalMagic {
		return nil
	}
	return &fault.Input{File: s.name, Problem: "a transaction in it is not over: there is " + name,
		Fix: "wait until the program that writes it is done; if it broke off, open the database " +
			"once with sqlite3"}
}

// mark is what a file looks like while nobody writes to it.
type mark struct {
	size int64
	time time.Time
}

func marksOf(files [2]*os.File) (m [2]mark, err error) {
	for i, f := range files {
		info, err := f.Stat()
		if err != nil {
			return m, err
		}
		m[i] = mark{info.Size(), info.ModTime()}
	}
	return m, nil
}
